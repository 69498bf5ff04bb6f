import { describe, expect, test } from 'vitest'
import {
  app,
  database,
  get,
  headers,
  lines,
  readings,
  serveBooks,
  serverOn,
  streamEnded,
} from '../../../../test/fixtures/books-app.ts'
import { createDb } from '../db.ts'

serveBooks()

describe('a call answers what it declares', () => {
  test('undeclared fields of a reply are omitted', async () => {
    expect((await get('/api/books')).json()).toEqual({ title: 'Ulysses', pages: 730 })
  })

  test('a reply that does not match its declaration is a 500 without details', async () => {
    const response = await get('/api/books/broken')
    expect(response.statusCode).toBe(500)
    expect(response.json().message).toBe('An unexpected error occurred')
    expect(response.body).not.toContain('not a number')
  })

  test('an empty reply is 204', async () => {
    const response = await app.inject({ method: 'DELETE', url: '/api/books', headers })
    expect([response.statusCode, response.body]).toEqual([204, ''])
  })

  test('a file is sent with its type and name', async () => {
    const response = await get('/api/books/file')
    expect(response.body).toBe('a,b\n1,2\n')
    expect(response.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="books.csv"',
    })
  })

  test('a redirect has its location', async () => {
    const response = await app.inject('/go')
    expect([response.statusCode, response.headers.location]).toEqual([302, '/somewhere'])
  })

  test('HEAD answers like GET without a body', async () => {
    const response = await app.inject({ method: 'HEAD', url: '/api/books', headers })
    expect([response.statusCode, response.body]).toEqual([200, ''])
  })

  test('a call for administrators is 403 for others', async () => {
    const response = await get('/api/books/admin')
    expect(response.statusCode).toBe(403)
    expect(response.json().message).toBe('This is for administrators only.')
  })
})

describe('a shared call', () => {
  const ask = async (page: string) => {
    const reply = await get(`/api/books/shared?page=${page}`)
    return reply.statusCode === 200 ? reply.json() : reply.statusCode
  }

  test('is executed once for simultaneous requests of the same page', async () => {
    const held = Promise.withResolvers<void>()
    readings.hold = held.promise
    const first = ask('1')
    await expect.poll(() => readings.count).toBe(1)
    const others = Array.from({ length: 40 }, () => ask('1'))
    const [another, none] = [ask('2'), ask('none')]
    expect((await app.inject('/api/books/shared?page=1')).statusCode).toBe(401)
    held.resolve()
    expect(await first).toEqual({ page: '1', reading: 1 })
    // From a read that began after their requests.
    for (const other of await Promise.all(others))
      expect(other).toEqual({ page: '1', reading: expect.toSatisfy((reading: number) => reading > 1) })
    expect(await another).toEqual({ page: '2', reading: expect.any(Number) })
    expect(await none).toBe(404)
    expect(readings.count).toBeLessThan(40)
  })

  test('never replies with data read before the request', async () => {
    expect([await ask('1'), await ask('1')]).toEqual([
      { page: '1', reading: 1 },
      { page: '1', reading: 2 },
    ])
  })
})

describe('a failure', () => {
  test('of the catalogue has its status, text and field', async () => {
    const response = await get('/api/books/fail?how=named')
    expect(response.statusCode).toBe(409)
    expect(response.json()).toMatchObject({
      message: 'A task with this name already exists for this task type. Please use a different name.',
      field: 'name',
    })
  })

  test('that is transient has Retry-After in whole seconds', async () => {
    const response = await get('/api/books/fail?how=late')
    expect([response.statusCode, response.headers['retry-after']]).toEqual([503, '2'])
  })

  test('of a database constraint is the error that the feature maps it to', async () => {
    const response = await get('/api/books/fail?how=constraint')
    expect(response.statusCode).toBe(409)
    expect(response.json()).toMatchObject({
      message: 'A task type with this name already exists. Please use a different name.',
      field: 'name',
    })
  })

  test('that is unexpected is 500 without its text, which is in the log under the same request id', async () => {
    const response = await get('/api/books/fail?how=thrown')
    expect(response.statusCode).toBe(500)
    expect(response.body).not.toContain('swordfish')
    const logged = lines.find((line) => line.includes('swordfish'))
    expect(logged).toContain(response.json().request_id)
  })

  test('to reach the database is 503 with Retry-After', async () => {
    const away = createDb({ url: 'postgresql://nobody:x@127.0.0.1:1/none' })
    const server = await serverOn(away)
    const response = await server.inject({ url: '/api/books', headers })
    expect([response.statusCode, response.headers['retry-after']]).toEqual([503, '5'])
    expect(response.json().message).toBe('The database is not reachable at the moment. Please try again.')
    await server.close()
    await away.destroy()
  })
})

describe('a stream of events', () => {
  test('carries each as JSON, and stops its source when the reader leaves', async () => {
    const root = await app.listen({ host: '127.0.0.1', port: 0 })
    const reader = new AbortController()
    const response = await fetch(`${root}/api/books/events`, { headers, signal: reader.signal })
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
    const response = await fetch(`${root}/api/books/events`, { headers })
    const everything = response.text()
    await server.close()
    expect(await everything).toContain('data: {"n":1}')
    expect(streamEnded).toBe(true)
  })
})
