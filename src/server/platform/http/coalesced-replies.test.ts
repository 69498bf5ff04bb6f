import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { app, headers, readings, serveBooks } from '../../../../test/fixtures/books-app.ts'

serveBooks()

const page = 'x'.repeat(2_000)
const ask = (accept?: string, of = page) =>
  app.inject({
    url: `/api/books/shared?page=${of}`,
    headers: accept === undefined ? headers : { ...headers, 'accept-encoding': accept },
  })

test('each caller of a shared reply gets it in an encoding it accepts', async () => {
  const held = Promise.withResolvers<void>()
  readings.hold = held.promise
  const first = ask()
  await expect.poll(() => readings.count).toBe(1)
  const browsers = ['gzip, deflate, br', 'br;q=1.0, GZIP;q=0.8', '*'].map((accept) => ask(accept))
  const others = [undefined, 'br', 'gzip;q=0', 'identity'].map((accept) => ask(accept))
  held.resolve()
  await first
  const replies = await Promise.all([...browsers, ...others])
  const read = replies.map((reply) => {
    expect(reply.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'content-length': String(reply.rawPayload.length),
      vary: expect.stringContaining('accept-encoding'),
    })
    const is_compressed = reply.headers['content-encoding'] === 'gzip'
    const text = (is_compressed ? gunzipSync(reply.rawPayload) : reply.rawPayload).toString()
    return { is_compressed, ...JSON.parse(text) }
  })
  expect(read.map(({ is_compressed }) => is_compressed)).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
    false,
  ])
  expect(new Set(read.map(({ page, reading }) => `${page} ${reading}`))).toEqual(new Set([`${page} 2`]))
})

test('a small reply is not compressed', async () => {
  const reply = await ask('gzip', '1')
  expect(reply.headers['content-encoding']).toBeUndefined()
  expect(reply.json()).toEqual({ page: '1', reading: 1 })
})
