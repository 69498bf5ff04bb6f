import { isIP } from 'node:net'
import { z } from 'zod'
import { limits } from '../../contract/limits.ts'
import { parseFolders } from './files-folders.ts'
import { isGuessable } from './secret-strength.ts'
import { weakeningParameter } from './smtp-address.ts'

const ROLES = ['api', 'worker', 'scheduler'] as const
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
export type Role = (typeof ROLES)[number]
export type LogLevel = (typeof LOG_LEVELS)[number]

const SECRET_VARIABLES = new Set([
  'DATABASE_URL',
  'SECRET_KEY',
  'SECRET_KEY_OLD',
  'GOOGLE_CLIENT_SECRET',
  'SMTP_URL',
  'METRICS_TOKEN',
])

/** Invalid environment variables; the message names each of them, never the value of a secret. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}

const whole = (min: number, max: number) => {
  const message = `must be a whole number from ${min} to ${max}`
  return z
    .string()
    .regex(/^\d{1,9}$/, message)
    .transform(Number)
    .refine((number) => number >= min && number <= max, message)
}
const list = <T>(item: z.ZodType<T, string>) =>
  z
    .string()
    .transform((text) => text.split(',').flatMap((part) => part.trim().toLowerCase() || []))
    .pipe(z.array(item))
const emails = list(z.email('must be e-mail addresses, separated by commas'))
const root = z
  .url({ protocol: /^https?$/, error: 'must be an http or https address' })
  .transform((url) => url.replace(/(?<!\/)\/+$/, ''))
const PROXY_NAMES = ['loopback', 'linklocal', 'uniquelocal']
// A trusted proxy can forge client addresses, so trusting all addresses is not allowed.
const isProxy = (text: string): boolean => {
  const [address = '', bits, ...rest] = text.split('/')
  const known = isIP(address)
  if (known === 0) return PROXY_NAMES.includes(text)
  if (bits === undefined) return true
  return rest.length === 0 && /^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= (known === 4 ? 32 : 128)
}
const trustProxy = z
  .string()
  .transform((text) => {
    if (text === 'false') return false
    if (/^\d{1,2}$/.test(text)) return Number(text)
    return text.split(',').map((address) => address.trim())
  })
  .refine(
    (proxies) => !Array.isArray(proxies) || proxies.every(isProxy),
    'must be the addresses of your proxies, separated by commas, their number, or false',
  )
const filesFolders = z.string().transform((text, { addIssue }) => {
  const { folders, problem } = parseFolders(text)
  if (problem !== null) addIssue(problem)
  return folders
})
const secretKey = z
  .string()
  .min(32, 'must have at least 32 characters')
  .refine((key) => !isGuessable(key), 'is too easy to guess: make one with `openssl rand -base64 32`')

const Environment = z.object({
  PORT: whole(1, 65_535).default(3000),
  HOST: z.string().optional(),
  PUBLIC_URL: root.optional(),
  DATA_DIR: z.string().default('./data'),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must start with postgresql://')
    .optional(),
  SECRET_KEY: secretKey.optional(),
  // Not validated: what it sealed must still be opened.
  SECRET_KEY_OLD: z.string().optional(),
  GOOGLE_CLIENT_ID: z.string().optional(),
  GOOGLE_CLIENT_SECRET: z.string().optional(),
  GOOGLE_SERVICE_ACCOUNT_FILE: z.string().optional(),
  GOOGLE_API_ROOT: root.optional(),
  GOOGLE_ISSUER: root.optional(),
  ALLOWED_EMAILS: emails.default([]),
  ALLOWED_DOMAINS: list(
    z.string().regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/, 'must be domains, separated by commas'),
  ).default([]),
  ADMIN_EMAILS: emails.default([]),
  SCHEDULE_TIME_ZONE: z
    .string()
    .refine(isTimeZone, 'must be a time zone such as America/New_York')
    .default('America/New_York'),
  HISTORY_DAYS: whole(1, 3650).default(limits.history_days_default),
  VERSIONS_PER_TASK: whole(1, 100).default(limits.versions_per_task_default),
  VERSIONS_MB: whole(0, 1_000_000).default(limits.versions_mb_default),
  SMTP_URL: z
    .url({ protocol: /^smtps?$/, error: 'must be an smtp or smtps address' })
    .superRefine((url, { addIssue }) => {
      const parameter = weakeningParameter(url)
      if (parameter !== undefined)
        addIssue(
          `${parameter} would send the password unencrypted or to an unverified server; remove the parameter or the password`,
        )
    })
    .optional(),
  MAIL_FROM: z
    .string()
    .regex(
      /^(?:[^<>\p{Cc}]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/u,
      'must be an address, or a name with <an address>',
    )
    .optional(),
  ALERT_EMAILS: emails.default([]),
  SQLITE_FOLDER: z.string().optional(),
  FILES_FOLDERS: filesFolders.optional(),
  METRICS_TOKEN: z.string().min(16, 'must have at least 16 characters').optional(),
  TRUST_PROXY: trustProxy.default(false),
  SANDBOX_PORT: whole(1, 65_535).optional(),
  ROLES: list(z.enum(ROLES, `must be some of ${ROLES.join(', ')}, separated by commas`)).default([...ROLES]),
  WORKER_CONCURRENCY: whole(1, 100).default(10),
  LOG_LEVEL: z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`).default('info'),
})
export type Environment = z.output<typeof Environment>

/** Names of the known variables. */
export const VARIABLES = Object.keys(Environment.shape)

/**
 * Parses environment variables; a blank one counts as absent. Throws ConfigError with every invalid variable and the
 * reason.
 */
export function readEnvironment(env: Record<string, string | undefined>): Environment {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value?.trim()))
  const parsed = Environment.safeParse(given)
  if (parsed.success) return parsed.data
  throw new ConfigError(parsed.error.issues.map((issue) => describe(issue, given)).join('\n'))
}

function describe(issue: z.core.$ZodIssue, given: Record<string, string | undefined>): string {
  const name = String(issue.path[0])
  return SECRET_VARIABLES.has(name)
    ? `${name}: ${issue.message}`
    : `${name}: ${issue.message}, not ${JSON.stringify(given[name])}`
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}
