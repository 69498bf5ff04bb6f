import { createReadStream, existsSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import pino from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type TestDatabase, testDatabase } from '../../../../test/database.ts'
import type { Calls } from '../../../contract/calls.ts'
import { antiForgeryToken } from '../auth/anti-forgery.ts'
import { deriveKeys } from '../auth/keys.ts'
import { openSession } from '../auth/sessions.ts'
import { readConfig } from '../config.ts'
import { createDb } from '../db.ts'
import { NamedError } from '../errors.ts'
import { createServer } from './create-server.ts'
import type { Feature } from './feature.ts'
import { mount } from './mount.ts'

const shelf = {
  get: {
    method: 'GET',
    path: '/api/shelf',
    summary: 'What the declaration names and nothing else',
    reply: z.object({ title: z.string(), pages: z.int() }),
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
let uploadedTo: string | undefined
let streamEnded: boolean

const feature: Feature<typeof shelf, Deps> = {
  calls: shelf,
  handlers: {
    get: () => Object.assign({ title: 'Ulysses', pages: 730 }, { secret: 'nobody may see this' }),
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

let database: TestDatabase
let app: FastifyInstance
let headers: { cookie: string; 'x-xsrf-token': string }
const lines: string[] = []

const keys = deriveKeys('a key of the tests, long enough for the rule')
const config = readConfig({
  SECRET_KEY: 'a key of the tests, long enough for the rule',
  ADMIN_EMAILS: 'boss@example.com',
})

async function serverOn(db: TestDatabase['db']): Promise<FastifyInstance> {
  const log = pino({ level: 'debug' }, { write: (line: string) => lines.push(line) })
  const server = await createServer({ config, db, keys, log })
  mount(server, feature, { db })
  return server
}

beforeAll(async () => {
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
})
afterAll(() => app.close())

const get = (url: string) => app.inject({ url, headers })

describe('a call answers what it declares', () => {
  test('fields of a reply that it does not name are left out', async () => {
    expect((await get('/api/shelf')).json()).toEqual({ title: 'Ulysses', pages: 730 })
  })

  test('a reply that does not fit is a failure of ours and says nothing', async () => {
    const response = await get('/api/shelf/broken')
    expect(response.statusCode).toBe(500)
    expect(response.json().message).toBe('An unexpected error occurred')
    expect(response.body).not.toContain('not a number')
  })

  test('nothing is 204', async () => {
    const response = await app.inject({ method: 'DELETE', url: '/api/shelf', headers })
    expect([response.statusCode, response.body]).toEqual([204, ''])
  })

  test('a file comes with its type and name', async () => {
    const response = await get('/api/shelf/file')
    expect(response.body).toBe('a,b\n1,2\n')
    expect(response.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="shelf.csv"',
    })
  })

  test('a redirect leads on', async () => {
    const response = await app.inject('/go')
    expect([response.statusCode, response.headers.location]).toEqual([302, '/somewhere'])
  })

  test('HEAD answers like GET without a body', async () => {
    const response = await app.inject({ method: 'HEAD', url: '/api/shelf', headers })
    expect([response.statusCode, response.body]).toEqual([200, ''])
  })

  test('what is for administrators is 403 for others', async () => {
    const response = await get('/api/shelf/admin')
    expect(response.statusCode).toBe(403)
    expect(response.json().message).toBe('This is for administrators only.')
  })
})

describe('a failure', () => {
  test('of the catalogue has its status, text and field', async () => {
    const response = await get('/api/shelf/fail?how=named')
    expect(response.statusCode).toBe(409)
    expect(response.json()).toMatchObject({
      message: 'A task with this name already exists for this task type. Please use a different name.',
      field: 'name',
    })
  })

  test('that passes says in whole seconds when to come back', async () => {
    const response = await get('/api/shelf/fail?how=late')
    expect([response.statusCode, response.headers['retry-after']]).toEqual([503, '2'])
  })

  test('of a database constraint is what the feature says it means', async () => {
    const response = await get('/api/shelf/fail?how=constraint')
    expect(response.statusCode).toBe(409)
    expect(response.json()).toMatchObject({
      message: 'A task type with this name already exists. Please use a different name.',
      field: 'name',
    })
  })

  test('that nobody foresaw is 500 without its text, which the log has under the same request id', async () => {
    const response = await get('/api/shelf/fail?how=thrown')
    expect(response.statusCode).toBe(500)
    expect(response.body).not.toContain('swordfish')
    const logged = lines.find((line) => line.includes('swordfish'))
    expect(logged).toContain(response.json().request_id)
  })

  test('to reach the database is 503 with Retry-After', async () => {
    const away = createDb({ url: 'postgresql://nobody:x@127.0.0.1:1/none' })
    const server = await serverOn(away)
    const response = await server.inject({ url: '/api/shelf', headers })
    expect([response.statusCode, response.headers['retry-after']]).toEqual([503, '5'])
    expect(response.json().message).toBe('The database is not reachable at the moment. Please try again.')
    await server.close()
    await away.destroy()
  })
})

describe('an upload', () => {
  const form = (parts: [name: string, content: string | Blob, filename?: string][]) => {
    const data = new FormData()
    for (const [name, content, filename] of parts) {
      if (typeof content === 'string') data.append(name, content)
      else data.append(name, content, filename)
    }
    return data
  }
  const file = (content: string) => new Blob([content], { type: 'text/csv' })
  const send = async (data: FormData | string, more: Record<string, string> = {}) => {
    const encoded = new Response(data)
    const type = encoded.headers.get('content-type') ?? ''
    return app.inject({
      method: 'POST',
      url: '/api/shelf/import',
      headers: { ...headers, 'content-type': type, ...more },
      payload: Buffer.from(await encoded.arrayBuffer()),
    })
  }

  test('arrives whole, with its options, wherever they stand in the form, and leaves nothing behind', async () => {
    const response = await send(
      form([
        ['file', file('a,b\n1,2'), '../../x.csv'],
        ['overwrite', 'true'],
      ]),
    )
    expect(response.json()).toEqual({ filename: 'x.csv', bytes: 7, content: 'a,b\n1,2', overwrite: 'true' })
    await expect.poll(() => uploadedTo && existsSync(uploadedTo)).toBe(false)
  })

  const refused: [what: string, data: FormData | string, status: number, message: string, type?: string][] = [
    [
      'over the limit',
      form([
        ['overwrite', 'true'],
        ['file', file('x'.repeat(1001)), 'x.csv'],
      ]),
      413,
      'The file is too large.',
    ],
    [
      'far over the limit',
      form([['file', file('x'.repeat(3_000_000)), 'x.csv']]),
      413,
      'The file is too large.',
    ],
    ['without a file', form([['overwrite', 'true']]), 400, 'Choose a file to upload.'],
    [
      'of two files',
      form([
        ['file', file('1'), '1'],
        ['file', file('2'), '2'],
      ]),
      400,
      'Upload one file at a time.',
    ],
    [
      'of three files',
      form([
        ['file', file('1'), '1'],
        ['file', file('2'), '2'],
        ['file', file('3'), '3'],
      ]),
      400,
      'Upload one file at a time.',
    ],
    [
      'under another name',
      form([
        ['data', file('1'), '1'],
        ['overwrite', 'true'],
      ]),
      400,
      'Unknown field: data',
    ],
    [
      'with an unknown option',
      form([
        ['file', file('1'), '1'],
        ['overwrite', 'true'],
        ['x', '1'],
      ]),
      400,
      'Unknown field: x',
    ],
    [
      'with an option twice',
      form([
        ['file', file('1'), '1'],
        ['overwrite', 'true'],
        ['overwrite', 'true'],
      ]),
      400,
      'overwrite must be one of',
    ],
    ['without its option', form([['file', file('1'), '1']]), 400, 'overwrite is required'],
    [
      'with NUL in an option',
      form([
        ['file', file('1'), '1'],
        ['overwrite', 'tr\0ue'],
      ]),
      400,
      'NUL',
    ],
    ['that is JSON', '{}', 415, 'The request must be a form with a file.', 'application/json'],
    ['without a boundary', 'x', 400, 'The upload ended early or is not valid.', 'multipart/form-data'],
    [
      'that is cut',
      '--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\nabc',
      400,
      'The upload ended early or is not valid.',
      'multipart/form-data; boundary=x',
    ],
  ]
  test.each(refused)('%s is refused', async (_what, data, status, message, type) => {
    const response = await send(data, type ? { 'content-type': type } : {})
    expect(response.json().message).toContain(message)
    expect(response.statusCode).toBe(status)
    expect(uploadedTo).toBeUndefined()
  })
})

describe('a stream of events', () => {
  test('carries each as JSON, and stops its source when the reader leaves', async () => {
    const root = await app.listen({ host: '127.0.0.1', port: 0 })
    const reader = new AbortController()
    const response = await fetch(`${root}/api/shelf/events`, { headers, signal: reader.signal })
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(response.headers.get('content-encoding')).toBeNull()
    let received = ''
    for await (const chunk of response.body ?? []) {
      received += Buffer.from(chunk).toString()
      if (received.includes('{"n":3}')) break
    }
    expect(received).toMatch(/^retry: 2000\n: open\n\ndata: \{"n":1\}\n\ndata: \{"n":2\}\n\n/)
    reader.abort()
    await expect.poll(() => streamEnded).toBe(true)
  })

  test('ends when the server closes', async () => {
    const server = await serverOn(database.db)
    const root = await server.listen({ host: '127.0.0.1', port: 0 })
    const response = await fetch(`${root}/api/shelf/events`, { headers })
    const everything = response.text()
    await server.close()
    expect(await everything).toContain('data: {"n":1}')
    expect(streamEnded).toBe(true)
  })
})
