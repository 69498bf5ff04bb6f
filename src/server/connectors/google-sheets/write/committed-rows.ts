import { type BatchRequest, batchUpdateAndRead } from '../client/api.ts'
import {
  BatchReply,
  batchEntriesFields,
  batchGridFields,
  DuplicatesReply,
  type Spreadsheet,
} from '../client/replies.ts'
import type { GoogleSession } from '../client/session.ts'
import { splitGrid } from '../read/grid.ts'
import { GridRows } from '../read/grid-rows.ts'
import { BATCH_GRID_DEPTH } from '../read/row-splitter.ts'

/** A spreadsheet, as far as it was asked for, and the rows of one range of it after a commit. `duplicates`: rows that it has removed as such. */
type CommittedRows = { spreadsheet: Spreadsheet; rows: GridRows; duplicates: number | null }

const NO_LIMITS = { depth: BATCH_GRID_DEPTH, rows: Number.POSITIVE_INFINITY, cells: Number.POSITIVE_INFINITY }

/**
 * Applies all requests or none; the answer has the rows of a range as they are afterwards. `entries`: only what was entered into them is
 * asked for, which is all that can be read of a cell that was written; one that shows what a formula elsewhere puts there is blank. Throws
 * as batchUpdate does.
 */
export const batchUpdateAndReadRows = (
  session: GoogleSession,
  spreadsheet_id: string,
  requests: BatchRequest[],
  { range, entries, signal }: { range: string; entries: boolean; signal: AbortSignal },
): Promise<CommittedRows> =>
  batchUpdateAndRead(session, spreadsheet_id, requests, {
    range,
    fields: entries ? batchEntriesFields : batchGridFields,
    signal,
    receive: async (body) => {
      const rows = new GridRows()
      const { frame, isWhole } = await splitGrid(body, rows, NO_LIMITS)
      if (!isWhole) throw new TypeError('Google answered more than it was sent')
      const answer: unknown = JSON.parse(frame)
      return { spreadsheet: BatchReply.parse(answer), rows, duplicates: DuplicatesReply.parse(answer) }
    },
  })
