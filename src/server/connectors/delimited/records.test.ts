import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { detectDialect } from '../../platform/csv/dialect.ts'
import { csvRecords } from './records.ts'

/** Parses a text in chunks of `size` bytes; includes trailing blank cells. */
async function read(text: string, size?: number): Promise<unknown[][]> {
  const bytes = Buffer.from(text)
  const pieces = (async function* () {
    for (let at = 0; at < bytes.length; at += size ?? bytes.length)
      yield bytes.subarray(at, at + (size ?? bytes.length))
  })()
  const records: unknown[][] = []
  for await (const { rows, cells } of csvRecords(pieces, detectDialect))
    for (const [index, row] of rows.entries()) {
      const filled = z.array(z.unknown()).parse(JSON.parse(String(row)))
      expect(filled.at(-1)).not.toBe('')
      records.push([...filled, ...Array(Number(cells[index]) - filled.length).fill('')])
    }
  return records
}

test.each([
  [
    'comma',
    'a,b\n1,2\n',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  [
    'no line end at the end',
    'a,b\n1,2',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  [
    'CRLF',
    'a,b\r\n1,"2"\r\n',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  [
    'CR',
    'a,b\r1,2\r',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  [
    'semicolon',
    'a;b,c;d\n1;2;3\n',
    [
      ['a', 'b,c', 'd'],
      ['1', '2', '3'],
    ],
  ],
  [
    'tab',
    'a\tb\n1,5\t2\n',
    [
      ['a', 'b'],
      ['1,5', '2'],
    ],
  ],
  [
    'bar',
    'a|b\n1|2\n',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  [
    'delimiters in a quoted header',
    '"x;y;z",b\n1,2\n',
    [
      ['x;y;z', 'b'],
      ['1', '2'],
    ],
  ],
  [
    'quotes',
    'a,"b ""c"", d"\n"line\nbreak",5" pipe\n',
    [
      ['a', 'b "c", d'],
      ['line\nbreak', '5" pipe'],
    ],
  ],
  [
    'empty lines',
    '\n\na,b\n\n1,2\n\n',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  [
    'blank cells',
    'a,b\n,\n"",\n',
    [
      ['a', 'b'],
      ['', ''],
      ['', ''],
    ],
  ],
  ['rows of other lengths', 'a,b\n1\n1,2,3\n', [['a', 'b'], ['1'], ['1', '2', '3']]],
  [
    'more than one return before a line feed',
    'a,b\r\r\n1,"2"\r\r\n\r\r\n3,4\r\r\n',
    [
      ['a', 'b'],
      ['1', '2'],
      ['3', '4'],
    ],
  ],
  [
    'the delimiter line of Excel',
    'sep=;\r\na,b;c\r\n1;2\r\n',
    [
      ['a,b', 'c'],
      ['1', '2'],
    ],
  ],
  [
    'single quotes',
    "'a','b'\n'x, \"y\"','it''s'\n",
    [
      ['a', 'b'],
      ['x, "y"', "it's"],
    ],
  ],
  [
    'stray quotes',
    'a,b\n"M8" bolt,"1"2\n"5 inch,x\n"6 inch",y\n4,5" pipe\n',
    [
      ['a', 'b'],
      ['"M8" bolt', '"1"2'],
      ['"5 inch', 'x'],
      ['6 inch', 'y'],
      ['4', '5" pipe'],
    ],
  ],
  ['nothing', '', []],
])('%s', async (_name, text, expected) => {
  expect(await read(text)).toEqual(expected)
  expect(await read(text, 1)).toEqual(expected)
})

test('the error of an unclosed quote names its record', async () => {
  await expect(read('a,b\n1,"2\n3,4\n')).rejects.toThrow('Row 2 of the CSV has a quote that does not close.')
})

test('a long record is counted in characters, not in bytes', async () => {
  const text = '語'.repeat(900_000)
  expect(await read(`a,b\n"${text}",1\n`, 65_536)).toEqual([
    ['a', 'b'],
    [text, '1'],
  ])
})

test('an endless record ends the read', async () => {
  await expect(read(`a,b\n"${'x'.repeat(1_100_000)}`, 65_536)).rejects.toThrow(
    'more than 1,000,000 characters',
  )
})

test('records are read as written for any cells and any chunk boundaries', async () => {
  const cell = fc.string({
    unit: fc.constantFrom('a', 'ä', '📚', ',', '"', '\n', '\r', '\t', '\\', '\0', '\v', ' ', ';'),
    maxLength: 6,
  })
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 8 }),
      fc.integer({ min: 1, max: 20 }),
      async (rows, size) => {
        const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`
        const text = [['head', 'er'], ...rows].map((row) => row.map(quoted).join(',')).join('\n')
        expect(await read(text, size)).toEqual([['head', 'er'], ...rows])
      },
    ),
  )
})
