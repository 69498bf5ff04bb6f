import { BackupError } from '../src/server/platform/backup/backup-file.ts'
import { ConfigError } from '../src/server/platform/environment.ts'
import { UnsafeLockError } from '../src/server/platform/file-lock.ts'
import { MigrationError } from '../src/server/platform/migrate.ts'
import { PostgresError } from '../src/server/platform/postgres/postgres-error.ts'
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

/** What is printed of an error: a sentence where a person can put it right, since a stack would only hide that; else all of it. */
export function explain(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  if (EXPLAINED.some((kind) => error instanceof kind)) return error.message
  const code = 'code' in error ? String(error.code) : ''
  if (UNREACHABLE.test(code) || error.message === 'timeout expired')
    return `The database cannot be reached: ${error.message || code}. Is DATABASE_URL right, and does the server run?`
  return error
}
