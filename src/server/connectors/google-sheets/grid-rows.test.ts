import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CellValue, NumberFormat, Row } from '../../../contract/tables.ts'
import { rowText } from '../row-json.ts'
import { MOST_COLUMNS } from './a1.ts'
import { GridRows } from './grid-rows.ts'

// What a cell may hold that means something to JSON, or to whoever looks for the end of a text or a number.
const text = fc.oneof(
  fc.constantFrom(
    'a',
    '=A1',
    '"',
    '\\',
    '\\"',
    ']}',
    '{"values":[',
    '"}},{',
    '\n',
    '\u2028',
    '\0',
    '📚 ß',
    '#N/A',
  ),
  fc.string({ unit: 'grapheme' }),
)
const value: fc.Arbitrary<CellValue> = fc.oneof(
  text,
  fc.boolean(),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(null, '', 0, 0.5, -0.5, 1e-7, 1e21, 0.1 + 0.2, 123456789012345680, '='),
)
const format = fc.option(
  fc.record({ type: fc.constantFrom('NUMBER', 'DATE'), pattern: text }, { requiredKeys: ['type'] }),
  { freq: 3 },
)
const cell = fc.record({
  value,
  format,
  formula: fc.option(
    text.map((rest) => `=${rest}`),
    { freq: 5 },
  ),
  isTurned: fc.boolean(),
})
type Cell = typeof cell extends fc.Arbitrary<infer T> ? T : never

const shown = (cell: CellValue) => {
  if (typeof cell === 'string') return { effectiveValue: { stringValue: cell } }
  if (typeof cell === 'number') return { effectiveValue: { numberValue: cell } }
  return cell === null ? {} : { effectiveValue: { boolValue: cell } }
}

/** As Google might write it, its fields in one order or the other. */
function written({ value, format, formula, isTurned }: Cell): object {
  const fields = Object.entries({
    ...(formula !== null && { userEnteredValue: { formulaValue: formula } }),
    ...shown(value),
    ...(format && { userEnteredFormat: { numberFormat: format } }),
  })
  return Object.fromEntries(isTurned ? fields.reverse() : fields)
}

const isBlank = (cell: CellValue | undefined) => cell === null || cell === '' || cell === undefined
const plain = (cells: Row): Row =>
  cells
    .map((cell) => (cell === '' ? null : Object.is(cell, -0) ? 0 : cell))
    .slice(0, cells.findLastIndex((cell) => !isBlank(cell)) + 1)

async function read(rows: GridRows, columns: number): Promise<string[]> {
  const texts: string[] = []
  for await (const batch of rows.reading(columns).batches)
    for (const bytes of batch) texts.push(Buffer.from(bytes).toString())
  return texts
}

const withoutBlankEnd = (rows: string[]) => rows.slice(0, rows.findLastIndex((row) => row !== '[]') + 1)

test('rows of grid data are those of a values reply, byte for byte, however Google writes them', async () => {
  const rowsOf = fc.array(fc.array(cell, { maxLength: 6 }), { maxLength: 5 })
  await fc.assert(
    fc.asyncProperty(rowsOf, fc.boolean(), fc.nat(6), async (table, isEscaped, columns) => {
      const rows = new GridRows()
      for (const cells of table) {
        const json = JSON.stringify(cells.length > 0 ? { values: cells.map(written) } : {})
        const escaped = json.replace(
          /[\u0080-\uffff/]/g,
          (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
        )
        rows.add(Buffer.from(isEscaped ? escaped : json))
      }
      const expected = table.map((cells) => plain(cells.map(({ value, formula }) => formula ?? value)))
      expect(await read(rows, MOST_COLUMNS)).toEqual(withoutBlankEnd(expected.map(rowText)))
      const cut = expected.map((row) => rowText(plain(row.slice(0, columns))))
      expect(await read(rows, columns)).toEqual(withoutBlankEnd(cut))
      for (const [row, cells] of table.entries()) {
        expect(rows.row(row)).toEqual(expected[row])
        for (const [column, { format, formula }] of cells.entries()) {
          expect(rows.format(row, column)).toEqual(format)
          expect(rows.isFormula({ row, column })).toBe(formula !== null)
        }
      }
    }),
    { numRuns: 2_000 },
  )
})

const rowWith = (cell: string): GridRows => {
  const rows = new GridRows()
  rows.add(Buffer.from(`{"values":[{},${cell}]}`))
  return rows
}

test.each([
  ['1.0', '1'],
  ['1e2', '100'],
  ['1E+2', '100'],
  ['-0', '0'],
  ['-0.50', '-0.5'],
  ['0.00000010', '1e-7'],
  ['12345678901234567890', '12345678901234567000'],
])('a number that is written as %s is kept as %s', async (given, kept) => {
  const rows = rowWith(`{"effectiveValue":{"numberValue":${given}}}`)
  expect(await read(rows, 2)).toEqual([`["",${kept}]`])
})

test.each([
  ['an error', '{"effectiveValue":{"errorValue":{"type":"N_A","message":"x"}}}', '["","#N/A"]'],
  ['spaces between', '{ "effectiveValue": { "numberValue": 1 } }', '["",1]'],
  ['a field that nobody asked for', '{"note":"x","effectiveValue":{"boolValue":true}}', '["",true]'],
  [
    'empty fields',
    '{"userEnteredValue":{},"effectiveValue":{"stringValue":"a"},"userEnteredFormat":{}}',
    '["","a"]',
  ],
])('a cell with %s is read', async (_, cell, kept) => {
  expect(await read(rowWith(cell), 2)).toEqual([kept])
})

test.each([
  '{"values":[{"effectiveValue":{"numberValue":1}]}',
  '{"values":[{"effectiveValue":{"numberValue":01}}]}',
  '{"values":[{"effectiveValue":{"numberValue":}}]}',
  '{"values":[{"effectiveValue":{"stringValue":"a}}]}',
  '{"values":[{"effectiveValue":{"stringValue":"a"}},]}',
  '{"values":[{}]}}',
  '{"values":[[]]}',
  '{"values":[1]}',
  '[]',
])('%s is no row', (json) => {
  expect(() => new GridRows().add(Buffer.from(json))).toThrow()
})

test('a format that all cells have is kept once', () => {
  const rows = new GridRows()
  const formatted = (format: NumberFormat) => ({ userEnteredFormat: { numberFormat: format } })
  const [date, money] = [
    { type: 'DATE', pattern: 'yyyy' },
    { type: 'CURRENCY', pattern: '0.00 "{€}"' },
  ]
  for (let row = 0; row < 70_000; row += 1)
    rows.add(
      Buffer.from(JSON.stringify({ values: [formatted(date), {}, formatted(row % 2 ? date : money)] })),
    )
  expect([0, 1, 69_999].map((row) => rows.format(row, 2))).toEqual([money, date, date])
  expect(rows.format(69_999, 1)).toBeNull()
})
