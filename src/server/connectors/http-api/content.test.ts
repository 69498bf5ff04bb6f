import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { anyUse, readAll } from '../../../../test/origin-reading.ts'
import { OriginServer } from '../../../../test/origin-server.ts'
import { ApiSettings } from '../../../contract/connections.ts'
import { openApi } from './source.ts'

let server: OriginServer
beforeAll(async () => {
  server = await OriginServer.start()
})
afterAll(() => server.close())

/** What a reading makes of a reply. */
async function read(body: unknown, headers: Record<string, string> = {}, settings: object = {}) {
  const url = server.on('/content', () => ({ body, headers }))
  const source = await openApi({ name: 'c', settings: ApiSettings.parse({ url, ...settings }) }, anyUse())
  return source.read()
}
const rowsOf = async (...reply: Parameters<typeof read>) => readAll(await read(...reply))
const CSV = { format: 'csv' }
const JSON_TEXT = '[{"näme":"Łódź 📚"}]'
const latin1 = (text: string) => Buffer.from(text, 'latin1')
const utf16 = (text: string) => Buffer.from(text, 'utf16le')

test.each([
  ['UTF-8', Buffer.from(JSON_TEXT), undefined],
  ['UTF-8 with its mark', Buffer.from(`\ufeff${JSON_TEXT}`), undefined],
  ['UTF-16 with its mark', utf16(`\ufeff${JSON_TEXT}`), undefined],
  ['UTF-16 big-endian with its mark', utf16(`\ufeff${JSON_TEXT}`).swap16(), 'application/json'],
  ['UTF-16 that is declared', utf16(JSON_TEXT), 'application/json; charset=utf-16le'],
])('%s is read', async (_name, body, type = 'application/json') => {
  expect(await rowsOf(body, { 'content-type': type })).toEqual([['näme'], ['Łódź 📚']])
})

test('Latin-1 is read where it is declared', async () => {
  const type = { 'content-type': 'text/csv; charset="ISO-8859-1"' }
  expect(await rowsOf(latin1('näme\nGrüße\n'), type, CSV)).toEqual([['näme'], ['Grüße']])
})

test.each([
  ['Latin-1 that is not declared', latin1('näme\nGrüße\n'), 'text/csv', 'probably Latin-1'],
  ['UTF-16 that is not declared', utf16('name\nx\n'), 'text/csv', 'probably UTF-16'],
  [
    'another charset',
    latin1('name\n'),
    'text/csv; charset=Shift_JIS',
    'The reply is in Shift_JIS. Only UTF-8',
  ],
  [
    'a charset that nobody knows',
    latin1('name\n'),
    'text/csv; charset=x-unknown',
    'The reply is in x-unknown',
  ],
  [
    'what is not the UTF-16 that it says',
    Buffer.from([0x00, 0xd8, 0x41, 0x00, 0x41, 0x00]),
    'text/csv; charset=utf-16le',
    'not valid utf-16le',
  ],
])('%s is refused by name', async (_name, body, type, message) => {
  await expect(rowsOf(body, { 'content-type': type }, CSV)).rejects.toMatchObject({
    kind: 'invalid',
    message: expect.stringContaining(message),
  })
})

test.each([
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
])('what is packed as %s is unpacked', async (encoding, pack) => {
  const headers = { 'content-encoding': encoding }
  expect(await rowsOf(pack(JSON_TEXT), headers)).toEqual([['näme'], ['Łódź 📚']])
  expect(await rowsOf(pack('a,b\n1,2'), headers, CSV)).toEqual([
    ['a', 'b'],
    ['1', '2'],
  ])
})

test('another packing is refused by name', async () => {
  await expect(rowsOf('x', { 'content-encoding': 'zstd' })).rejects.toThrow('packed as zstd')
})

test('numbers that JSON would round arrive as text, others as numbers', async () => {
  const body =
    '[{"a":9007199254740993,"b":0.1,"c":12345678901234567890.5,"d":1e400,"e":-7,"f":"007","g":true}]'
  expect((await rowsOf(body))[1]).toEqual([
    '9007199254740993',
    0.1,
    '12345678901234567890.5',
    '1e400',
    -7,
    '007',
    true,
  ])
})

test('a column that comes to light later extends the header, never changing what was passed on', async () => {
  const url = server.on('/later', ({ url }) => {
    const page = Number(url.searchParams.get('page'))
    return { body: page === 1 ? [{ a: 1 }] : page === 2 ? [{ b: { c: 2 }, a: 3 }] : [] }
  })
  const settings = ApiSettings.parse({ url, paging: { style: 'page', param: 'page' } })
  const reading = (await openApi({ name: 'later', settings }, anyUse())).read()
  const seen: unknown[] = []
  for await (const batch of reading.batches) seen.push([reading.header, batch.map((row) => String(row))])
  expect(seen).toEqual([
    [['a'], ['["a"]', '[1]']],
    [['a', 'b.c'], ['[3,2]']],
  ])
})

test('cells of CSV are text as they stand, and what does not fit the header is told', async () => {
  const reading = await read('sku, price ,sku\n007,1.50,x\n1,2\n"a,b",,"say ""hi""",more\n', {}, CSV)
  expect(await readAll(reading)).toEqual([
    ['sku', 'price', 'sku', ''],
    ['007', '1.50', 'x'],
    ['1', '2'],
    ['a,b', '', 'say "hi"', 'more'],
  ])
  expect(reading.warnings).toEqual(['2 rows have more or fewer cells than the header, first data row 2.'])
})

test('pages of CSV are put together by the names of their columns', async () => {
  const url = server.on('/csv-pages', ({ url }) => {
    const page = Number(url.searchParams.get('page'))
    return { body: ['a,b\n1,2\n', 'b,a,c\n4,3,5\n', 'a,b\n'][page - 1] ?? '' }
  })
  const settings = ApiSettings.parse({ url, format: 'csv', paging: { style: 'page', param: 'page' } })
  const reading = (await openApi({ name: 'pages', settings }, anyUse())).read()
  expect(await readAll(reading)).toEqual([
    ['a', 'b', 'c'],
    ['1', '2'],
    ['3', '4', '5'],
  ])
})

test('a cell too many in a later page stands in a column without a name, not in that of another page', async () => {
  const url = server.on('/csv-ragged', ({ url }) => {
    const page = Number(url.searchParams.get('page'))
    return { body: ['a,b,c\n1,2,3\n', 'a,b\n4,5,6\n', 'a,b\n'][page - 1] ?? '' }
  })
  const settings = ApiSettings.parse({ url, format: 'csv', paging: { style: 'page', param: 'page' } })
  const reading = (await openApi({ name: 'ragged', settings }, anyUse())).read()
  expect(await readAll(reading)).toEqual([
    ['a', 'b', 'c', ''],
    ['1', '2', '3'],
    ['4', '5', '', '6'],
  ])
})

test('a header without rows is a table without rows, an empty list has no columns', async () => {
  expect(await rowsOf('a,b\n', {}, CSV)).toEqual([['a', 'b']])
  expect(await rowsOf('', {}, CSV)).toEqual([])
  expect(await rowsOf([])).toEqual([])
})

test('a list found by a path, and one object as one row', async () => {
  const body = { data: [{ items: [{ a: 1 }] }, { items: [{ a: 2 }] }], 'odd key': { x: [] } }
  expect(await rowsOf(body, {}, { list_path: '$.data[*].items[*]' })).toEqual([['a'], [1], [2]])
  expect(await rowsOf({ usd: 1, eur: 2 }, {}, { list_path: '$' })).toEqual([
    ['usd', 'eur'],
    [1, 2],
  ])
  expect(await rowsOf(body, {}, { list_path: "$['odd key'].x" })).toEqual([])
})

test('JSON that is nested without end does no harm', async () => {
  const body = `${'['.repeat(200_000)}${']'.repeat(200_000)}`
  await expect(rowsOf(`[{"a":${body}}]`)).rejects.toMatchObject({ name: 'OriginFailure' })
})
