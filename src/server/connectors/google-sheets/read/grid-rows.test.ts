import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CellValue, NumberFormat, Row } from '../../../../contract/tables.ts'
import { rowText } from '../../row-json.ts'
import { MAX_COLUMNS } from '../a1.ts'
import { splitGrid } from './grid.ts'
import { GridRows } from './grid-rows.ts'
import { GRID_DEPTH } from './row-splitter.ts'

// Values with characters that mean something in JSON.
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

/** As Google may serialise it; the order of its fields varies. */
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
  for await (const batch of rows.read(columns).batches)
    for (const bytes of batch) texts.push(Buffer.from(bytes).toString())
  return texts
}

const withoutBlankEnd = (rows: string[]) => rows.slice(0, rows.findLastIndex((row) => row !== '[]') + 1)

test('rows of grid data equal those of a values reply, byte for byte, whatever Google’s serialization', async () => {
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
      expect(await read(rows, MAX_COLUMNS)).toEqual(withoutBlankEnd(expected.map(rowText)))
      const cut = expected.map((row) => rowText(plain(row.slice(0, columns))))
      expect(await read(rows, columns)).toEqual(withoutBlankEnd(cut))
      for (const [row, cells] of table.entries()) {
        expect(rows.row(row)).toEqual(expected[row])
        for (const [column, { format, formula }] of cells.entries()) {
          expect(formatOf(rows, row, column)).toEqual(format)
          expect(rows.isFormula({ row, column })).toBe(formula !== null)
        }
      }
    }),
    { numRuns: 2_000 },
  )
})

/** The cell in the response to a commit, which contains entered values. */
const entered = ({ value, formula }: Cell): object => {
  if (formula !== null) return { userEnteredValue: { formulaValue: formula } }
  const { effectiveValue } = { effectiveValue: undefined, ...shown(value) }
  return effectiveValue === undefined ? {} : { userEnteredValue: effectiveValue }
}

const formatOf = (rows: GridRows, row: number, column: number): unknown =>
  JSON.parse(rows.formats.key(row, column) || 'null')

async function* piecesOf(text: string, size: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text)
  // The chunk's memory is reused.
  const piece = Buffer.alloc(size)
  for (let at = 0; at < bytes.length; at += size) yield piece.subarray(0, bytes.copy(piece, 0, at, at + size))
}

test('a reply gives the same rows however it is split into pieces, for entered and for displayed values', async () => {
  const rowsOf = fc.array(fc.array(cell, { maxLength: 4 }), { maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(
      rowsOf,
      fc.integer({ min: 1, max: 400 }),
      fc.boolean(),
      async (table, size, isEntered) => {
        const write = isEntered ? entered : written
        const rowData = table.map((cells) => (cells.length > 0 ? { values: cells.map(write) } : {}))
        const properties = { title: 'S', gridProperties: { rowCount: 9, columnCount: 9 } }
        const reply = { properties: { title: 'T' }, sheets: [{ properties, data: [{ rowData }] }] }
        const rows = new GridRows()
        const limits = { depth: GRID_DEPTH, rows: 9, cells: 99 }
        const { frame, isWhole } = await splitGrid(piecesOf(JSON.stringify(reply), size), rows, limits)
        expect(isWhole).toBe(true)
        expect(JSON.parse(frame)).toEqual({ ...reply, sheets: [{ properties, data: [{ rowData: [] }] }] })
        const expected = table.map((cells) => plain(cells.map(({ value, formula }) => formula ?? value)))
        expect(await read(rows, MAX_COLUMNS)).toEqual(withoutBlankEnd(expected.map(rowText)))
        for (const [row, cells] of table.entries())
          for (const [column, { format, formula }] of cells.entries()) {
            expect(rows.isFormula({ row, column })).toBe(formula !== null)
            expect(formatOf(rows, row, column)).toEqual(isEntered ? null : format)
          }
      },
    ),
    { numRuns: 2_000 },
  )
})

test('3,000 rows, one of them very long, are returned unchanged', async () => {
  const rows = new GridRows()
  const texts = Array.from({ length: 3_000 }, (_, n) => 'ab"ß'.repeat(n === 1_500 ? 100_000 : n % 60))
  for (const stringValue of texts)
    rows.add(
      Buffer.from(
        JSON.stringify({
          values: [{ effectiveValue: { stringValue } }, {}, { effectiveValue: { boolValue: true } }],
        }),
      ),
    )
  expect(await read(rows, 3)).toEqual(texts.map((text) => JSON.stringify([text, '', true])))
  expect(rows.bytes).toBe(
    texts.reduce((sum, text) => sum + Buffer.byteLength(JSON.stringify([text, '', true])), 0),
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
  ['a field that was not requested', '{"note":"x","effectiveValue":{"boolValue":true}}', '["",true]'],
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

test('formats of 70,000 rows are known cell by cell', () => {
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
  expect([0, 1, 69_999].map((row) => formatOf(rows, row, 2))).toEqual([money, date, date])
  expect(formatOf(rows, 69_999, 1)).toBeNull()
})
