import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify'
import pino from 'pino'
import { buildSandbox } from '../sandbox/app.ts'
import { type AppDeps, buildApp } from '../src/server/app.ts'
import { followAll } from '../src/server/live.ts'
import { deriveKeys, type Keys } from '../src/server/platform/auth/keys.ts'
import { type Config, readConfig } from '../src/server/platform/config.ts'
import { startCsvWorker } from '../src/server/platform/csv/worker.ts'
import { createPool } from '../src/server/platform/db.ts'
import type { RateLimits } from '../src/server/platform/http/rate-limits.ts'
import { createServices, type Services } from '../src/server/services.ts'
import { cleanUpAfterEachFile } from './clean-up.ts'
import { type TestDatabase, testDatabase } from './database.ts'

type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** A person who is signed in, as their browser would send requests. */
export type SignedIn = {
  email: string
  /** All cookies as one header. */
  cookie: string
  /** Cookie and anti-forgery header. */
  headers: { cookie: string; 'x-xsrf-token': string }
  /** Sends JSON, or nothing without a body. */
  request: (method: Method, url: string, body?: object) => Promise<LightMyRequestResponse>
}

export type TestApp = {
  app: FastifyInstance
  db: TestDatabase['db']
  database: TestDatabase
  config: Config
  keys: Keys
  /** Root URL of the local Google, and the local Google itself. */
  sandbox: { root: string; app: FastifyInstance }
  /** Signs in through the local Google, as a browser would. */
  signIn: (email?: string) => Promise<SignedIn>
  /** Everything that was logged so far. */
  logs: () => string
}

type Options = {
  /** Environment variables beside those that every test has; they may need the root of the local Google. */
  env?: Record<string, string> | ((root: string) => Promise<Record<string, string>>)
  rateLimits?: RateLimits
  /** Another app's, instead of one of its own. */
  database?: TestDatabase
} & Partial<Services & Pick<AppDeps, 'now' | 'supervised' | 'csvWaitMs'>>

const closers: (() => Promise<unknown>)[] = []

/** The whole application on a database and a local Google of its own; all of it ends with the test file. */
export async function testApp({ env = {}, rateLimits = many, ...given }: Options = {}): Promise<TestApp> {
  const { database = await testDatabase(), ...overrides } = given
  const { db, url } = database
  const google = await buildSandbox({ dataDir: null })
  const root = await google.listen({ host: '127.0.0.1', port: 0 })
  const folder = await mkdtemp(join(tmpdir(), 'rowferry-app-'))
  await writeFile(join(folder, 'index.html'), '<!doctype html><title>Rowferry</title>')

  const config = readConfig({
    DATA_DIR: folder,
    DATABASE_URL: url,
    GOOGLE_API_ROOT: root,
    SECRET_KEY: 'a key of the tests, long enough for the rule',
    ...(typeof env === 'function' ? await env(root) : env),
  })
  const keys = deriveKeys(config.secretKey, config.secretKeyOld)
  const lines: string[] = []
  const log = pino({ level: 'debug' }, { write: (line: string) => lines.push(line) })
  const zone = config.scheduleTimeZone
  const onError = (error: unknown) => log.error({ err: error })
  const pool = createPool({ url })
  const services = createServices({ config, db, pool, keys, log })
  const { quota } = services
  const { live, close: closeLive } = followAll({ db, databaseUrl: url, zone, quota, onError })
  const deps: AppDeps = {
    config,
    db,
    keys,
    log,
    version: '0.0.0-test',
    now: () => new Date(),
    zone,
    live,
    csvWaitMs: 60_000,
    supervised: () => [],
    ...services,
    ...overrides,
  }
  const csvWorker = startCsvWorker({ db, databaseUrl: url, definitions: deps.csvDefinitions, log })
  const app = await buildApp(deps, { webRoot: folder, checks: {}, rateLimits })
  closers.push(async () => {
    await app.close()
    await csvWorker.stop()
    await closeLive()
    await pool.end()
    await google.close()
    await rm(folder, { recursive: true })
  })
  return {
    app,
    db,
    database,
    config,
    keys,
    sandbox: { root, app: google },
    signIn: (email = 'ada@example.com') => signIn(app, email),
    logs: () => lines.join(''),
  }
}

const many: RateLimits = {
  strict_per_minute: 100_000,
  general_per_10_seconds: 1_000_000,
  token_per_minute: 1_000_000,
}

// Newest first: what was started later may lean on what was started before.
cleanUpAfterEachFile(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

async function signIn(app: FastifyInstance, email: string): Promise<SignedIn> {
  let callback = await app.inject({ url: '/auth/login', query: { login_hint: email } })
  // The provider is asked a second time when it gave lasting access before but Rowferry has lost it.
  for (let round = 0; round < 2 && callback.headers.location?.startsWith('http'); round++) {
    callback = await answer(app, callback)
  }
  const cookies = cookiesOf(callback)
  const token = cookies['XSRF-TOKEN']
  if (!token) throw new Error(`${email} was not signed in but sent to ${callback.headers.location}`)
  const cookie = Object.entries(cookies)
    .map(([name, value]) => `${name}=${value}`)
    .join('; ')
  const headers = { cookie, 'x-xsrf-token': token }
  return {
    email,
    cookie,
    headers,
    request: (method, url, body) => {
      const options: InjectOptions = { method, url, headers }
      return app.inject(body === undefined ? options : { ...options, payload: body })
    },
  }
}

/** Goes where a reply of /auth/login leads and brings the provider's answer back, as the same browser. */
export async function answer(
  app: FastifyInstance,
  login: LightMyRequestResponse,
): Promise<LightMyRequestResponse> {
  const answered = await fetch(login.headers.location ?? '', { redirect: 'manual' })
  const { pathname, search } = new URL(answered.headers.get('location') ?? '')
  return app.inject({ url: pathname + search, cookies: cookiesOf(login) })
}

/** The cookies that a reply sets, by name; those it clears are left out. */
export function cookiesOf(response: LightMyRequestResponse): Record<string, string> {
  const set = response.cookies.filter(({ value }) => value !== '')
  return Object.fromEntries(set.map(({ name, value }) => [name, value]))
}
