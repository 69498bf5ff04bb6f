import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { type SignedIn, type TestApp, testApp } from '../../../../test/fixtures/app.ts'
import { form, formType } from '../../../../test/fixtures/form.ts'

let site: TestApp
let ada: SignedIn
beforeAll(async () => {
  site = await testApp()
  ada = await site.signIn()
})

const TYPES = '/api/sync_task_types'

/** Sends the text unchanged, by default as JSON. */
function send(payload: string | Buffer, headers: Record<string, string> = {}, url = TYPES) {
  const sent = { 'content-type': 'application/json', ...ada.headers, ...headers }
  return site.app.inject({ method: 'POST', url, headers: sent, payload })
}

describe('a body is refused with 400 and the name of the field', () => {
  const cases: [what: string, json: string, field: string, message: string][] = [
    ['an unknown field', '{"name":"A","colour":1}', 'colour', 'Unknown field: colour'],
    ['the key __proto__', '{"name":"A","__proto__":{"x":1}}', '__proto__', 'Unknown field: __proto__'],
    ['the key constructor', '{"constructor":{"prototype":{}}}', 'constructor', 'Unknown field: constructor'],
    ['text for a number', '{"name":"A","max_retries":"12"}', 'max_retries', 'max_retries must be a number'],
    ['null', '{"name":"A","max_retries":null}', 'max_retries', 'max_retries must be a number'],
    ['a fraction', '{"name":"A","max_retries":1.5}', 'max_retries', 'max_retries must be a whole number'],
    [
      'a number beyond all',
      '{"name":"A","max_retries":1e400}',
      'max_retries',
      'max_retries must be a number',
    ],
    ['0 below 1', '{"name":"A","chunk_size":0}', 'chunk_size', 'chunk_size must be at least 1'],
    ['-1', '{"name":"A","chunk_size":-1}', 'chunk_size', 'chunk_size must be at least 1'],
    ['2147483648', '{"name":"A","depends_on_id":2147483648}', 'depends_on_id', 'at most 2147483647'],
    ['a missing field', '{"chunk_size":1}', 'name', 'Name is required'],
    ['NUL', '{"name":"A\\u0000"}', 'name', 'name must not contain the character NUL'],
    ['a lone surrogate', '{"name":"A\\ud800"}', 'name', 'name must be valid Unicode'],
    ['a blank name', '{"name":"  "}', 'name', 'Name is required'],
    ['a list for the object', '[]', '', 'The request must be an object'],
  ]
  test.each(cases)('%s', async (_what, json, field, message) => {
    const response = await send(json)
    expect(response.statusCode, response.body).toBe(400)
    const body = response.json()
    expect(body.field).toBe(field)
    expect(body.message).toContain(message)
    expect(body.errors[0]).toEqual({ field, message: body.message })
    expect(body.request_id).toBe(response.headers['x-request-id'])
  })

  test('text for a boolean', async () => {
    const response = await send('{"is_active":"false"}', {}, '/api/sync_tasks/1/toggle_active')
    expect(response.json()).toMatchObject({ message: 'is_active must be true or false', field: 'is_active' })
  })

  test('every invalid field is listed, and the message is that of the first', async () => {
    const { errors, message } = (await send('{"name":"","chunk_size":0,"x":1,"y":2}')).json()
    expect(errors.map((error: { field: string }) => error.field)).toEqual(['name', 'chunk_size', 'x', 'y'])
    expect(message).toBe('Name is required')
  })
})

describe('an error is short, however long the refused value', () => {
  const LONGEST = 20_000
  const key = (n: number) => `key-${n}-`.padEnd(40, 'x')
  const cases: [what: string, body: object | unknown[], named: number][] = [
    ['20,000 unknown fields', Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [key(n), n])), 50],
    ['an unknown field with a name of 900 kB', { name: 'A', ['x'.repeat(900_000)]: 1 }, 1],
    ['a name of 900 kB that reaches a prototype', { ['x'.repeat(900_000)]: { constructor: 1 } }, 1],
    ['a name of 900 kB with a NUL in it', { ['x'.repeat(900_000)]: '\0' }, 1],
  ]
  test.each(cases)('%s', async (_what, body, named) => {
    const response = await send(JSON.stringify(body))
    expect(response.statusCode).toBe(400)
    expect(response.body.length).toBeLessThan(LONGEST)
    const { field, message, errors } = response.json()
    expect(errors).toHaveLength(named)
    expect(field.length).toBeLessThanOrEqual(101)
    expect(message.length).toBeLessThan(200)
  })

  test('a list of 100,000 invalid entries', async () => {
    const accounts = Array.from({ length: 100_000 }, () => 'ada')
    const body = JSON.stringify({ relevant_user_accounts: accounts })
    const response = await send(body, {}, '/api/sync_tasks')
    expect(response.statusCode).toBe(400)
    expect(response.json().errors.length).toBeLessThanOrEqual(50)
    expect(response.body.length).toBeLessThan(LONGEST)
  })

  test('an unknown column in an address', async () => {
    const response = await ada.request('GET', `/api/sync_tasks?${'y'.repeat(10_000)}=1`)
    expect(response.json().field).toBe(`${'y'.repeat(100)}…`)
    expect(response.body.length).toBeLessThan(1_000)
  })
})

describe('a log line of a request', () => {
  test('is short and written at once for any path', async () => {
    const path = `/${'eyJ-'.repeat(3_900)}`
    await site.app.inject({ url: path })
    const line = site
      .logs()
      .split('\n')
      .find((one) => one.includes('"path":"/eyJ-'))
    expect(JSON.parse(line ?? '{}').path).toBe(`${path.slice(0, 500)}…`)
  })
})

describe('invalid JSON is refused with a clear message', () => {
  const deep = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
  const cases: [what: string, body: string | Buffer, status: number, message: string][] = [
    ['cut JSON', '{"name":"A"', 400, 'The request body is not valid JSON.'],
    ['an empty body', '', 400, 'The request needs a JSON body.'],
    ['blanks only', ' \n', 400, 'The request needs a JSON body.'],
    ['bytes that are no UTF-8', Buffer.from([0x22, 0xff, 0x22]), 400, 'The request body is not valid JSON.'],
    ['a 200,000-deep list', deep(200_000), 400, 'The request body is nested too deeply.'],
    ['2 MB', JSON.stringify({ name: 'x'.repeat(2_000_000) }), 413, 'The request is too large.'],
  ]
  test.each(cases)('%s', async (_what, body, status, message) => {
    const response = await send(body)
    expect(response.statusCode).toBe(status)
    expect(response.json()).toMatchObject({ error: message, message })
  })

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
    'content type %s is 415',
    async (type) => {
      expect((await send('{"name":"A"}', { 'content-type': type })).statusCode).toBe(415)
    },
  )

  test('a compressed body is 415', async () => {
    const response = await send(gzipSync('{"name":"A"}'), { 'content-encoding': 'gzip' })
    expect(response.statusCode).toBe(415)
  })

  test('a call without a body accepts only an empty object', async () => {
    const empty = await send('{}', {}, '/api/sync_tasks/999/execute')
    expect(empty.statusCode).toBe(404)
    const full = await send('{"force":true}', {}, '/api/sync_tasks/999/execute')
    expect(full.json()).toMatchObject({ field: 'force', message: 'Unknown field: force' })
  })
})

describe('an address', () => {
  test.each(['9223372036854775808', '2147483648', '1e3', '0', '-1', '1.0', '+1', ' 1', '1%00', 'abc'])(
    'with the id %s is 404',
    async (id) => {
      const response = await ada.request('GET', `/api/sync_tasks/${encodeURI(id)}`)
      expect(response.statusCode).toBe(404)
      expect(response.json().message).toBe('There is nothing at this address.')
    },
  )

  test('with a bare % is 400 with the usual body', async () => {
    const response = await ada.request('GET', '/api/sync_tasks/%')
    expect(response.statusCode).toBe(400)
    expect(response.json().message).toBe('The address is not valid.')
  })

  test('with a wrong method is 405 with the allowed ones', async () => {
    const response = await ada.request('PATCH', '/api/sync_tasks/1')
    expect(response.statusCode).toBe(405)
    expect(response.headers.allow).toBe('GET, HEAD, PUT, DELETE')
  })

  const queries: [query: string, field: string, message: string][] = [
    ['limit=-1', 'limit', 'whole number'],
    ['limit=999999', 'limit', 'at most 400'],
    ['limit=1e2', 'limit', 'whole number'],
    ['limit=', 'limit', 'whole number'],
    ['limit=1&limit=2', 'limit', 'must be text'],
    ['colour=red', 'colour', 'Unknown field: colour'],
    ['__proto__=1', '__proto__', 'Unknown field: __proto__'],
    ['page=%00', 'page', 'whole number'],
  ]
  test.each(queries)('with the query %s is 400', async (query, field, message) => {
    const response = await ada.request('GET', `/api/sync_tasks?${query}`)
    expect(response.statusCode).toBe(400)
    expect(response.json().field).toBe(field)
    expect(response.json().message).toContain(message)
  })

  test('without a route or page is 404 in the usual body', async () => {
    for (const url of ['/api/nothing', '/auth/nothing', '/dev/logs/x', '/csv_jobs/x', '/assets/x.js']) {
      const response = await ada.request('GET', url)
      expect(response.statusCode, url).toBe(404)
      expect(response.json()).toEqual({
        code: 'not_found',
        error: 'There is nothing at this address.',
        message: 'There is nothing at this address.',
        request_id: response.headers['x-request-id'],
      })
    }
  })
})

describe('an upload that is refused', () => {
  const upload = (payload: Buffer, type = formType) =>
    site.app.inject({
      method: 'POST',
      url: '/api/sync_tasks/import',
      headers: { ...ada.headers, 'content-type': type },
      payload,
    })

  test.each(['a\0b.csv', '\0'])('for NUL in its file name (%j) is 400 that names it', async (filename) => {
    const reply = await upload(form({ content: 'name\nA\n', filename }))
    expect([reply.statusCode, reply.json().field, reply.json().message]).toEqual([
      400,
      'filename',
      'filename must not contain the character NUL',
    ])
  })

  test.each([
    ['for NUL', form({ content: 'a', filename: '\0.csv' })],
    ['as too large', form({ content: Buffer.alloc(11_000_000) })],
    ['as two files', form({ content: 'a' }, { content: 'b' })],
    ['as cut off', form({ content: 'a' }).subarray(0, 60)],
    ['without a border', form({ content: 'a' }), 'multipart/form-data'],
    ['under another name', form({ content: 'a', name: 'other' })],
    ['for its first line', form({ content: 'no_column_of_ours' })],
  ])('%s logs one line, and no stack', async (_what, payload, type = formType) => {
    const before = site.logs().length
    const { headers, statusCode } = await upload(payload, type)
    expect([400, 413]).toContain(statusCode)
    const lines = () =>
      site
        .logs()
        .slice(before)
        .split('\n')
        .filter((line) => line.includes(String(headers['x-request-id'])) && !line.includes('"level":20,'))
    await expect.poll(lines).toHaveLength(1)
    // Removing the file, after the log line, logs nothing either.
    await site.app.inject({ url: '/healthz' })
    expect(lines()).toEqual([expect.stringContaining('"msg":"request"')])
  })
})

describe('an invalid HTTP request', () => {
  const speak = async (words: string) => {
    const root = new URL(await listening())
    const socket = connect(Number(root.port), root.hostname)
    socket.end(words)
    return text(socket)
  }
  let root: Promise<string> | undefined
  const listening = () => {
    root ??= site.app.listen({ host: '127.0.0.1', port: 0 })
    return root
  }

  test.each([
    ['nonsense', 'HELLO\r\n\r\n', 400, 'The request is not valid HTTP.'],
    [
      'endless headers',
      `GET / HTTP/1.1\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`,
      431,
      'The request headers are too large.',
    ],
  ])('%s is refused in the usual body', async (_what, words, status, message) => {
    const [head = '', body = ''] = (await speak(words)).split('\r\n\r\n')
    expect(head).toContain(`HTTP/1.1 ${status} `)
    const request_id = /^x-request-id: (.*)$/m.exec(head)?.[1]?.trim()
    expect(JSON.parse(body)).toMatchObject({ error: message, message, request_id })
    expect(request_id).toHaveLength(36)
  })
})
