import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { anyUse, readAll, readObjects } from '../../../../test/origin-reading.ts'
import { type Handler, OriginServer } from '../../../../test/origin-server.ts'
import { ApiSettings } from '../../../contract/connections.ts'
import type { OriginUse } from '../origin-use.ts'
import type { ReadingOptions } from './reading.ts'
import { openApi } from './source.ts'

let server: OriginServer
beforeAll(async () => {
  server = await OriginServer.start()
})
afterAll(() => server.close())

let paths = 0
const LIMITS = { request_ms: 30_000, reply_bytes: 2_000_000, csv_bytes: 5_000_000, longest_wait_ms: 3_000 }
/** Gives up soon, for what never succeeds. */
const QUICK: ReadingOptions = {
  backoff: { first_ms: 5, longest_ms: 20, give_up_after_ms: 200 },
  limits: LIMITS,
}
/** Tries again soon, and goes on however slow the machine is. */
const PATIENT: ReadingOptions = {
  ...QUICK,
  backoff: { first_ms: 5, longest_ms: 20, give_up_after_ms: 60_000 },
}
const HASTY: ReadingOptions = { ...QUICK, limits: { ...LIMITS, request_ms: 150 } }

type Case = {
  handler: Handler
  settings?: Record<string, unknown>
  use?: Partial<OriginUse>
  options?: ReadingOptions
}

/** A source that reads what the handler answers. */
async function open({ handler, settings = {}, use = {}, options = QUICK }: Case) {
  const url = server.on(`/trap-${++paths}`, handler)
  return openApi({ name: 'trap', settings: ApiSettings.parse({ url, ...settings }) }, anyUse(use), options)
}
const skus = async (wanted: Case) => (await readObjects(await open(wanted))).map(({ sku }) => sku)
const asked = () => server.asked.filter(({ url }) => url.pathname === `/trap-${paths}`)

const row = (sku: number) => ({ sku })
const rows = (...numbers: number[]) => numbers.map(row)
const at = (url: URL, name: string, otherwise = 0) => Number(url.searchParams.get(name) ?? otherwise)
const BY_PAGE = { list_path: '$.items', paging: { style: 'page', param: 'page' } }
const BY_OFFSET = {
  list_path: '$.items',
  paging: { style: 'offset', param: 'offset', size_param: 'limit', size: 3 },
}
const BY_CURSOR = { list_path: '$.items', paging: { style: 'cursor', param: 'c', cursor_path: '$.next' } }
const BY_URL = { list_path: '$.items', paging: { style: 'next_url', url_path: '$.next' } }
/** A handler of pages counted from 1; what lies behind the last one is empty. */
const pages =
  (...all: unknown[]): Handler =>
  ({ url }) => ({ body: all[at(url, 'page', 1) - 1] ?? { items: [] } })

test('a short page is not the end', async () => {
  const handler = pages({ items: rows(1, 2, 3) }, { items: rows(4) }, { items: rows(5, 6, 7) })
  expect(await skus({ handler, settings: BY_PAGE })).toEqual([1, 2, 3, 4, 5, 6, 7])
})

test('an offset goes on by the rows that came, whatever the size that was asked for', async () => {
  const all = rows(1, 2, 3, 4, 5)
  const handler: Handler = ({ url }) => ({
    body: { items: all.slice(at(url, 'offset'), at(url, 'offset') + 2) },
  })
  expect(await skus({ handler, settings: BY_OFFSET })).toEqual([1, 2, 3, 4, 5])
})

test('the number of rows on a page is not taken for the total', async () => {
  const handler = pages(
    { items: rows(1, 2), count: 2 },
    { items: rows(3, 4), count: 2 },
    { items: rows(5), count: 1 },
  )
  expect(await skus({ handler, settings: { ...BY_PAGE, total_path: '$.count' } })).toEqual([1, 2, 3, 4, 5])
})

test('the total ends a list whose last page is answered again and again', async () => {
  const handler: Handler = ({ url }) => {
    const page = Math.min(at(url, 'page', 1), 2)
    return { body: { items: page === 1 ? rows(1, 2) : rows(3), total: 3 } }
  }
  expect(await skus({ handler, settings: { ...BY_PAGE, total_path: '$.total' } })).toEqual([1, 2, 3])
  expect(asked()).toHaveLength(2)
})

test('one page that is all there is, answered for every page, ends by its total', async () => {
  const handler: Handler = () => ({ body: { items: rows(1, 2), total: 2 } })
  expect(await skus({ handler, settings: { ...BY_PAGE, total_path: '$.total' } })).toEqual([1, 2])
})

test.each([
  ['404', 404, rows(1, 2), rows(3, 4)],
  ['400 behind a short page', 400, rows(1, 2), rows(3)],
])('%s is the end of the pages', async (_name, status, first, second) => {
  const handler: Handler = ({ url }) =>
    at(url, 'page', 1) > 2
      ? { status, body: { message: 'Invalid page.' } }
      : { body: { items: at(url, 'page', 1) === 1 ? first : second } }
  expect(await skus({ handler, settings: BY_PAGE })).toEqual([...first, ...second].map(({ sku }) => sku))
})

test('400 behind a full page is a failure: some refuse deep pages', async () => {
  const handler: Handler = ({ url }) =>
    at(url, 'page', 1) > 2
      ? { status: 400, body: { message: 'Too deep' } }
      : { body: { items: rows(at(url, 'page', 1), 9) } }
  await expect(skus({ handler, settings: BY_PAGE })).rejects.toMatchObject({
    kind: 'invalid',
    message: 'The API rejected the request (400: Too deep).',
  })
})

test('404 before the total is a failure', async () => {
  const handler: Handler = ({ url }) =>
    at(url, 'page', 1) > 1 ? { status: 404 } : { body: { items: rows(1, 2), total: 3 } }
  await expect(skus({ handler, settings: { ...BY_PAGE, total_path: '$.total' } })).rejects.toMatchObject({
    kind: 'not_found',
  })
})

test.each([
  ['a page parameter', BY_PAGE],
  ['an offset', BY_OFFSET],
])('%s that the API ignores ends by the third page, named', async (_name, settings) => {
  const handler: Handler = () => ({ body: { items: rows(1, 2, 3) } })
  await expect(skus({ handler, settings })).rejects.toMatchObject({
    kind: 'invalid',
    message: expect.stringContaining('returned the same rows three times'),
  })
  expect(asked()).toHaveLength(3)
})

test('the same cursor for ever ends by the third page, named', async () => {
  const handler: Handler = () => ({ body: { items: rows(1, 2), next: 'same' } })
  await expect(skus({ handler, settings: BY_CURSOR })).rejects.toThrow('returned the same rows three times')
  expect(asked()).toHaveLength(3)
})

test('cursors that lead in a circle end', async () => {
  const handler: Handler = ({ url }) => {
    const next = (at(url, 'c') % 3) + 1
    return { body: { items: rows(next), next } }
  }
  await expect(skus({ handler, settings: BY_CURSOR })).rejects.toThrow('returned the same rows')
  expect(asked()).toHaveLength(5)
})

test('one cursor for all pages is fine while each brings others', async () => {
  let page = 0
  const handler: Handler = () => ({ body: { items: page++ < 4 ? rows(page) : [], next: 'scroll' } })
  expect(await skus({ handler, settings: BY_CURSOR })).toEqual([1, 2, 3, 4])
})

test('a cursor on the last page: has_more decides', async () => {
  const handler: Handler = ({ url }) => ({
    body: { items: rows(at(url, 'c') + 1), next: at(url, 'c') + 1, has_more: at(url, 'c') < 2 },
  })
  expect(await skus({ handler, settings: BY_CURSOR })).toEqual([1, 2, 3])
  expect(asked()).toHaveLength(3)
})

test('a cursor on the last page, and nothing behind it', async () => {
  const handler: Handler = ({ url }) => ({
    body: { items: at(url, 'c') < 3 ? rows(at(url, 'c') + 1) : [], next: Math.min(at(url, 'c') + 1, 3) },
  })
  expect(await skus({ handler, settings: BY_CURSOR })).toEqual([1, 2, 3])
})

test('an empty page in the middle is not the end where a cursor follows', async () => {
  const handler: Handler = ({ url }) => ({
    body: {
      items: at(url, 'c') % 2 === 0 ? rows(at(url, 'c')) : [],
      next: at(url, 'c') < 6 ? at(url, 'c') + 1 : null,
    },
  })
  expect(await skus({ handler, settings: BY_CURSOR })).toEqual([0, 2, 4, 6])
})

test('empty pages with ever new cursors end, and that is said', async () => {
  const handler: Handler = ({ url }) => ({
    body: { items: at(url, 'c') === 0 ? rows(1) : [], next: at(url, 'c') + 1 },
  })
  const reading = (await open({ handler, settings: BY_CURSOR })).read()
  expect(await readAll(reading)).toEqual([['sku'], [1]])
  expect(reading.warnings).toEqual([
    'Ended after 10 empty pages in a row, although the API named another one.',
  ])
})

test('empty pages of which the API says that there is more are a failure', async () => {
  const handler: Handler = () => ({ body: { items: [], has_more: true } })
  await expect(skus({ handler, settings: BY_PAGE })).rejects.toThrow('10 pages in a row were empty')
})

test.each([
  ['null for an empty page', { items: null }],
  ['no list on an empty page', { nothing: 'more' }],
])('%s is the end', async (_name, last) => {
  expect(await skus({ handler: pages({ items: rows(1) }, last), settings: BY_PAGE })).toEqual([1])
})

test('an error in place of a later page, with status 200, is a failure', async () => {
  const handler = pages({ items: rows(1) }, { error: { message: 'backend gone' } })
  await expect(skus({ handler, settings: BY_PAGE })).rejects.toThrow('has no list at the given path')
})

test('no list on the first page is a failure that names what there is', async () => {
  const handler: Handler = () => ({ body: { data: [], meta: {} } })
  await expect(skus({ handler, settings: { list_path: '$.items' } })).rejects.toMatchObject({
    kind: 'invalid',
    message: 'The reply has no list at the given path. It has: data, meta.',
  })
})

test('an address of a next page that is the same ends', async () => {
  const handler: Handler = ({ url }) => ({ body: { items: rows(1), next: url.href } })
  await expect(skus({ handler, settings: BY_URL })).rejects.toThrow('returned the same rows three times')
})

test('429 and 503 are waited for, by seconds and by date', async () => {
  const waits: number[] = []
  const handler: Handler = ({ nth }) => {
    const date = new Date(Date.now()).toUTCString()
    const later = new Date(Date.parse(date) + 1000).toUTCString()
    if (nth === 1) return { status: 429, headers: { 'retry-after': '1' } }
    if (nth === 2) return { status: 503, headers: { 'retry-after': later, date } }
    return { body: rows(1) }
  }
  const onWait: OriginUse['onWait'] = ({ ms }) => {
    waits.push(ms)
    return () => {}
  }
  const since = performance.now()
  expect(await skus({ handler, use: { onWait }, options: PATIENT })).toEqual([1])
  expect(performance.now() - since).toBeGreaterThan(1_900)
})

test('a wait that is too long is not begun', async () => {
  const handler: Handler = () => ({ status: 429, headers: { 'retry-after': '3600' } })
  await expect(skus({ handler })).rejects.toMatchObject({
    kind: 'unavailable',
    message: 'The API asks to wait another 3,600 s, longer than one attempt waits.',
  })
  expect(asked()).toHaveLength(1)
})

test('Retry-After: 0 for ever ends', async () => {
  const options = { ...QUICK, limits: { ...LIMITS, longest_wait_ms: 200 } }
  const handler: Handler = () => ({ status: 503, headers: { 'retry-after': '0' } })
  await expect(skus({ handler, options })).rejects.toMatchObject({ kind: 'unavailable' })
})

test('5xx and a connection that breaks are tried again', async () => {
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
    'The reply is not valid JSON (10 characters).',
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

test('a small body that unpacks to a large one is cut at the limit', async () => {
  const body = gzipSync(Buffer.alloc(20_000_000, 'x'))
  const handler: Handler = () => ({ body, headers: { 'content-encoding': 'gzip' } })
  await expect(skus({ handler })).rejects.toMatchObject({ kind: 'too_large' })
})

test.each(['json', 'csv'])('a reply of %s that stops coming ends', async (format) => {
  const handler: Handler = ({ response }) => {
    response.writeHead(200).write('sku\n1\n')
    return null
  }
  await expect(skus({ handler, settings: { format }, options: HASTY })).rejects.toMatchObject({
    kind: 'unavailable',
    message: 'The API did not answer within 0.15 s.',
  })
})

test('a CSV file that comes a byte at a time ends', async () => {
  const handler: Handler = ({ response }) => {
    response.writeHead(200)
    const timer = setInterval(() => response.write('1\n'), 10)
    response.on('close', () => clearInterval(timer))
    return null
  }
  await expect(skus({ handler, settings: { format: 'csv' }, options: HASTY })).rejects.toThrow(
    // On a machine that stalls for as long.
    /sends its reply too slowly|did not answer within/,
  )
})

test('more rows than the task takes end the reading', async () => {
  const handler: Handler = ({ url }) => ({ body: { items: rows(at(url, 'page', 1)) } })
  await expect(skus({ handler, settings: BY_PAGE, use: { max_rows: 5 } })).rejects.toMatchObject({
    kind: 'too_large',
    message: 'There are more than 5 rows.',
  })
})

test('what a stopped run waits for ends at once', async () => {
  const stop = new AbortController()
  const handler: Handler = ({ response }) => {
    response.writeHead(200).write('[')
    setTimeout(() => stop.abort(new Error('stopped')), 20)
    return null
  }
  await expect(skus({ handler, use: { signal: stop.signal } })).rejects.toThrow('stopped')
})
