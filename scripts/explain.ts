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

// Nobody listens, no such host, a wrong password or role, no such database, no connection left.
const UNREACHABLE = /^(ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|28P01|28000|3D000|53300)$/

// Of the server: no right, no room, no memory or connection left, and a server that ends or starts.
const REFUSED = /^(42501|53...|57P0.)$/

// Of the system, about a file: no room, no right, a disk that takes no writes.
const UNWRITABLE = /^(ENOSPC|EDQUOT|EROFS|EACCES|EPERM)$/

/** What is printed of an error: a sentence where a person can put it right, since a stack would only hide that; else all of it. */
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
