import { createReadStream } from 'node:fs'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import pino from 'pino'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { z } from 'zod'
import type { Calls } from '../src/contract/calls.ts'
import { antiForgeryToken } from '../src/server/platform/auth/anti-forgery.ts'
import { deriveKeys } from '../src/server/platform/auth/keys.ts'
import { openSession } from '../src/server/platform/auth/sessions.ts'
import { readConfig } from '../src/server/platform/config.ts'
import { NamedError } from '../src/server/platform/errors.ts'
import { createServer } from '../src/server/platform/http/create-server.ts'
import type { Feature } from '../src/server/platform/http/feature.ts'
import { mount } from '../src/server/platform/http/mount.ts'
import { type TestDatabase, testDatabase } from './database.ts'

// A feature with a call of each kind, and the server that offers it to the tests of a file.

const shelf = {
  get: {
    method: 'GET',
    path: '/api/shelf',
    summary: 'What the declaration names and nothing else',
    reply: z.object({ title: z.string(), pages: z.int() }),
  },
  shared: {
    method: 'GET',
    path: '/api/shelf/shared',
    summary: 'The same for everybody',
    shared: true,
    query: z.strictObject({ page: z.string() }),
    reply: z.object({ page: z.string(), reading: z.int() }),
  },
  broken: {
    method: 'GET',
    path: '/api/shelf/broken',
    summary: 'Answers wrongly',
    reply: z.object({ id: z.int() }),
  },
  fail: {
    method: 'GET',
    path: '/api/shelf/fail',
    summary: 'Fails as asked',
    query: z.strictObject({ how: z.enum(['named', 'late', 'thrown', 'constraint']) }),
  },
  remove: { method: 'DELETE', path: '/api/shelf', summary: 'Nothing comes back', status: 204 },
  admin: {
    method: 'GET',
    path: '/api/shelf/admin',
    summary: 'For administrators',
    access: 'admin',
    status: 204,
  },
  file: {
    method: 'GET',
    path: '/api/shelf/file',
    summary: 'A file',
    download: { content_type: 'text/csv; charset=utf-8', filename: 'shelf.csv' },
  },
  go: { method: 'GET', path: '/go', summary: 'Leads on', access: 'public', redirect: true },
  events: {
    method: 'GET',
    path: '/api/shelf/events',
    summary: 'A stream',
    events: z.object({ n: z.int() }),
  },
  upload: {
    method: 'POST',
    path: '/api/shelf/import',
    summary: 'Takes a file',
    upload: {
      field: 'file',
      max_bytes: 1000,
      options: z.strictObject({ overwrite: z.enum(['true', 'false']) }),
    },
    reply: z.object({ filename: z.string(), bytes: z.int(), content: z.string(), overwrite: z.string() }),
  },
} satisfies Calls

type Deps = { db: TestDatabase['db'] }
export let uploadedTo: string | undefined
export let streamEnded: boolean
/** How often the shared call was answered anew; who holds it decides when. */
export const readings: { count: number; hold: Promise<void> } = { count: 0, hold: Promise.resolve() }

const feature: Feature<typeof shelf, Deps> = {
  calls: shelf,
  handlers: {
    get: () => Object.assign({ title: 'Ulysses', pages: 730 }, { secret: 'nobody may see this' }),
    shared: async ({ query }) => {
      readings.count += 1
      const reading = readings.count
      await readings.hold
      if (query.page === 'none') throw new NamedError('not_found')
      return Object.assign({ page: query.page, reading }, { secret: 'nobody may see this' })
    },
    broken: () => JSON.parse('{"id":"not a number"}'),
    fail: async ({ query }, { db }) => {
      if (query.how === 'named') throw new NamedError('name_taken', { field: 'name' })
      if (query.how === 'late') throw new NamedError('google_unavailable', { retry_after_seconds: 1.2 })
      if (query.how === 'thrown') throw new Error('the password is swordfish')
      await sql`insert into task_types (category, name, chunk_size) values ('sync', 'A', 1), ('sync', 'A', 1)`.execute(
        db,
      )
    },
    remove: () => {},
    admin: () => {},
    file: () => 'a,b\n1,2\n',
    go: () => ({ location: '/somewhere' }),
    events: async function* ({ signal }) {
      try {
        for (let n = 1; !signal.aborted; n++) {
          yield { n }
          await pause(5, undefined, { signal }).catch(() => undefined)
        }
      } finally {
        streamEnded = true
      }
    },
    upload: async ({ upload }) => {
      uploadedTo = upload.path
      const content = await text(createReadStream(upload.path))
      const { overwrite = '' } = z.object({ overwrite: z.string().optional() }).parse(upload.options)
      return { filename: upload.filename, bytes: upload.bytes, content, overwrite }
    },
  },
  constraints: { task_types_category_name_key: { error: 'type_name_taken', field: 'name' } },
}

export let database: TestDatabase
export let app: FastifyInstance
export let headers: { cookie: string; 'x-xsrf-token': string }
export const lines: string[] = []

const keys = deriveKeys('a key of the tests, long enough for the rule')
const config = readConfig({
  SECRET_KEY: 'a key of the tests, long enough for the rule',
  ADMIN_EMAILS: 'boss@example.com',
})

export async function serverOn(db: TestDatabase['db']): Promise<FastifyInstance> {
  const log = pino({ level: 'debug' }, { write: (line: string) => lines.push(line) })
  const server = await createServer({ config, db, keys, log })
  mount(server, feature, { db })
  return server
}

/** Serves the shelf to the tests of the calling file. */
export function serveShelf(): void {
  beforeAll(async () => {
    lines.length = 0
    database = await testDatabase()
    app = await serverOn(database.db)
    const { id } = await database.db
      .insertInto('users')
      .values({ issuer: 'i', subject: 's', email: 'ada@example.com', name: 'Ada' })
      .returning('id')
      .executeTakeFirstOrThrow()
    const session = await openSession(database.db, id)
    headers = { cookie: `rowferry_session=${session}`, 'x-xsrf-token': antiForgeryToken(keys, session) }
  })
  beforeEach(() => {
    uploadedTo = undefined
    streamEnded = false
    Object.assign(readings, { count: 0, hold: Promise.resolve() })
  })
  afterAll(() => app.close())
}

export const get = (url: string) => app.inject({ url, headers })
