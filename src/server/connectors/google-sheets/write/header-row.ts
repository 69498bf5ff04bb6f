import { z } from 'zod'
import type { Row } from '../../../../contract/tables.ts'
import { OriginFailure } from '../../connector.ts'
import { a1Range } from '../a1.ts'
import { type BatchRequest, batchUpdateAndRead, getGrid } from '../client/api.ts'
import {
  AddedReply,
  addedGridFields,
  batchGridFields,
  DuplicatesReply,
  enteredGridFields,
  type Spreadsheet,
  SpreadsheetReply,
} from '../client/replies.ts'
import { type GoogleSession, readText } from '../client/session.ts'
import { GridRows } from '../read/grid-rows.ts'

/** Position of a header row, counted from 0, and its number of columns. */
export type HeaderRow = { sheet_id: number; title: string; start_row: number; columns: number }

/** Range of a header row and the cell right of it. */
export const rangeOfHeader = ({ title, start_row, columns }: HeaderRow) =>
  a1Range(title, { startRow: start_row, endRow: start_row + 1, startColumn: 0, endColumn: columns + 1 })

/** The requested part of a spreadsheet, and its header row. */
export type SeenHeader = { spreadsheet: Spreadsheet; header: Row }

/** The requested parts of a spreadsheet, and their header rows by tab. */
export type SeenHeaders = { spreadsheet: Spreadsheet; headers: Map<number, Row> }

/**
 * The same after a commit, whose response may lack the header row. `duplicates`: rows removed by deleteDuplicates;
 * null if it was not requested.
 */
export type CommittedHeader = Pick<SeenHeader, 'spreadsheet'> & {
  header: Row | null
  duplicates: number | null
}

/**
 * Reads the header row and the cell right of it. The spreadsheet contains only its tab and the tab with the title
 * `beside`. Null if one of them was renamed or there was no response.
 */
export async function readHeader(
  session: GoogleSession,
  spreadsheet_id: string,
  row: HeaderRow,
  beside: string | null,
): Promise<SeenHeader | null> {
  const cell = { startRow: 0, endRow: 1, startColumn: 0, endColumn: 1 }
  const ranges = [rangeOfHeader(row), ...(beside === null ? [] : [a1Range(beside, cell)])]
  try {
    const request = { spreadsheet_id, ranges, fields: enteredGridFields, unanswered: 'throw' as const }
    return await getGrid(session, request, async (body) => headerOf(JSON.parse(await readText(body)), row))
  } catch (error) {
    if (error instanceof OriginFailure && otherwise.has(error.kind)) return null
    throw error
  }
}

const otherwise = new Set<OriginFailure['kind']>(['tab_gone', 'invalid', 'unavailable'])

/** batchUpdate whose response contains the header row afterwards. */
export const batchUpdateAndReadHeader = (
  session: GoogleSession,
  spreadsheet_id: string,
  requests: BatchRequest[],
  { row, signal }: { row: HeaderRow; signal: AbortSignal },
): Promise<CommittedHeader> =>
  batchUpdateAndRead(session, spreadsheet_id, requests, {
    ranges: [rangeOfHeader(row)],
    fields: batchGridFields,
    signal,
    receive: async (body) => {
      const answer: unknown = JSON.parse(await readText(body))
      const { updatedSpreadsheet } = Answer.parse(answer)
      const [duplicates = null] = DuplicatesReply.parse(answer)
      return { ...headerOf(updatedSpreadsheet, row), duplicates }
    },
  })

/** The same for requests that add a tab, with the header rows of others; the spreadsheet includes it. */
export const addTabAndReadHeaders = (
  session: GoogleSession,
  spreadsheet_id: string,
  requests: BatchRequest[],
  rows: readonly HeaderRow[],
): Promise<SeenHeaders> =>
  batchUpdateAndRead(session, spreadsheet_id, requests, {
    ranges: rows.map(rangeOfHeader),
    fields: addedGridFields,
    signal: session.caller.signal,
    receive: async (body) => {
      const answer: unknown = JSON.parse(await readText(body))
      const { updatedSpreadsheet } = Answer.parse(answer)
      const spreadsheet = SpreadsheetReply.parse(updatedSpreadsheet)
      const tabs = [...spreadsheet.tabs, ...AddedReply.parse(answer)]
      const found = rowsByTab(updatedSpreadsheet)
      const headers = new Map(rows.map(({ sheet_id }) => [sheet_id, found.get(sheet_id)?.row(0) ?? []]))
      return { spreadsheet: { ...spreadsheet, tabs }, headers }
    },
  })

const Answer = z.object({ updatedSpreadsheet: z.unknown() })

const Rows = z.object({
  sheets: z.array(
    z.object({
      properties: z.object({ sheetId: z.int().default(0) }),
      data: z.array(z.object({ rowData: z.array(z.unknown()).default([]) })).default([]),
    }),
  ),
})

const headerOf = (reply: unknown, { sheet_id }: HeaderRow): SeenHeader => ({
  spreadsheet: SpreadsheetReply.parse(reply),
  header: rowsByTab(reply).get(sheet_id)?.row(0) ?? [],
})

/** The cells of a spreadsheet of which one range per tab was requested, by tab. */
export function rowsByTab(reply: unknown): Map<number, GridRows> {
  return new Map(
    Rows.parse(reply).sheets.map(({ properties, data }) => {
      const rows = new GridRows()
      for (const row of data[0]?.rowData ?? []) rows.add(Buffer.from(JSON.stringify(row)))
      return [properties.sheetId, rows]
    }),
  )
}
