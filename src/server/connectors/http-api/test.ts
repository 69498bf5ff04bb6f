import {
  type ApiSettings,
  type ConnectionGuess,
  type ConnectionTest,
  type Exchange,
  fillIn,
} from '../../../contract/connections/calls.ts'
import { originMessages } from '../../../contract/connections/server-messages.ts'
import { limits } from '../../../contract/limits.ts'

import { quoted } from '../../../contract/quoted.ts'
import type { CellValue, Row } from '../../../contract/tables.ts'
import { shortBackoff } from '../backoff.ts'
import { columnTypes } from '../column-types.ts'
import { OriginFailure } from '../connector.ts'
import { parseRow } from '../row-json.ts'
import type { SourceContext } from '../source-context.ts'
import { guessFrom } from './guess.ts'
import { ApiReading, type ReadingOptions } from './reading.ts'
import { DEFAULT_LIMITS } from './session.ts'
import { checkSettings } from './source.ts'

/** Rows that determine column types; a streamed file is read no further. */
const SAMPLE_ROWS = 1000

/** A user is waiting, and the process has no other work. */
const IMPATIENT: ReadingOptions = {
  backoff: shortBackoff,
  limits: { ...DEFAULT_LIMITS, reply_bytes: limits.test_reply_bytes_max, longest_wait_ms: 10_000 },
  parser: { in_place_bytes: Number.POSITIVE_INFINITY, megabytes: 0, cpu_seconds: 0 },
}

/**
 * Reads the first pages with the code that runs use, and guesses missing settings from the first reply. Failures are
 * returned; rejects only with the signal's reason.
 */
export async function testApi(
  settings: ApiSettings,
  context: SourceContext,
  options: ReadingOptions = IMPATIENT,
): Promise<ConnectionTest> {
  const exchanges: Exchange[] = []
  const rows: Row[] = []
  let guess: ConnectionGuess | null = null
  let rows_read = 0
  let reading: ApiReading | null = null
  let failure: string | null = null
  try {
    checkSettings(settings, context)
    reading = new ApiReading(settings, context, {
      ...options,
      max_pages: limits.test_pages_max,
      onExchange: (exchange) => exchanges.push(exchange),
      inspect(reply, text) {
        guess = guessFrom(settings, reply, text)
        return fillIn(settings, guess)
      },
    })
    for await (const batch of reading.batches) {
      for (const row of batch.slice(rows_read === 0 ? 1 : 0)) {
        rows_read += 1
        if (rows.length < SAMPLE_ROWS) rows.push(parseRow(Buffer.from(row).toString()))
      }
      if (reading.isStreamed && rows_read >= SAMPLE_ROWS) break
    }
  } catch (error) {
    if (!(error instanceof OriginFailure)) throw error
    failure = error.message
  }
  const { pages = 0, total = null, has_more = false, warnings = [], header = null } = reading ?? {}
  const file_format = reading?.file_format ?? null
  return {
    ok: failure === null,
    message: failure ?? originMessages.test_read(rows_read, pages, has_more),
    exchanges,
    columns: columnTypes(header ?? [], rows),
    rows: rows.slice(0, limits.test_rows_shown).map((row) => row.map(shown)),
    rows_read,
    pages_read: pages,
    total,
    has_more,
    warnings: [...warnings],
    guess,
    file_format,
  }
}

/** A cell for display; long texts are truncated. */
const shown = (cell: CellValue): CellValue =>
  typeof cell === 'string' ? quoted(cell, limits.test_cell_characters) : cell
