import type { DatabaseSettings } from '../../../contract/connections/calls.ts'
import { originMessages } from '../../../contract/connections/server-messages.ts'

import type { Row } from '../../../contract/tables.ts'
import { NO_FORMAT, OriginFailure, type Source, type SourceRead } from '../connector.ts'
import { BLANK_ROW, isBlankRow, parseRow } from '../row-json.ts'
import { mysql } from './mysql.ts'
import { postgresql } from './postgresql.ts'
import { type DatabaseContext, type Engine, serverOf, whereOf } from './server.ts'
import { sqlite } from './sqlite.ts'
import { sqliteFile } from './sqlite-file.ts'
import { type ValueNote, ValueNotes } from './value-notes.ts'

const SECONDS = 1000
const COLUMNS_NAMED = 5
const ENGINES: Record<DatabaseSettings['engine'], Engine> = { postgresql, mysql, sqlite }

/**
 * Opens a database for its statement. Throws OriginFailure if settings are missing, the host is not allowed or the
 * file does not exist. Connects when it is read. A reading cannot be resumed.
 */
export async function openDatabase(
  { name, settings }: { name: string; settings: DatabaseSettings },
  context: DatabaseContext,
): Promise<Source> {
  if (settings.engine === 'sqlite') sqliteFile(settings.file, context.sqlite_folder)
  else serverOf(settings, context)
  return {
    title: originMessages.database_title(name, whereOf(settings)),
    warnings: [],
    read: () => readDatabase(settings, context),
    // Databases have no number formats.
    formats: async ({ sample }) => {
      const columns = Math.max(0, ...sample.map(({ cells }) => cells.length))
      return { columns: Array.from({ length: columns }, () => NO_FORMAT), sample_rows: null }
    },
  }
}

/**
 * One reading. It starts with its first batch; when the caller stops reading, the statement is ended on the server.
 */
export function readDatabase(settings: DatabaseSettings, context: DatabaseContext): SourceRead {
  const notes = new ValueNotes()
  let header: Row | null = null
  return {
    batches: (async function* () {
      for await (const rows of withoutBlankEnd(limited(settings, context, notes))) {
        const [first] = rows
        if (header === null && first) header = parseRow(Buffer.from(first).toString('utf8'))
        yield rows
      }
    })(),
    requests: 1,
    get header() {
      return header
    },
    get warnings() {
      return warningsOf(notes, header)
    },
    checkpoint: null,
    total: null,
    validator: null,
    unchanged: false,
  }
}

const WARNINGS: Record<ValueNote, (columns: string, times: number) => string> = {
  long_number: originMessages.values_long_numbers,
  bytes: originMessages.values_bytes,
  nul: originMessages.values_nul,
  not_utf8: (_columns, times) => originMessages.values_not_utf8(times),
  short_float: originMessages.values_short_floats,
}

/** One warning per kind of conversion, with its columns. */
function warningsOf(notes: ValueNotes, header: Row | null): string[] {
  const entries = Map.groupBy(notes.entries(), ({ note }) => note)
  return [...entries].map(([note, found]) => {
    const names = found.map(({ column }) => `‘${header?.[column] ?? `#${column + 1}`}’`)
    const more = names.length - COLUMNS_NAMED
    const columns = `${names.slice(0, COLUMNS_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
    return WARNINGS[note](
      columns,
      found.reduce((sum, { times }) => sum + times, 0),
    )
  })
}

/**
 * Passes on rows until the time is up or there are too many. Throws OriginFailure, or the reason of the caller's
 * signal.
 */
async function* limited(
  settings: DatabaseSettings,
  context: DatabaseContext,
  notes: ValueNotes,
): AsyncGenerator<Uint8Array[]> {
  const engine = ENGINES[settings.engine]
  const limit = AbortSignal.timeout(settings.timeout_seconds * SECONDS)
  const signal = AbortSignal.any([context.signal, limit])
  // The header is not counted.
  let rows = -1
  try {
    for await (const batch of engine.read({ settings, context, signal, notes })) {
      // MySQL functions that are interrupted return as if they had completed.
      signal.throwIfAborted()
      rows += batch.length
      if (rows > context.max_rows)
        throw new OriginFailure('too_large', originMessages.rows_too_many(context.max_rows))
      yield batch
    }
    signal.throwIfAborted()
  } catch (error) {
    context.signal.throwIfAborted()
    if (limit.aborted)
      throw new OriginFailure('unavailable', originMessages.statement_too_slow(settings.timeout_seconds))
    throw engine.failure(error, settings)
  }
}

/** Holds back blank rows until a filled row follows. */
async function* withoutBlankEnd(batches: AsyncIterable<Uint8Array[]>): AsyncGenerator<Uint8Array[]> {
  let blanks = 0
  for await (const rows of batches) {
    const filled = rows.findLastIndex((row) => !isBlankRow(row)) + 1
    if (filled > 0) {
      yield blanks === 0
        ? rows.slice(0, filled)
        : [...Array.from({ length: blanks }, () => BLANK_ROW), ...rows.slice(0, filled)]
      blanks = 0
    }
    blanks += rows.length - filled
  }
}
