import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { OriginServer } from '../../../../test/fakes/origin-server.ts'
import { anySourceContext, readAll } from '../../../../test/fixtures/read-source.ts'
import { ApiSettings } from '../../../contract/connections/calls.ts'
import { shortBackoff } from '../backoff.ts'
import { openApi } from './source.ts'

let server: OriginServer
beforeAll(async () => {
  server = await OriginServer.start()
})
afterAll(() => server.close())

/** Reads a reply. */
async function read(body: unknown, headers: Record<string, string> = {}, settings: object = {}) {
  const url = server.on('/content', () => ({ body, headers }))
  const source = await openApi(
    { name: 'c', settings: ApiSettings.parse({ url, ...settings }) },
    anySourceContext(),
  )
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

test('declared Latin-1 is read', async () => {
  const type = { 'content-type': 'text/csv; charset="ISO-8859-1"' }
  expect(await rowsOf(latin1('näme\nGrüße\n'), type, CSV)).toEqual([['näme'], ['Grüße']])
})

test.each([
  ['Latin-1 that is not declared', latin1('näme\nGrüße\n'), 'text/csv', 'probably Latin-1'],
  ['UTF-16 that is not declared', utf16('name\nx\n'), 'text/csv', 'probably UTF-16'],
  [
    'an unknown charset',
    latin1('name\n'),
    'text/csv; charset=x-unknown',
    'The reply is in x-unknown, which is not supported. Set its encoding in the connection.',
  ],
  [
    'what is not the UTF-16 that it says',
    Buffer.from([0x00, 0xd8, 0x41, 0x00, 0x41, 0x00]),
    'text/csv; charset=utf-16le',
    'not valid utf-16le',
  ],
])('%s is refused with its name', async (_name, body, type, message) => {
  await expect(rowsOf(body, { 'content-type': type }, CSV)).rejects.toMatchObject({
    kind: 'invalid',
    message: expect.stringContaining(message),
  })
})

// Łódź, €: letters with other codes in these encodings.
const LODZ = { 'windows-1250': [0xa3, 0xf3, 0x64, 0x9f], shift_jis: [0x93, 0xfa, 0x96, 0x7b] }
const ENCODED: [string, Buffer, string][] = [
  ['windows-1250', Buffer.from(LODZ['windows-1250']), 'Łódź'],
  ['windows-1252', Buffer.from([0x80, 0xe9]), '€é'],
  ['iso-8859-15', Buffer.from([0xa4, 0xe9]), '€é'],
  ['shift_jis', Buffer.from(LODZ.shift_jis), '日本'],
  ['utf-16be', utf16('Łódź').swap16(), 'Łódź'],
]

test.each(ENCODED)(
  '%s is read if the reply or the connection declares it',
  async (encoding, letters, text) => {
    const isWide = encoding === 'utf-16be'
    const ascii = (part: string) => (isWide ? utf16(part).swap16() : latin1(part))
    const body = Buffer.concat([ascii('name\n'), letters, ascii('\n')])
    const declared = { 'content-type': `text/csv; charset=${encoding}` }
    const table = [['name'], [text]]
    expect(await rowsOf(body, declared, CSV)).toEqual(table)
    expect(await rowsOf(body, { 'content-type': 'text/csv' }, { ...CSV, encoding })).toEqual(table)
    // A setting overrides the reply's declaration.
    const wrong = { 'content-type': 'text/csv; charset=utf-8' }
    expect(await rowsOf(body, wrong, { ...CSV, encoding })).toEqual(table)
  },
)

test('UTF-8 declared as another encoding is detected', async () => {
  const type = { 'content-type': 'text/csv; charset=iso-8859-1' }
  for (const filler of ['', 'x'.repeat(100_000)]) {
    const body = `${filler || 'x'}\nGrüße\n`
    const declared = await read(body, type, CSV)
    expect(await readAll(declared)).toEqual([[filler || 'x'], ['Grüße']])
    expect(declared.warnings).toEqual([
      expect.stringContaining('says that it is in windows-1252, but it is in UTF-8'),
    ])
    expect(declared.remarks).toEqual(['Read as CSV: delimiter comma, encoding utf-8, quote "'])
    const set = await read(body, {}, { ...CSV, encoding: 'windows-1252' })
    expect(await readAll(set)).toEqual([[filler || 'x'], ['GrÃ¼ÃŸe']])
    expect(set.warnings).toEqual([expect.stringContaining('looks like UTF-8')])
  }
})

test('a file declared as another encoding that mixes it with UTF-8 is refused', async () => {
  const type = { 'content-type': 'text/csv; charset=iso-8859-1' }
  const body = Buffer.concat([Buffer.from(`x\n${'Grüße\n'.repeat(10_000)}`), latin1('Grüße\n')])
  await expect(rowsOf(body, type, CSV)).rejects.toThrow('begins as UTF-8, but is not valid UTF-8 throughout')
})

test('a final letter that resembles the start of a UTF-8 sequence is not mistaken for one', async () => {
  const type = { 'content-type': 'text/csv; charset=iso-8859-1' }
  const reading = await read(latin1('name\ncafé'), type, CSV)
  expect(await readAll(reading)).toEqual([['name'], ['café']])
  expect(reading.warnings).toEqual([])
})

test('a .csv.gz file is decompressed within the size limits', async () => {
  const type = { 'content-type': 'application/gzip' }
  const table = [
    ['a', 'b'],
    ['1', '2'],
  ]
  expect(await rowsOf(gzipSync('a,b\n1,2'), type, CSV)).toEqual(table)
  const paged = { ...CSV, paging: { style: 'link' } }
  expect(await rowsOf(gzipSync('a,b\n1,2'), type, paged)).toEqual(table)
  // Compressed again for transfer.
  const packed = { ...type, 'content-encoding': 'gzip' }
  expect(await rowsOf(gzipSync(gzipSync('a,b\n1,2')), packed, CSV)).toEqual(table)
  const bomb = gzipSync(Buffer.alloc(80_000_000, 'x'))
  await expect(rowsOf(bomb, type, paged)).rejects.toMatchObject({ kind: 'too_large' })
  const cut = gzipSync('a,b\n1,2\n'.repeat(1000)).subarray(0, -10)
  const source = await openApi(
    { name: 'cut', settings: ApiSettings.parse({ url: server.on('/cut', () => ({ body: cut })), ...CSV }) },
    anySourceContext(),
    { backoff: shortBackoff },
  )
  await expect(readAll(source.read())).rejects.toThrow('The gzip file is damaged or incomplete.')
})

test.each([
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
])('a reply compressed with %s is decompressed', async (encoding, pack) => {
  const headers = { 'content-encoding': encoding }
  expect(await rowsOf(pack(JSON_TEXT), headers)).toEqual([['näme'], ['Łódź 📚']])
  expect(await rowsOf(pack('a,b\n1,2'), headers, CSV)).toEqual([
    ['a', 'b'],
    ['1', '2'],
  ])
})

test('another compression is refused with its name', async () => {
  await expect(rowsOf('x', { 'content-encoding': 'zstd' })).rejects.toThrow('packed as zstd')
})

test('numbers that JSON would round are returned as text, others as numbers', async () => {
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

test('a column that first occurs later extends the header without changing earlier rows', async () => {
  const url = server.on('/later', ({ url }) => {
    const page = Number(url.searchParams.get('page'))
    return { body: page === 1 ? [{ a: 1 }] : page === 2 ? [{ b: { c: 2 }, a: 3 }] : [] }
  })
  const settings = ApiSettings.parse({ url, paging: { style: 'page', param: 'page' } })
  const reading = (await openApi({ name: 'later', settings }, anySourceContext())).read()
  const seen: unknown[] = []
  for await (const batch of reading.batches) seen.push([reading.header, batch.map((row) => String(row))])
  expect(seen).toEqual([
    [['a'], ['["a"]', '[1]']],
    [['a', 'b.c'], ['[3,2]']],
  ])
})

test('CSV cells are text, and rows that do not fit the header are reported', async () => {
  const reading = await read('sku, price ,sku\n007,1.50,x\n1,2\n"a,b",,"say ""hi""",more\n', {}, CSV)
  expect(await readAll(reading)).toEqual([
    ['sku', 'price', 'sku', ''],
    ['007', '1.50', 'x'],
    ['1', '2'],
    ['a,b', '', 'say "hi"', 'more'],
  ])
  expect(reading.warnings).toEqual(['2 rows have more or fewer cells than the header, first data row 2.'])
})

test('each row of another length is counted once, and no other', async () => {
  const rows = Array.from({ length: 1000 }, (_, n) => `${n},x`)
  const one = await read(`a,b\n${rows.with(0, '0,x,more').join('\n')}\n`, {}, CSV)
  await readAll(one)
  expect(one.warnings).toEqual(['1 row has more or fewer cells than the header, first data row 1.'])
  const many = rows.map((row, n) => (n % 20 === 9 ? `${row},more` : row))
  const fifty = await read(`a,b\n${many.join('\n')}\n`, {}, CSV)
  await readAll(fifty)
  expect(fifty.warnings).toEqual(['50 rows have more or fewer cells than the header, first data row 10.'])
})

test('a quote inside an unquoted cell is text, with a warning', async () => {
  const reading = await read('sku,name\n1,"M8" bolt\n2,"M10, long"\n3,5" pipe\n', {}, CSV)
  expect(await readAll(reading)).toEqual([
    ['sku', 'name'],
    ['1', '"M8" bolt'],
    ['2', 'M10, long'],
    ['3', '5" pipe'],
  ])
  expect(reading.warnings).toEqual([
    '2 rows have a quote inside a cell that is not quoted, which was read as text, first data row 1.',
  ])
})

test('the delimiter is detected and shown, unless it is set', async () => {
  const body = 'Size, cm, inner;Price\n1;2\n3;4\n'
  const detected = await read(body, {}, CSV)
  expect(await readAll(detected)).toEqual([
    ['Size, cm, inner', 'Price'],
    ['1', '2'],
    ['3', '4'],
  ])
  expect(detected.remarks).toEqual(['Read as CSV: delimiter semicolon, encoding utf-8, quote "'])
  expect((await rowsOf(body, {}, { ...CSV, delimiter: ',' }))[0]).toEqual(['Size', 'cm', 'inner;Price'])
  expect(await rowsOf('sep=|\r\na,b|c\r\n1|2\r\n', {}, CSV)).toEqual([
    ['a,b', 'c'],
    ['1', '2'],
  ])
})

test('CSV pages are merged by column names', async () => {
  const url = server.on('/csv-pages', ({ url }) => {
    const page = Number(url.searchParams.get('page'))
    return { body: ['a,b\n1,2\n', 'b,a,c\n4,3,5\n', 'a,b\n'][page - 1] ?? '' }
  })
  const settings = ApiSettings.parse({ url, format: 'csv', paging: { style: 'page', param: 'page' } })
  const reading = (await openApi({ name: 'pages', settings }, anySourceContext())).read()
  expect(await readAll(reading)).toEqual([
    ['a', 'b', 'c'],
    ['1', '2'],
    ['3', '4', '5'],
  ])
})

test("an extra cell in a later page goes into an unnamed column, not into another page's column", async () => {
  const url = server.on('/csv-ragged', ({ url }) => {
    const page = Number(url.searchParams.get('page'))
    return { body: ['a,b,c\n1,2,3\n', 'a,b\n4,5,6\n', 'a,b\n'][page - 1] ?? '' }
  })
  const settings = ApiSettings.parse({ url, format: 'csv', paging: { style: 'page', param: 'page' } })
  const reading = (await openApi({ name: 'ragged', settings }, anySourceContext())).read()
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

test('deeply nested JSON causes no failure', async () => {
  const body = `${'['.repeat(200_000)}${']'.repeat(200_000)}`
  await expect(rowsOf(`[{"a":${body}}]`)).rejects.toMatchObject({ name: 'OriginFailure' })
})
