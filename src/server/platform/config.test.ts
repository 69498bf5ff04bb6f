import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { testFolder } from '../../../test/fixtures/folders.ts'
import { readConfig } from './config.ts'
import { ConfigError, VARIABLES } from './environment.ts'

let dataDir: string

beforeAll(async () => {
  dataDir = await testFolder()
})

const read = (variables: Record<string, string> = {}) => readConfig({ DATA_DIR: dataDir, ...variables })

const GOOGLE = {
  GOOGLE_CLIENT_ID: 'id',
  GOOGLE_CLIENT_SECRET: 'secret',
  SECRET_KEY: 'O3vZbX0wqUq1nR8pYt5LsEe7GmJ2kHcA',
  ADMIN_EMAILS: 'ada@northwind.example',
  ALLOWED_DOMAINS: 'Northwind.example',
}

describe('sandbox mode', () => {
  it('needs nothing to be set and listens on loopback', () => {
    expect(read()).toMatchObject({
      mode: 'sandbox',
      host: '127.0.0.1',
      port: 3000,
      publicUrl: 'http://localhost:3000',
      sandboxPort: 3001,
      google: { apiRoot: 'http://127.0.0.1:3001', issuer: 'http://127.0.0.1:3001' },
      adminEmails: 'everyone',
      roles: ['api', 'worker', 'scheduler'],
      scheduleTimeZone: 'America/New_York',
      historyDays: 90,
    })
  })

  it('generates a secret readable by its owner only, and keeps it', async () => {
    const { secretKey } = read()
    expect(secretKey).toHaveLength(43)
    expect(read().secretKey).toBe(secretKey)
    expect((await stat(join(dataDir, 'secret-key'))).mode & 0o777).toBe(0o600)
  })

  it('reads the secret without writing, as on a full disk', async () => {
    const { secretKey } = read()
    const { mtimeMs } = await stat(dataDir)
    expect(read().secretKey).toBe(secretKey)
    expect((await stat(dataDir)).mtimeMs).toBe(mtimeMs)
  })

  it('reports an emptied secret instead of generating another one', async () => {
    const folder = await testFolder()
    await writeFile(join(folder, 'secret-key'), '')
    expect(() => readConfig({ DATA_DIR: folder })).toThrow(`${join(folder, 'secret-key')} is empty`)
  })

  it('names a DATA_DIR that cannot be written', () => {
    expect(() => readConfig({ DATA_DIR: '/dev/null/data' })).toThrow(
      new ConfigError(
        "DATA_DIR: the secret key cannot be kept in /dev/null/data: ENOTDIR: not a directory, mkdir '/dev/null/data'",
      ),
    )
  })

  it('listens elsewhere when HOST says so', () => {
    expect(read({ HOST: '0.0.0.0' }).host).toBe('0.0.0.0')
  })

  it('starts no sandbox if it is configured with another root', () => {
    expect(read({ GOOGLE_API_ROOT: 'http://127.0.0.1:4999/' })).toMatchObject({
      sandboxPort: undefined,
      google: { apiRoot: 'http://127.0.0.1:4999', issuer: 'http://127.0.0.1:4999' },
    })
  })
})

describe('with Google credentials', () => {
  it("uses Google's own roots and listens everywhere", () => {
    expect(read(GOOGLE)).toMatchObject({
      mode: 'google',
      host: '0.0.0.0',
      sandboxPort: undefined,
      allowedDomains: ['northwind.example'],
      google: { apiRoot: undefined, issuer: 'https://accounts.google.com' },
    })
  })

  it('refuses to start when every Google account could sign in', () => {
    expect(() => read({ ...GOOGLE, ALLOWED_DOMAINS: '' })).toThrow(
      'ALLOWED_EMAILS, ALLOWED_DOMAINS: set at least one',
    )
    expect(read({ ...GOOGLE, ALLOWED_DOMAINS: '', ALLOWED_EMAILS: 'Ada@example.com' }).allowedEmails).toEqual(
      ['ada@example.com'],
    )
  })

  it('requires an administrator', () => {
    expect(() => read({ ...GOOGLE, ADMIN_EMAILS: '' })).toThrow('ADMIN_EMAILS: name at least one person')
  })

  it('requires SECRET_KEY and both halves of the credentials', () => {
    expect(() => read({ ...GOOGLE, SECRET_KEY: '' })).toThrow('SECRET_KEY: must be set')
    expect(() => read({ ...GOOGLE, GOOGLE_CLIENT_SECRET: '' })).toThrow('GOOGLE_CLIENT_SECRET: must be set')
    expect(() => read({ ...GOOGLE, GOOGLE_CLIENT_ID: ' ' })).toThrow('GOOGLE_CLIENT_ID: must be set')
  })
})

it.each([
  ['PORT', 'abc', 'PORT: must be a whole number from 1 to 65535, not "abc"'],
  ['PORT', '70000', 'PORT: must be a whole number from 1 to 65535, not "70000"'],
  ['PUBLIC_URL', 'rowferry.example', 'PUBLIC_URL: must be an http or https address, not "rowferry.example"'],
  [
    'SCHEDULE_TIME_ZONE',
    'Mars',
    'SCHEDULE_TIME_ZONE: must be a time zone such as America/New_York, not "Mars"',
  ],
  ['ALLOWED_EMAILS', 'ada', 'ALLOWED_EMAILS: must be e-mail addresses, separated by commas, not "ada"'],
  ['ALLOWED_DOMAINS', '@x', 'ALLOWED_DOMAINS: must be domains, separated by commas, not "@x"'],
  ['ROLES', 'api,cook', 'ROLES: must be some of api, worker, scheduler, separated by commas, not "api,cook"'],
  ['HISTORY_DAYS', '0', 'HISTORY_DAYS: must be a whole number from 1 to 3650, not "0"'],
  ['WORKER_CONCURRENCY', '0', 'WORKER_CONCURRENCY: must be a whole number from 1 to 100, not "0"'],
  [
    'LOG_LEVEL',
    'loud',
    'LOG_LEVEL: must be one of fatal, error, warn, info, debug, trace, silent, not "loud"',
  ],
  ['SANDBOX_PORT', '3000', 'SANDBOX_PORT: must differ from PORT'],
])('names a variable it cannot use and its value: %s=%s', (name, value, message) => {
  expect(() => read({ [name]: value })).toThrow(new ConfigError(message))
})

it.each([
  ['DATABASE_URL', 'mysql://u:hunter2@db/x'],
  ['SECRET_KEY', 'hunter2'],
  ['METRICS_TOKEN', 'hunter2'],
])('never shows the value of a secret: %s', (name, value) => {
  expect(() => read({ [name]: value })).toThrow(name)
  expect(() => read({ [name]: value })).not.toThrow('hunter2')
})

it('names all invalid variables at once', () => {
  expect(() => read({ PORT: 'x', LOG_LEVEL: 'y' })).toThrow(/^PORT: .*\nLOG_LEVEL: /)
})

it.each([
  ['false', false],
  ['2', 2],
  ['10.0.0.1, 10.0.0.0/8,loopback', ['10.0.0.1', '10.0.0.0/8', 'loopback']],
  ['::1, fd00::/8', ['::1', 'fd00::/8']],
])('understands TRUST_PROXY=%s', (value, trustProxy) => {
  expect(read({ TRUST_PROXY: value })).toMatchObject({ trustProxy })
})

it.each([
  'true',
  'yes',
  '0.0.0.0/0',
  '::/0',
  '10.0.0.0/33',
  '10.0.0.1, true',
  'proxy.example',
  '10.0.0.0/8/8',
])('refuses TRUST_PROXY=%s, which would accept forged addresses or is invalid', (value) => {
  expect(() => read({ TRUST_PROXY: value })).toThrow('TRUST_PROXY: must be the addresses of your proxies')
})

it('refuses a guessable SECRET_KEY, and accepts any old key for opening', () => {
  expect(() => read({ SECRET_KEY: 'changeme'.repeat(8) })).toThrow('SECRET_KEY: is too easy to guess')
  expect(read({ SECRET_KEY_OLD: 'changeme' }).secretKeyOld).toBe('changeme')
})

it('reads the roles of a process', () => {
  expect(read({ ROLES: 'worker, scheduler' }).roles).toEqual(['worker', 'scheduler'])
})

it('describes every variable in .env.example and no others', async () => {
  const example = await readFile('.env.example', 'utf8')
  const described = [...example.matchAll(/^#? ?([A-Z_]+)=/gm)].map(([, name]) => name)
  expect(described.toSorted()).toEqual(VARIABLES.toSorted())
})

describe('mails', () => {
  const SMTP_URL = 'smtp://rowferry:pass-word@mail.example:587'

  it('are sent once a server and a sender address are set', () => {
    expect(read().mail).toBeUndefined()
    const mail = read({
      SMTP_URL,
      MAIL_FROM: 'Rowferry <r@mail.example>',
      ALERT_EMAILS: 'Ops@mail.example',
    }).mail
    expect(mail).toEqual({
      smtpUrl: SMTP_URL,
      from: 'Rowferry <r@mail.example>',
      alerts: ['ops@mail.example'],
    })
  })

  it.each([
    [{ SMTP_URL }, /^MAIL_FROM: must be set with SMTP_URL$/],
    [{ ALERT_EMAILS: 'ops@mail.example' }, /^ALERT_EMAILS: has no use without SMTP_URL$/],
    [{ SMTP_URL: 'https://pass-word@mail.example' }, /^SMTP_URL: must be an smtp or smtps address$/],
    [{ SMTP_URL, MAIL_FROM: 'Rowferry' }, /^MAIL_FROM: must be an address/],
  ])('are refused with incomplete settings, without showing the password: %j', (variables, message) => {
    expect(() => read(variables)).toThrow(message)
  })

  it.each(
    ['ignoreTLS=true', 'ignoreTLS=yes', 'requireTLS=false', 'opportunisticTLS=1', 'secured=true'].concat(
      'tls.rejectUnauthorized=false',
    ),
  )('are not sent with a password over an unencrypted connection: %s', (parameter) => {
    const name = parameter.split('=')[0]
    const at = (host: string) => ({
      SMTP_URL: `smtp://r:pass-word@${host}/?${parameter}`,
      MAIL_FROM: 'r@mail.example',
    })
    expect(() => read(at('mail.example'))).toThrow(
      `SMTP_URL: ${name} would send the password unencrypted or to an unverified server; remove the parameter or the password`,
    )
    for (const host of ['localhost', '127.0.0.2:25', '[::1]:25']) expect(read(at(host)).mail).toBeDefined()
    expect(read({ ...at('mail.example'), SMTP_URL: `smtp://mail.example/?${parameter}` }).mail).toBeDefined()
  })
})
