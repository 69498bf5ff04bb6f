import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { csvJobServerMessages } from '../../../contract/csv-jobs/server-messages.ts'
import { limits } from '../../../contract/limits.ts'

import { NamedError } from '../errors.ts'
import { type CsvRow, readCsv, writeCsv } from './rows.ts'

const shape = { columns: ['name', 'text'], required: ['name'], ignored: ['id'] }

// As a file stream delivers it.
function* pieces(content: Buffer, size = 16_384): Generator<Buffer> {
  for (let at = 0; at < content.length; at += size) yield content.subarray(at, at + size)
}

async function read(content: string | Buffer, given = shape): Promise<CsvRow[]> {
  const rows: CsvRow[] = []
  for await (const row of readCsv(Readable.from(pieces(Buffer.from(content))), given)) rows.push(row)
  return rows
}

async function written(rows: Record<string, string | number>[]): Promise<string> {
  async function* each() {
    yield* rows
  }
  return (await buffer(writeCsv(['name', 'text'], each()))).toString()
}

const refusal = async (content: string | Buffer) => {
  const error = await read(content).catch((thrown: unknown) => thrown)
  return error instanceof NamedError ? [error.code, error.message] : error
}

const cells = (rows: CsvRow[]) => rows.map((row) => ('cells' in row ? row.cells : row.problem))

describe('a file is read', () => {
  const rows = [
    { name: 'A', text: 'Ü' },
    { name: 'B', text: '' },
  ]
  const accepted: [what: string, content: string][] = [
    ['with LF', 'name,text\nA,Ü\nB,\n'],
    ['with CR LF', 'name,text\r\nA,Ü\r\nB,\r\n'],
    ['with CR', 'name,text\rA,Ü\rB,\r'],
    ['without a last line end', 'name,text\nA,Ü\nB,'],
    ['with a byte order mark', '\ufeffname,text\nA,Ü\nB,\n'],
    ['with a byte order mark before a quote', '\ufeff"name","text"\n"A","Ü"\n"B",""\n'],
    ['with its columns in another order, and one that is left out', 'text,id,name\nÜ,7,A\n,8,B\n'],
    ['with blanks around the names of its columns', ' name , text\nA,Ü\nB,\n'],
    ['with semicolons', 'name;text\nA;Ü\nB;\n'],
    ['with semicolons and a byte order mark', '\ufeffname;text\r\nA;Ü\r\nB;\r\n'],
    ['with tabs', 'name\ttext\nA\tÜ\nB\t\n'],
    ['with the delimiter line of Excel', '\ufeffsep=;\r\nname;text\r\nA;Ü\r\nB;\r\n'],
    ['with two returns in each line end', 'name,text\r\r\nA,Ü\r\r\nB,\r\r\n'],
    ['with blank lines', 'name,text\n\nA,Ü\n,\nB,\n\n'],
    ['with empty columns behind', 'name,text,,\nA,Ü,,\nB,,,\n'],
    ['with empty cells behind', 'name,text\nA,Ü,\nB,,,\n'],
  ]
  test.each(accepted)('%s', async (_what, content) => {
    expect(cells(await read(content))).toEqual(rows)
  })

  test('for any chunk boundaries', async () => {
    const content = Buffer.from('\ufeffname,text\r\n"A ""x""",Ü€𝄞\r\n')
    for (let size = 1; size < 12; size++) {
      const rows: CsvRow[] = []
      for await (const row of readCsv(Readable.from(pieces(content, size)), shape)) rows.push(row)
      expect(cells(rows)).toEqual([{ name: 'A "x"', text: 'Ü€𝄞' }])
    }
  })

  test('rows are numbered as in a spreadsheet: the header is row 1, and blank lines count', async () => {
    expect((await read('name,text\nA,\n\n,\n"two\nlines",\nC,\n')).map(({ row }) => row)).toEqual([2, 5, 6])
  })

  test('a row of another length is reported with its number, and the rows after it are read', async () => {
    expect(await read('name,text\nA\nB,1,2\nC,3\n')).toEqual([
      { row: 2, problem: csvJobServerMessages.csv_row_ragged(1, 2) },
      { row: 3, problem: csvJobServerMessages.csv_row_ragged(3, 2) },
      { row: 4, cells: { name: 'C', text: '3' } },
    ])
  })
})

test('a column is accepted under its alias, but not under both names in one file', async () => {
  const shape = { columns: ['name', 'text'], required: [], ignored: [], aliases: { words: 'text' } }
  expect(cells(await read('name,words\nA,B\n', shape))).toEqual([{ name: 'A', text: 'B' }])
  await expect(read('text,name,words\n,A,B\n', shape)).rejects.toThrow(
    csvJobServerMessages.csv_columns_same('text', 'words'),
  )
})

describe('a file is refused with the reason', () => {
  const utf16 = (text: string) => Buffer.from(text, 'utf16le')
  const cases: [what: string, content: string | Buffer, message: string][] = [
    ['nothing in it', '', csvJobServerMessages.csv_empty],
    ['blank lines only', '\n\n\n', csvJobServerMessages.csv_empty],
    [
      'UTF-16 with its mark',
      Buffer.concat([Buffer.from([0xff, 0xfe]), utf16('name,text\n')]),
      csvJobServerMessages.csv_utf16,
    ],
    ['UTF-16 without a mark', utf16('name,text\n'), csvJobServerMessages.csv_utf16],
    ['UTF-16, most significant byte first', utf16('name,text\n').swap16(), csvJobServerMessages.csv_utf16],
    ['Latin-1', Buffer.from('name,text\nMüller,\n', 'latin1'), csvJobServerMessages.csv_latin1],
    [
      'a character cut at the end',
      Buffer.from('name,text\nA,€').subarray(0, -1),
      csvJobServerMessages.csv_latin1,
    ],
    ['a workbook', Buffer.from('PK\x03\x04 and so on', 'latin1'), csvJobServerMessages.csv_workbook],
    ['NUL', 'name,text\nA,x\0y\n', csvJobServerMessages.csv_nul],
    ['a quote that is never closed', 'name,text\nA,\n"B,\nC,\n', csvJobServerMessages.csv_quote_open(3)],
    [
      '9 MB after an open quote',
      `name,text\nA,\n"${'x,\n'.repeat(3_000_000)}`,
      csvJobServerMessages.csv_row_long(3),
    ],
    ['a quote in the wrong place', 'name,text\nA,\nB,"x"y\n', csvJobServerMessages.csv_quote_stray(3)],
    ['a column that does not exist', 'name,colour\nA,\n', csvJobServerMessages.csv_column_unknown('colour')],
    ['the column __proto__', 'name,__proto__\nA,\n', csvJobServerMessages.csv_column_unknown('__proto__')],
    ['a column without a name', 'name,,text\nA,,\n', csvJobServerMessages.csv_column_unknown('')],
    ['a column twice', 'name,text,name\nA,,B\n', csvJobServerMessages.csv_column_twice('name')],
    ['a required column missing', 'text\nA\n', csvJobServerMessages.csv_columns_missing(['name'])],
    ['201 columns', `${'name,'.repeat(200)}text\n`, csvJobServerMessages.csv_columns_many(200)],
    [
      'ten million semicolons',
      `name;text\n${';'.repeat(10_000_000)}`,
      csvJobServerMessages.csv_columns_many(200),
    ],
    ['ten million commas', ','.repeat(10_000_000), csvJobServerMessages.csv_columns_many(200)],
    [
      '300,000 rows',
      `name,text\n${'a,\n'.repeat(300_000)}`,
      csvJobServerMessages.csv_rows_many(limits.csv_rows),
    ],
    ['300,000 blank lines', '\n'.repeat(300_000), csvJobServerMessages.csv_rows_many(limits.csv_rows)],
    ['a million columns', `${'a,'.repeat(1_000_000)}a\n`, csvJobServerMessages.csv_columns_many(200)],
  ]
  test.each(cases)('%s', async (_what, content, message) => {
    expect(await refusal(content)).toEqual(['csv_invalid', message])
  })

  test('when it cannot be read at all', async () => {
    const source = Readable.from(
      (async function* () {
        yield Buffer.from('name,text\nA,\n')
        throw new Error('the disk is gone')
      })(),
    )
    const all = async () => {
      for await (const _ of readCsv(source, shape));
    }
    await expect(all()).rejects.toThrow('the disk is gone')
  })
})

test('the file is closed when reading stops', async () => {
  const source = Readable.from(
    (async function* () {
      for (;;) yield Buffer.from('name,text\nA,\n')
    })(),
  )
  const closed = new Promise((resolve) => source.once('close', resolve))
  for await (const _ of readCsv(source, shape)) break
  await closed
  expect(source.destroyed).toBe(true)
})

describe('a spreadsheet does not interpret exported texts as formulas', () => {
  const texts = [
    ['=IMPORTXML("http://x","//a")', `"'=IMPORTXML(""http://x"",""//a"")"`],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@a', "'@a"],
    ['\tx', "'\tx"],
    ['\r=1', `"'\r=1"`],
    ['\n=1', `"'\n=1"`],
    ['＝1', "'＝1"],
    ['＋1', "'＋1"],
    ['－1', "'－1"],
    ['＠a', "'＠a"],
    ["'＝1", "''＝1"],
    ["'=1", "''=1"],
    ["''@a", "'''@a"],
    ["'quoted'", "'quoted'"],
    ['a=1', 'a=1'],
    ["'", "'"],
    ['-12:00:00', '-12:00:00'],
    ['-12:00:00.5', '-12:00:00.5'],
    ['-1:00:00+1', "'-1:00:00+1"],
  ]
  test.each(texts)('%j is written as %j and read as it was', async (text, cell) => {
    const file = await written([{ name: 'A', text }])
    expect(file).toBe(`\ufeffname,text\r\nA,${cell}\r\n`)
    expect(cells(await read(file))).toEqual([{ name: 'A', text }])
  })

  test('a number stays a number', async () => {
    expect(await written([{ name: 'A', text: -1 }])).toBe('\ufeffname,text\r\nA,-1\r\n')
  })
})

test('written files are read back for any texts', async () => {
  const text = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.string({ unit: fc.constantFrom(...'\'"=+-@,;\t\r\n ax＝＋－＠') }),
  )
  const row = fc.record({ name: text.map((value) => `n${value}`), text })
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 5 }), async (rows) => {
      expect(cells(await read(await written(rows)))).toEqual(rows)
    }),
    { numRuns: 300 },
  )
})
