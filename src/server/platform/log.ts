import { join } from 'node:path'
import pino, { type Logger } from 'pino'
import pretty from 'pino-pretty'
import roll from 'pino-roll'
import type { LogLevel, Role } from './environment.ts'
import { logContext } from './log-context.ts'
import { withoutSecrets } from './secret-text.ts'

export type { Logger } from 'pino'

const WAITING_CHARACTERS = 4_000_000

/** Folder of the log files in DATA_DIR. */
export const LOG_FOLDER = 'logs'

const SECRET_FIELDS = [
  'authorization',
  'cookie',
  '["set-cookie"]',
  '["x-xsrf-token"]',
  'password',
  'secret',
  'token',
  'access_token',
  'refresh_token',
  'id_token',
  'client_secret',
  'databaseUrl',
  'secretKey',
  'clientSecret',
  'metricsToken',
  'private_key',
]

// Names of fields with secrets, in the first three levels of a log record.
const REDACTED = SECRET_FIELDS.flatMap((field) => {
  const member = field.startsWith('[') ? field : `.${field}`
  return [field, `*${member}`, `*.*${member}`]
})

/**
 * Creates the log of a role, written to `dataDir`/logs/<role>.N.log (five files of 10 MB) and to the terminal:
 * formatted for a TTY, otherwise JSON lines. Each line contains the request, run or job. Secrets are removed from
 * fields and texts. Throws if the folder cannot be written; a disk that is full later only stops the files.
 */
export async function createLog({
  role,
  dataDir,
  level,
}: {
  role: Role
  dataDir: string
  level: LogLevel
}): Promise<Logger> {
  const file = await roll({
    file: join(dataDir, LOG_FOLDER, role),
    extension: '.log',
    size: '10m',
    limit: { count: 4 },
    mkdir: true,
    // Synchronous, so that the last lines before a crash are written.
    sync: true,
    mode: 0o600,
    // Maximum buffer while the disk is full; later lines are on the terminal only.
    maxLength: WAITING_CHARACTERS,
  })
  // Continues with the next line: a failed log write must not end runs.
  file.on('error', () => {})
  const terminal = process.stdout.isTTY
    ? pretty({ sync: true, singleLine: true, ignore: 'pid,role', messageFormat: `${role}: {msg}` })
    : process.stdout
  return pino(
    {
      level,
      base: { role, pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      mixin: contextBeside,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: REDACTED, censor: '[secret]' },
      serializers: { err: describeError, error: describeError },
      hooks: { streamWrite: withoutSecrets },
    },
    pino.multistream([
      { level, stream: file },
      { level, stream: terminal },
    ]),
  )
}

// The logger of a request already has its id.
const contextBeside = (_line: object, _level: number, log: Logger): object => {
  const { request_id, ...context } = logContext()
  return request_id === undefined || 'request_id' in log.bindings() ? context : { request_id, ...context }
}

type ErrorDescription = {
  type: string
  message: string
  stack?: string
  code?: string
  cause?: ErrorDescription
}

/** What is logged of an error. Google's and HTTP clients attach whole requests to theirs, tokens included. */
function describeError(error: unknown): ErrorDescription {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error) }
  return {
    type: error.name,
    message: error.message,
    ...(error.stack && { stack: error.stack }),
    ...('code' in error && { code: String(error.code) }),
    ...(error.cause !== undefined && { cause: describeError(error.cause) }),
  }
}
