import { Backoff } from '../../backoff.ts'
import { OriginFailure, type TableRead } from '../../connector.ts'
import { BLANK_ROW, isBlankRow } from '../../row-json.ts'
import { a1Range } from '../a1.ts'
import { getValues, type Rendering } from '../client/api.ts'
import { noAnswer } from '../client/errors.ts'
import { ValuesFrame } from '../client/replies.ts'
import type { GoogleSession } from '../client/session.ts'
import { RowSplitter } from './row-splitter.ts'

/** About 25 MB of response: most sheets need one request. */
const CELLS_PER_READ = 2_500_000

// Checked because rows are passed on before the response is complete.
const BEGINNING = /^\s*\{\s*"/

/** An area to read: from the header row to the end of the tab's grid. Rows and columns count from 0. */
export type Block = {
  spreadsheet_id: string
  title: string
  start_row: number
  /** Default 0. */
  first_column?: number
  columns: number
  grid_rows: number
  rendering: Rendering
  /** Requests cover whole chunks unless one chunk is too large for a request. */
  chunk_size: number
}

/** Reads a block in as few requests as its size allows. A request that times out is retried with half the rows. */
export function readRows(session: GoogleSession, block: Block): TableRead {
  // Counted separately, because a session may have several concurrent reads.
  const made = { requests: 0 }
  return {
    batches: batchesOf(session, block, made),
    get requests() {
      return made.requests
    },
  }
}

async function* batchesOf(
  session: GoogleSession,
  block: Block,
  made: { requests: number },
): AsyncGenerator<Uint8Array[]> {
  if (block.columns === 0 || block.start_row >= block.grid_rows) return
  const total = block.grid_rows - block.start_row
  const backoff = new Backoff(session.caller.backoff ?? session.settings.backoff)
  let size = rowsPerRequest(block, session.settings.cellsPerRead ?? CELLS_PER_READ)
  let next = 0
  // Blank rows at the end are dropped, so they are held back until a filled row follows.
  let blanks = 0
  while (next < total) {
    const from = next
    const answer = new RowSplitter()
    made.requests += 1
    try {
      for await (const piece of await open(session, block, from, size, total)) {
        const rows: Buffer[] = []
        answer.feed(piece, { add: (row) => rows.push(row) })
        if (rows.length === 0) continue
        if (!BEGINNING.test(answer.frame)) throw new TypeError('Google answered something else than values')
        next += rows.length
        const filled = rows.findLastIndex((row) => !isBlankRow(row)) + 1
        if (filled > 0) {
          backoff.reset()
          const before = Array.from({ length: blanks }, () => BLANK_ROW)
          yield blanks === 0 && filled === rows.length ? rows : [...before, ...rows.slice(0, filled)]
          blanks = 0
        }
        blanks += rows.length - filled
      }
      ValuesFrame.parse(JSON.parse(answer.frame))
    } catch (error) {
      session.caller.signal.throwIfAborted()
      const { failure } = error instanceof OriginFailure ? { failure: error } : noAnswer(error)
      if (failure.kind !== 'unavailable') throw failure
      const pause = backoff.next()
      if (pause === null) throw failure
      size = Math.max(1, Math.ceil(size / 2))
      await session.pauseBeforeRetry(pause, { failure }, session.caller.signal)
      // Rows that have arrived are kept; only the rest is requested.
      continue
    }
    // Google omits blank rows at the end of a range.
    const end = Math.min(from + size, total)
    blanks += end - next
    next = end
  }
}

async function open(session: GoogleSession, block: Block, from: number, size: number, total: number) {
  const { spreadsheet_id, title, start_row, first_column: startColumn = 0, columns, rendering } = block
  const area = { startRow: start_row + from, startColumn, endColumn: startColumn + columns }
  // The last range is open-ended, so that it includes rows that were added meanwhile.
  const range = a1Range(title, from + size >= total ? area : { ...area, endRow: start_row + from + size })
  return getValues(session, spreadsheet_id, range, rendering)
}

/** Rows per request: whole chunks, unless one chunk is too large. */
function rowsPerRequest({ columns, chunk_size }: Block, cells: number): number {
  const most = Math.max(1, Math.floor(cells / columns))
  return most < chunk_size ? most : most - (most % chunk_size)
}
