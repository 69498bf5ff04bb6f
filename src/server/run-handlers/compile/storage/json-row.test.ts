import { expect, test } from 'vitest'
import { TableFormats } from '../../../snapshots/column-format.ts'
import { cellValue, findCells } from './json-row.ts'
import { skuReader } from './sku-reader.ts'

const cellsOf = (row: string) => {
  const bytes = Buffer.from(row)
  const places = new Int32Array(100)
  return Array.from({ length: findCells(bytes, 0, places) }, (_, n) =>
    bytes.toString('utf8', places[2 * n], places[2 * n + 1]),
  )
}

test.each([
  ['[]', []],
  ['["a"]', ['"a"']],
  ['[1.50, true, null, "", "x, \\"y]\\\\", -3]', ['1.50', 'true', 'null', '""', '"x, \\"y]\\\\"', '-3']],
  ['[1.50,true,null,"","x, \\"y]\\\\",-3]', ['1.50', 'true', 'null', '""', '"x, \\"y]\\\\"', '-3']],
  ['["Größe 💠", 0]', ['"Größe 💠"', '0']],
])('the cells of %s are found', (row, cells) => {
  expect(cellsOf(row)).toEqual(cells)
})

test('a value that is not plain is refused', () => {
  expect(() => cellsOf('[1, {"a": 1}]')).toThrow('no plain value')
})

test.each([
  ['["007", 1]', 0, '007'],
  ['[1, "  a b "]', 1, 'a b'],
  ['[1,"  a b "]', 1, 'a b'],
  ['[1.50]', 0, '1.50'],
  ['[true]', 0, 'true'],
  ['["\\t\\u00a0x\\"\\\\ "]', 0, 'x"\\'],
  ['["\u3000Ä\ufeff"]', 0, 'Ä'],
  ['[null]', 0, ''],
  ['[" \\n"]', 0, ''],
  ['[1]', 1, ''],
  ['["old"]', 0, 'new'],
  ['[" old"]', 0, 'new'],
  ['[7]', 0, 'seven'],
])('the SKU of %s in column %d is %j', (row, sku_column, sku) => {
  const mappings: Record<string, string> = sku === 'new' || sku === 'seven' ? { old: 'new', 7: 'seven' } : {}
  const { bytes, start, end } = skuReader({
    sku_column,
    sku_mappings: mappings,
    formats: new TableFormats([]),
  })(Buffer.from(row), 0, 1)
  expect(JSON.parse(`"${Buffer.from(bytes.subarray(start, end)).toString()}"`)).toBe(sku)
})

test.each([null, true, false, 0, -1.5, 1e21, '', 'x', '1', 'say "no"', 'a\\b', 'Größe 💠', 'tab\there'])(
  'the value of a cell with %o is read',
  (value) => {
    const bytes = Buffer.from(JSON.stringify(['', value]))
    const places = new Int32Array(4)
    findCells(bytes, 0, places)
    expect(cellValue(bytes, places[2] ?? 0, places[3] ?? 0)).toBe(value)
  },
)
