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

// Fields that hold a secret wherever they stand in the first three levels of what is logged.
const REDACTED = SECRET_FIELDS.flatMap((field) => {
  const member = field.startsWith('[') ? field : `.${field}`
  return [field, `*${member}`, `*.*${member}`]
})

/**
 * A log for one role, written to `dataDir`/logs/<role>.N.log (five files of 10 MB) and to the terminal: readable for
 * a person, JSON lines for a program. Each line names the request, run or job that it is about. Secrets are taken out of fields
 * and of texts. Throws if the folder cannot be written; a disk that fills later keeps lines from the files, and nothing else.
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
    // The last lines before a crash are the ones that matter.
    sync: true,
    mode: 0o600,
    // So many of them wait while the disk is full; what comes after them is on the terminal alone.
    maxLength: WAITING_CHARACTERS,
  })
  // It goes on with the next line: a log that cannot be written is no reason to end runs.
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

// The log of a request has its id already.
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

/** What a log keeps of an error. Clients of Google and HTTP hang whole requests on theirs, tokens included. */
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
