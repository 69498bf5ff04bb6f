import { originMessages } from '../../../contract/connections/server-messages.ts'
import { OriginFailure } from '../connector.ts'

// Primary result codes of SQLite.
const BUSY = [5, 6]
const READ_ONLY = [8, 23]

/** Converts an error of SQLite. */
export function sqliteFailure(error: unknown): OriginFailure {
  const message = error instanceof Error ? error.message : String(error)
  const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0
  if (READ_ONLY.includes(code)) return new OriginFailure('invalid', originMessages.statement_writes(message))
  if (BUSY.includes(code))
    return new OriginFailure('unavailable', originMessages.database_answered('SQLite', message))
  return new OriginFailure('invalid', originMessages.statement_failed('SQLite', message, null))
}
