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

const rangeOf = ({ title, start_row, columns }: HeaderRow) =>
  a1Range(title, { startRow: start_row, endRow: start_row + 1, startColumn: 0, endColumn: columns + 1 })

/** The requested part of a spreadsheet, and its header row. */
export type SeenHeader = { spreadsheet: Spreadsheet; header: Row }

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
  const ranges = [rangeOf(row), ...(beside === null ? [] : [a1Range(beside, cell)])]
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
    range: rangeOf(row),
    fields: batchGridFields,
    signal,
    receive: async (body) => {
      const answer: unknown = JSON.parse(await readText(body))
      const { updatedSpreadsheet } = Answer.parse(answer)
      return { ...headerOf(updatedSpreadsheet, row), duplicates: DuplicatesReply.parse(answer) }
    },
  })

/** The same for requests that add a tab; the spreadsheet includes it. */
export const addTabAndReadHeader = (
  session: GoogleSession,
  spreadsheet_id: string,
  requests: BatchRequest[],
  row: HeaderRow,
): Promise<SeenHeader> =>
  batchUpdateAndRead(session, spreadsheet_id, requests, {
    range: rangeOf(row),
    fields: addedGridFields,
    signal: session.caller.signal,
    receive: async (body) => {
      const answer: unknown = JSON.parse(await readText(body))
      const { spreadsheet, header } = headerOf(Answer.parse(answer).updatedSpreadsheet, row)
      const tabs = [...spreadsheet.tabs, ...AddedReply.parse(answer)]
      return { spreadsheet: { ...spreadsheet, tabs }, header }
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

function headerOf(reply: unknown, { sheet_id }: HeaderRow): SeenHeader {
  const spreadsheet = SpreadsheetReply.parse(reply)
  const tab = Rows.parse(reply).sheets.find(({ properties }) => properties.sheetId === sheet_id)
  const rows = new GridRows()
  rows.add(Buffer.from(JSON.stringify(tab?.data[0]?.rowData[0] ?? {})))
  return { spreadsheet, header: rows.row(0) }
}
