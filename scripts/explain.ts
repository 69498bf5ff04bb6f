import { BackupError, reasonOf } from '../src/server/platform/backup/backup-error.ts'
import { ConfigError } from '../src/server/platform/environment.ts'
import { UnsafeLockError } from '../src/server/platform/file-lock.ts'
import { MigrationError } from '../src/server/platform/migrate.ts'
import { PostgresError } from '../src/server/platform/postgres/errors.ts'
import { PortError } from './ports.ts'
import { BuildError } from './web-build.ts'

const EXPLAINED = [
  BackupError,
  BuildError,
  ConfigError,
  MigrationError,
  PortError,
  PostgresError,
  UnsafeLockError,
]

// No listener, unknown host, wrong password or role, unknown database, no connection slots.
const UNREACHABLE = /^(ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|28P01|28000|3D000|53300)$/

// Server errors: missing privilege, out of disk, memory or connections, startup or shutdown.
const REFUSED = /^(42501|53...|57P0.)$/

// File errors: out of space, missing permission, read-only file system.
const UNWRITABLE = /^(ENOSPC|EDQUOT|EROFS|EACCES|EPERM)$/

/**
 * Formats an error for the console: only its message if the operator can fix the cause, otherwise the whole error with its stack.
 */
export function explain(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  if (EXPLAINED.some((kind) => error instanceof kind)) return error.message
  const code = 'code' in error ? String(error.code) : ''
  if (UNREACHABLE.test(code) || error.message === 'timeout expired')
    return `The database cannot be reached: ${error.message || code}. Is DATABASE_URL right, and does the server run?`
  if (error.message.startsWith('Connection terminated'))
    return `The connection to the database was lost: ${error.message}.`
  if (REFUSED.test(code)) return `The database refuses: ${error.message}.`
  if (UNWRITABLE.test(code) && 'path' in error) return `${error.path} cannot be used: ${reasonOf(error)}.`
  return error
}
