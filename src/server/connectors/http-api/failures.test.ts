import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import type { Handler } from '../../../../test/fakes/origin-server.ts'
import {
  asked,
  at,
  HASTY,
  LIMITS,
  PATIENT,
  QUICK,
  rows,
  skus,
  startTrappedApi,
} from '../../../../test/fakes/trapped-api.ts'
import type { SourceContext } from '../source-context.ts'

startTrappedApi()

const BY_PAGE = { list_path: '$.items', paging: { style: 'page', param: 'page' } }
test('429 and 503 are retried after the given seconds or date', async () => {
  const waits: number[] = []
  const handler: Handler = ({ nth }) => {
    const date = new Date(Date.now()).toUTCString()
    const later = new Date(Date.parse(date) + 1000).toUTCString()
    if (nth === 1) return { status: 429, headers: { 'retry-after': '1' } }
    if (nth === 2) return { status: 503, headers: { 'retry-after': later, date } }
    return { body: rows(1) }
  }
  const onWait: SourceContext['onWait'] = ({ ms }) => {
    waits.push(ms)
    return () => {}
  }
  const since = performance.now()
  expect(await skus({ handler, use: { onWait }, options: PATIENT })).toEqual([1])
  expect(performance.now() - since).toBeGreaterThan(1_900)
})

test('403 because of an exceeded limit is retried; any other is a refusal', async () => {
  const limited: Handler = ({ nth }) =>
    nth === 1
      ? {
          status: 403,
          headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '0' },
          body: { message: 'slow down' },
        }
      : { body: rows(1) }
  const reasons: string[] = []
  const onRetry = async (reason: string) => void reasons.push(reason)
  expect(await skus({ handler: limited, use: { onRetry }, options: PATIENT })).toEqual([1])
  expect(reasons).toEqual(['The API’s limit of requests is used up (403: slow down).'])
  const refused: Handler = () => ({ status: 403, headers: { 'x-ratelimit-remaining': '40' } })
  await expect(skus({ handler: refused })).rejects.toMatchObject({ kind: 'forbidden' })
  expect(asked()).toHaveLength(1)
})

test('a wait that is too long is not begun', async () => {
  const handler: Handler = () => ({ status: 429, headers: { 'retry-after': '3600' } })
  await expect(skus({ handler })).rejects.toMatchObject({
    kind: 'unavailable',
    message: 'The API asks to wait another 3,600 s, longer than one attempt waits.',
  })
  expect(asked()).toHaveLength(1)
})

test('endless Retry-After: 0 is given up', async () => {
  const options = { ...QUICK, limits: { ...LIMITS, longest_wait_ms: 200 } }
  const handler: Handler = () => ({ status: 503, headers: { 'retry-after': '0' } })
  await expect(skus({ handler, options })).rejects.toMatchObject({ kind: 'unavailable' })
})

test('5xx and broken connections are retried', async () => {
  const reasons: string[] = []
  const handler: Handler = ({ nth, response }) => {
    if (nth === 1) return { status: 500, body: { error: 'oops' } }
    if (nth === 2) {
      response.destroy()
      return null
    }
    if (nth === 3) {
      response.writeHead(200, { 'content-length': '100' }).write('[{"sku":')
      setTimeout(() => response.destroy(), 20)
      return null
    }
    return nth === 4 ? { body: '[{"sku":1}' } : { body: rows(1) }
  }
  const onRetry = async (reason: string) => void reasons.push(reason)
  expect(await skus({ handler, use: { onRetry }, options: PATIENT })).toEqual([1])
  expect(reasons).toEqual([
    'The API is busy or out of order (500: oops).',
    expect.stringContaining('could not be reached'),
    expect.stringContaining('could not be reached'),
    'The reply ended after 10 characters, before its JSON was complete.',
  ])
})

test.each([
  [401, 'forbidden'],
  [403, 'forbidden'],
  [404, 'not_found'],
  [410, 'not_found'],
  [422, 'invalid'],
  [500, 'unavailable'],
  [503, 'unavailable'],
])('status %d is %s', async (status, kind) => {
  const handler: Handler = () => ({ status, body: { errors: [{ detail: 'why' }] } })
  await expect(skus({ handler })).rejects.toMatchObject({
    kind,
    message: expect.stringContaining(`${status}: why`),
  })
})

test('a login page is named', async () => {
  const body = '<!DOCTYPE html><html><head><title>Sign in to\n ACME</title></head></html>'
  for (const format of ['json', 'csv']) {
    const handler: Handler = () => ({ body, headers: { 'content-type': 'text/html' } })
    await expect(skus({ handler, settings: { format } })).rejects.toMatchObject({
      kind: 'invalid',
      message: expect.stringContaining('answered a web page (“Sign in to ACME”) instead of'),
    })
  }
})

test.each(['json', 'csv'])('an endless body of %s is cut at the limit', async (format) => {
  const handler: Handler = ({ response }) => {
    response.writeHead(200)
    const line = `${'x'.repeat(99)}\n`.repeat(1000)
    const write = () => {
      while (!response.destroyed && response.write(line));
      response.once('drain', write)
    }
    write()
    return null
  }
  await expect(skus({ handler, settings: { format } })).rejects.toMatchObject({
    kind: 'too_large',
    message: expect.stringMatching(/The reply is larger than \d+ MB/),
  })
})

test('a small body that decompresses to a large one is cut at the limit', async () => {
  const body = gzipSync(Buffer.alloc(20_000_000, 'x'))
  const handler: Handler = () => ({ body, headers: { 'content-encoding': 'gzip' } })
  await expect(skus({ handler })).rejects.toMatchObject({ kind: 'too_large' })
})

test.each(['json', 'csv'])('a reply of %s that stalls fails', async (format) => {
  const handler: Handler = ({ response }) => {
    response.writeHead(200).write('sku\n1\n')
    return null
  }
  await expect(skus({ handler, settings: { format }, options: HASTY })).rejects.toMatchObject({
    kind: 'unavailable',
    message: 'The API did not answer within 0.15 s.',
  })
})

test('a CSV file that arrives byte by byte is read to its end', async () => {
  const handler: Handler = ({ response }) => {
    response.writeHead(200)
    const timer = setInterval(() => response.write('1\n'), 10)
    response.on('close', () => clearInterval(timer))
    return null
  }
  await expect(skus({ handler, settings: { format: 'csv' }, options: HASTY })).rejects.toThrow(
    // On a stalling machine.
    /sends its reply too slowly|did not answer within/,
  )
})

test('more rows than the task allows end the read', async () => {
  const handler: Handler = ({ url }) => ({ body: { items: rows(at(url, 'page', 1)) } })
  await expect(skus({ handler, settings: BY_PAGE, use: { max_rows: 5 } })).rejects.toMatchObject({
    kind: 'too_large',
    message: 'There are more than 5 rows.',
  })
})

test('a stopped run ends its waits at once', async () => {
  const stop = new AbortController()
  const handler: Handler = ({ response }) => {
    response.writeHead(200).write('[')
    setTimeout(() => stop.abort(new Error('stopped')), 20)
    return null
  }
  await expect(skus({ handler, use: { signal: stop.signal } })).rejects.toThrow('stopped')
})
