import { expect, test } from 'vitest'
import type { Handler } from '../../../../test/fakes/origin-server.ts'
import {
  asked,
  at,
  open,
  PATIENT,
  QUICK,
  rows,
  skus,
  startTrappedApi,
} from '../../../../test/fakes/trapped-api.ts'
import { readAll } from '../../../../test/fixtures/read-source.ts'

startTrappedApi()

const CSV = { format: 'csv' }
const lines = (count: number) =>
  Array.from({ length: count }, (_, index) => `${index},name ${index}\n`).join('')

/** Replies without a length, over a connection that is then closed or reset. */
const openEnded =
  (text: string, end: 'closed' | 'reset', contentType = 'text/csv'): Handler =>
  ({ response }) => {
    const { socket } = response
    socket?.write(
      `HTTP/1.1 200 OK\r\nContent-Type: ${contentType}\r\nConnection: close\r\n\r\n${text}`,
      () => {
        // After the client has most likely read it.
        if (end === 'closed') socket.end()
        else setTimeout(() => socket.resetAndDestroy(), 50)
      },
    )
    return null
  }

test('a CSV file without a length fails if its connection is reset', async () => {
  const handler = openEnded(`sku,name\n${lines(800)}`, 'reset')
  await expect(skus({ handler, settings: CSV })).rejects.toMatchObject({
    kind: 'unavailable',
    message: expect.stringMatching(/^The connection was reset after [\d,]+ bytes|could not be reached/),
  })
})

test('a reset after a complete line, and in one of several pages, fails too', async () => {
  const settings = { ...CSV, paging: { style: 'page', param: 'page' } }
  const handler = openEnded('sku,name\n1,a\n', 'reset')
  await expect(skus({ handler, settings })).rejects.toMatchObject({ kind: 'unavailable' })
})

test.each([
  ['1,a\n2,b', 1],
  ['1,a\n2,b\n', 0],
  ['1,a\r\n2,b\r\n', 0],
])('%j over a connection that ends: reasons why it may be incomplete: %d', async (text, reasons) => {
  const reading = (await open({ handler: openEnded(`sku,name\n${text}`, 'closed'), settings: CSV })).read()
  expect(await readAll(reading)).toHaveLength(3)
  expect(reading.incompleteReasons).toHaveLength(reasons)
})

test('a file with a declared length needs no final line end', async () => {
  for (const headers of [{ 'content-length': '12' }, undefined]) {
    const handler: Handler = () => ({ body: 'sku,name\n1,a', headers: { ...headers } })
    const reading = (await open({ handler, settings: CSV })).read()
    expect(await readAll(reading)).toHaveLength(2)
    expect(reading.incompleteReasons).toEqual([])
  }
})

test('truncated JSON is requested once more, and the error says where it ended', async () => {
  const text = JSON.stringify(rows(...Array.from({ length: 200 }, (_, index) => index))).slice(0, 1000)
  await expect(
    skus({ handler: openEnded(text, 'closed', 'application/json'), options: PATIENT }),
  ).rejects.toMatchObject({
    kind: 'unavailable',
    message: 'The reply ended after 1,000 characters, before its JSON was complete.',
  })
  expect(asked()).toHaveLength(2)
})

test.each([
  ['[{"sku": NaN}]', 'The reply is not valid JSON from character 10 on: “[{"sku": NaN}]”.'],
  ['[{"sku": 1,}]', 'The reply is not valid JSON from character 12 on: “[{"sku": 1,}]”.'],
  ["[{'sku': 1}]", "The reply is not valid JSON from character 3 on: “[{'sku': 1}]”."],
  ['[{"sku": 1}] x', 'The reply is not valid JSON from character 14 on: “[{"sku": 1}] x”.'],
  [
    '{"sku": 1}\n{"sku": 2}\n',
    'The reply is not one JSON value but one on each line. Choose JSON lines as the format.',
  ],
])('%s is requested once', async (body, message) => {
  const handler: Handler = () => ({ body, headers: { 'content-type': 'application/json' } })
  await expect(skus({ handler, options: PATIENT })).rejects.toMatchObject({ kind: 'invalid', message })
  expect(asked()).toHaveLength(1)
})

test.each(['application/x-ndjson', 'application/jsonl', 'application/json-lines; charset=utf-8'])(
  'JSON lines are read if the reply is %s',
  async (type) => {
    const handler: Handler = () => ({ body: '{"sku": 1}\n\n{"sku": 2}', headers: { 'content-type': type } })
    expect(await skus({ handler })).toEqual([1, 2])
  },
)

test('JSON lines are read if the connection declares them, and invalid lines are named', async () => {
  const settings = { format: 'ndjson' }
  expect(await skus({ handler: () => ({ body: '{"sku": 1}\n{"sku": 2}\n' }), settings })).toEqual([1, 2])
  const broken: Handler = () => ({ body: '{"sku": 1}\n{"sku": NaN}\n{"sku": 3}\n' })
  await expect(skus({ handler: broken, settings })).rejects.toThrow('not valid JSON from character 20 on')
  const cut: Handler = () => ({ body: '{"sku": 1}\n{"sku": 2' })
  await expect(skus({ handler: cut, settings })).rejects.toThrow('The reply ended after 20 characters')
})

test.each([
  '<!DOCTYPE html>\n<html><body>502 Bad Gateway</body></html>\n',
  '<html><head><title>502</title></head></html>',
  '<br />\n<b>Fatal error</b>:  Allowed memory size exhausted in <b>/var/www/export.php</b>\n',
])('a CSV file that ends with %j is a failure', async (page) => {
  for (const rest of [page, `7,b${page}`]) {
    if (rest !== page && !page.includes('html')) continue
    const handler: Handler = () => ({ body: `sku,name\n${lines(5)}${rest}` })
    await expect(skus({ handler, settings: CSV, options: QUICK })).rejects.toMatchObject({
      kind: 'unavailable',
      message: expect.stringMatching(/^An HTML page follows in the CSV instead of row [67]:/),
    })
  }
})

test('markup in cells is data', async () => {
  const body = 'sku,name\n1,"<html><body>a</body></html>"\n"<b>2</b>",<p>b</p>\n'
  expect(await skus({ handler: () => ({ body }), settings: CSV })).toEqual(['1', '<b>2</b>'])
})

const BY_PAGE = { list_path: '$.items', total_path: '$.total', paging: { style: 'page', param: 'page' } }

test('a total that changes during the read ends it with an error', async () => {
  const handler: Handler = ({ url }) => {
    const page = at(url, 'page', 1)
    return { body: { items: rows(page * 2, page * 2 + 1), total: page < 2 ? 10 : 9 } }
  }
  const reading = (await open({ handler, settings: BY_PAGE })).read()
  await readAll(reading)
  expect(reading.changed).toEqual({
    isCertain: true,
    message: 'The list changed while it was read: the API counted 10 rows, then 9.',
  })
  expect(asked()).toHaveLength(2)
})

test.each([
  ['the number of rows on each page', [2, 2, 1, 0]],
  ['none behind the last row', [7, 7, 7, 0]],
])('a total that is %s has not changed', async (_name, totals) => {
  const pages = [rows(1, 2), rows(3, 4), rows(5), []]
  const handler: Handler = ({ url }) => {
    const page = at(url, 'page', 1) - 1
    return { body: { items: pages[page] ?? [], total: totals[page] ?? 0 } }
  }
  const reading = (await open({ handler, settings: BY_PAGE })).read()
  expect(await readAll(reading)).toHaveLength(6)
  expect(reading.changed).toBeNull()
})

test.each([
  ['other rows', 'v2', rows(9, 1), true],
  ['the same rows under another tag', 'v2', rows(1, 2), false],
  ['the same tag', 'v1', rows(1, 2), false],
])('the first page is requested again at the end: %s', async (_name, tag, then, isChanged) => {
  const handler: Handler = ({ url, headers }) => {
    const page = at(url, 'page', 1)
    const isAgain = headers['if-none-match'] !== undefined
    if (page > 1) return { body: { items: page === 2 ? rows(3) : [] }, headers: { etag: `"p${page}"` } }
    if (isAgain && tag === 'v1') return { status: 304 }
    return { body: { items: isAgain ? then : rows(1, 2) }, headers: { etag: isAgain ? `"${tag}"` : '"v1"' } }
  }
  const reading = (await open({ handler, settings: BY_PAGE })).read()
  expect(await readAll(reading)).toEqual([['sku'], [1], [2], [3]])
  expect(reading.changed).toEqual(
    isChanged
      ? {
          isCertain: false,
          message: 'The list changed while it was read: its first page has other rows now.',
        }
      : null,
  )
  expect(asked()).toHaveLength(4)
})

test('a web page in place of a later page is requested again before it is reported as a login page', async () => {
  const html = { body: '<!doctype html><title>502</title>', headers: { 'content-type': 'text/html' } }
  const settings = { list_path: '$.items', paging: { style: 'page', param: 'page' } }
  const passes: Handler = ({ url, nth }) => {
    const page = at(url, 'page', 1)
    return page === 2 && nth === 2 ? html : { body: { items: page > 2 ? [] : rows(page) } }
  }
  expect(await skus({ handler: passes, settings })).toEqual([1, 2])
  const stays: Handler = ({ url }) => (at(url, 'page', 1) === 2 ? html : { body: { items: rows(1) } })
  await expect(skus({ handler: stays, settings })).rejects.toThrow(
    'Page 2: The address answered a web page (“502”) instead of JSON. It may need a sign-in.',
  )
  expect(asked()).toHaveLength(4)
})
