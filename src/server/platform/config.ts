import { join, resolve } from 'node:path'
import { ConfigError, type Environment, type LogLevel, type Role, readEnvironment } from './environment.ts'
import { defaultFolders, type FilesFolder, problemsWithFolders } from './files-folders.ts'
import { readOrCreateSecret } from './secret-file.ts'
import { readServiceAccount, type ServiceAccount } from './service-account.ts'

const BYTES_PER_MB = 1_000_000

/** The parsed configuration. `.env.example` documents each variable. */
export type Config = {
  /** `sandbox`: without Google credentials, a local stand-in replaces Google and any of its accounts may sign in. */
  mode: 'sandbox' | 'google'
  port: number
  host: string
  /** Root URL of the app for browsers, without a trailing slash. */
  publicUrl: string
  /** Host name of PUBLIC_URL; undefined if that is not set, so that any host name is accepted. */
  publicHost: string | undefined
  /** Absolute. */
  dataDir: string
  /** Undefined: the embedded PostgreSQL in `dataDir`. */
  databaseUrl: string | undefined
  secretKey: string
  /** The previous SECRET_KEY: only opens what it sealed. */
  secretKeyOld: string | undefined
  google: {
    clientId: string
    clientSecret: string
    /** Undefined: none is configured. */
    serviceAccount: ServiceAccount | undefined
    /** Root of Sheets and Drive; undefined: Google's hosts. */
    apiRoot: string | undefined
    issuer: string
  }
  /** Lower case, like all addresses and domains here. */
  allowedEmails: string[]
  allowedDomains: string[]
  adminEmails: string[] | 'everyone'
  scheduleTimeZone: string
  /** Days for which runs, their log lines and schedule occurrences are kept. */
  historyDays: number
  /** Kept versions of target sheets: per task, and the space that all of them take in the database. */
  versions: { days: number; per_task: number; bytes: number }
  /** Undefined: no mails are sent. `from`: sender address; `alerts`: recipients of every failure. */
  mail: { smtpUrl: string; from: string; alerts: string[] } | undefined
  /** Absolute; undefined: SQLite files cannot be used as origins. */
  sqliteFolder: string | undefined
  /** Folders of workbooks and CSV files. */
  filesFolders: FilesFolder[]
  metricsToken: string | undefined
  /** Fastify's `trustProxy`: false, a number of hops, or a list of addresses. */
  trustProxy: false | number | string[]
  /** Port of the sandbox; undefined if none is started. */
  sandboxPort: number | undefined
  roles: Role[]
  /** Maximum of concurrent runs per worker process. */
  workerConcurrency: number
  logLevel: LogLevel
}

/**
 * Reads the configuration from environment variables; a blank one counts as absent. Creates DATA_DIR/secret-key in
 * sandbox mode if SECRET_KEY is absent. Throws ConfigError with every invalid variable.
 */
export function readConfig(env: Record<string, string | undefined>): Config {
  const variables = readEnvironment(env)
  const mode = variables.GOOGLE_CLIENT_ID || variables.GOOGLE_CLIENT_SECRET ? 'google' : 'sandbox'
  const problems = mode === 'google' ? problemsWithGoogle(variables) : []
  problems.push(...problemsWithMail(variables))
  const sandboxPort = mode === 'sandbox' && !variables.GOOGLE_API_ROOT ? portOfSandbox(variables) : undefined
  if (sandboxPort === variables.PORT) problems.push('SANDBOX_PORT: must differ from PORT')
  problems.push(...problemsWithFolders(variables.FILES_FOLDERS ?? [], resolve(variables.DATA_DIR)))
  if (problems.length) throw new ConfigError(problems.join('\n'))

  const dataDir = resolve(variables.DATA_DIR)
  return {
    mode,
    port: variables.PORT,
    host: variables.HOST ?? (mode === 'sandbox' ? '127.0.0.1' : '0.0.0.0'),
    publicUrl: variables.PUBLIC_URL ?? `http://localhost:${variables.PORT}`,
    publicHost: variables.PUBLIC_URL && new URL(variables.PUBLIC_URL).hostname,
    dataDir,
    databaseUrl: variables.DATABASE_URL,
    secretKey: variables.SECRET_KEY ?? secretOf(dataDir),
    secretKeyOld: variables.SECRET_KEY_OLD,
    google: googleOf(variables, sandboxPort),
    allowedEmails: variables.ALLOWED_EMAILS,
    allowedDomains: variables.ALLOWED_DOMAINS,
    adminEmails: variables.ADMIN_EMAILS.length ? variables.ADMIN_EMAILS : 'everyone',
    scheduleTimeZone: variables.SCHEDULE_TIME_ZONE,
    historyDays: variables.HISTORY_DAYS,
    versions: {
      days: variables.HISTORY_DAYS,
      per_task: variables.VERSIONS_PER_TASK,
      bytes: variables.VERSIONS_MB * BYTES_PER_MB,
    },
    mail: mailOf(variables),
    sqliteFolder: variables.SQLITE_FOLDER === undefined ? undefined : resolve(variables.SQLITE_FOLDER),
    filesFolders: variables.FILES_FOLDERS ?? defaultFolders(dataDir),
    metricsToken: variables.METRICS_TOKEN,
    trustProxy: variables.TRUST_PROXY,
    sandboxPort,
    roles: variables.ROLES,
    workerConcurrency: variables.WORKER_CONCURRENCY,
    logLevel: variables.LOG_LEVEL,
  }
}

function secretOf(dataDir: string): string {
  try {
    return readOrCreateSecret(join(dataDir, 'secret-key'))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new ConfigError(`DATA_DIR: the secret key cannot be kept in ${dataDir}: ${reason}`)
  }
}

function googleOf(variables: Environment, sandboxPort: number | undefined): Config['google'] {
  // Another host name than the app's, because cookies are shared between ports.
  const sandbox = sandboxPort && `http://127.0.0.1:${sandboxPort}`
  const apiRoot = variables.GOOGLE_API_ROOT ?? (sandbox || undefined)
  const file = variables.GOOGLE_SERVICE_ACCOUNT_FILE
  return {
    // The sandbox accepts these credentials from any client on the loopback address; they are not secret.
    clientId: variables.GOOGLE_CLIENT_ID ?? 'rowferry-sandbox',
    clientSecret: variables.GOOGLE_CLIENT_SECRET ?? 'sandbox-secret',
    serviceAccount: file === undefined ? undefined : readServiceAccount(file),
    apiRoot,
    issuer: variables.GOOGLE_ISSUER ?? apiRoot ?? 'https://accounts.google.com',
  }
}

function mailOf({ SMTP_URL: smtpUrl, MAIL_FROM: from, ALERT_EMAILS: alerts }: Environment): Config['mail'] {
  return smtpUrl === undefined || from === undefined ? undefined : { smtpUrl, from, alerts }
}

// Each of them requires the others.
function problemsWithMail({ SMTP_URL, MAIL_FROM, ALERT_EMAILS }: Environment): string[] {
  if (SMTP_URL !== undefined) return MAIL_FROM === undefined ? ['MAIL_FROM: must be set with SMTP_URL'] : []
  const others = [MAIL_FROM !== undefined && 'MAIL_FROM', ALERT_EMAILS.length > 0 && 'ALERT_EMAILS']
  return others.flatMap((name) => (name ? [`${name}: has no use without SMTP_URL`] : []))
}

function portOfSandbox(variables: Environment): number {
  // Port 65535 has no successor.
  return variables.SANDBOX_PORT ?? (variables.PORT === 65_535 ? 65_534 : variables.PORT + 1)
}

function problemsWithGoogle(variables: Environment): string[] {
  const problems: string[] = []
  for (const name of ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET', 'SECRET_KEY'] as const) {
    if (!variables[name]) problems.push(`${name}: must be set when Google credentials are given`)
  }
  if (!variables.ALLOWED_EMAILS.length && !variables.ALLOWED_DOMAINS.length) {
    problems.push(
      'ALLOWED_EMAILS, ALLOWED_DOMAINS: set at least one, else every Google account could sign in',
    )
  }
  if (!variables.ADMIN_EMAILS.length)
    problems.push('ADMIN_EMAILS: name at least one person, else everyone who may enter could do everything')
  return problems
}
