import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CellValue, Row } from '../../../../contract/tables.ts'
import { parseRow } from '../../../connectors/row-json.ts'
import { cellsWithin, compareRows } from '../compare/row-differences.ts'

// Characters with a meaning in JSON, in formulas or for the cell parser.
const text = fc.oneof(
  fc.constantFrom('', 'a', '=A1', '= ', ',', '","', '\\', '\\"', '"', ']', '[1,2]', 'null', '\u2028', '📚 ß'),
  fc.string(),
)
const cell: fc.Arbitrary<CellValue> = fc.oneof(
  text,
  fc.boolean(),
  fc.integer(),
  fc.double({ noNaN: true }),
  fc.constant(null),
)
const row = fc.array(cell, { maxLength: 8 })
/** Some generated rows equal the other row except for a few cells. */
const rows = fc.oneof(
  fc.tuple(row, row),
  fc
    .tuple(fc.array(cell, { minLength: 1, maxLength: 8 }), fc.nat(7), cell)
    .map(([one, column, value]): [Row, Row] => [one, one.with(column % one.length, value)]),
)

/** Variants of a row's JSON: blank cells as null or '', characters plain or escaped. */
const written = fc.record({ blank: fc.constantFrom<CellValue>('', null), isEscaped: fc.boolean() })
type Written = { blank: CellValue; isEscaped: boolean }
const bytesOf = (cells: Row, { blank, isEscaped }: Written): Buffer => {
  const json = JSON.stringify(cells.map((value) => (value === null || value === '' ? blank : value)))
  const escaped = json.replace(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  return Buffer.from(isEscaped ? escaped : json)
}

/** Column, wanted value, and whether the found cell is blank. */
type Differing = [number, CellValue, boolean]

function compared(wanted: Buffer, found: Buffer) {
  const differs: Differing[] = []
  const possibleFormulas: [number, CellValue][] = []
  compareRows(wanted, found, {
    differs: (column, start, end, isBlank) => {
      const [value = null] = parseRow(`[${wanted.toString('utf8', start, end)}]`)
      differs.push([column, value, isBlank])
    },
    possibleFormulas: (...cell) => possibleFormulas.push(cell),
  })
  return { differs, possibleFormulas }
}

const isFormula = (value: CellValue) => typeof value === 'string' && value.startsWith('=')

function plainly(wanted: Row, found: Row) {
  const differs: Differing[] = []
  const possibleFormulas: [number, CellValue][] = []
  const cellAt = (cells: Row, column: number) => parseRow(JSON.stringify([cells[column] ?? null]))[0] ?? null
  for (let column = 0; column < Math.max(wanted.length, found.length); column += 1) {
    const [value, present] = [cellAt(wanted, column), cellAt(found, column)]
    if (value !== present) differs.push([column, value, present === null])
    else if (isFormula(value)) possibleFormulas.push([column, value])
  }
  return { differs, possibleFormulas }
}

test('two rows differ in the cells whose values differ, whatever their serialization', () => {
  fc.assert(
    fc.property(rows, written, written, ([wanted, found], one, other) => {
      expect(compared(bytesOf(wanted, one), bytesOf(found, other))).toEqual(plainly(wanted, found))
    }),
    { numRuns: 1_000 },
  )
})

test('cells within columns are those of the row, and none past its end', () => {
  fc.assert(
    fc.property(row, written, fc.nat(10), fc.nat(10), (cells, how, from, length) => {
      const bytes = bytesOf(cells, how)
      const all = JSON.parse(bytes.toString())
      const within = cellsWithin(bytes, from, from + length)
      expect(within).toHaveLength(length)
      for (const [at, json] of within.entries()) {
        if (from + at < all.length) expect(JSON.parse(json)).toEqual(all[from + at])
        else expect(json).toBe('')
      }
    }),
  )
})

test.each(['"a"', '1', '1.5', 'true'])(
  'a cell that is neither text, number nor boolean is refused beside %s',
  (wanted) => {
    for (const found of ['[1]', '{"a":1}']) {
      const compare = () => compared(Buffer.from(`[${wanted}]`), Buffer.from(`[${found}]`))
      expect(compare).toThrow('neither text, number nor boolean')
    }
  },
)

test('numbers are compared by their values, whatever their serialization', () => {
  expect(compared(Buffer.from('[1.0,1e2,"12",12,-1]'), Buffer.from('[1,100,12,123,-1.00]'))).toEqual({
    differs: [
      [2, '12', false],
      [3, 12, false],
    ],
    possibleFormulas: [],
  })
  const isOther = (wanted: string, found: string) =>
    compared(Buffer.from(`[${wanted}]`), Buffer.from(`[${found}]`)).differs.length > 0
  const alike = [
    ['12.5', '12.50'],
    ['0.3', '0.30'],
    ['0', '0.0'],
    ['0', '-0'],
    ['0.1', '0.10000000000000001'],
    ['9007199254740993', '9007199254740992'],
    ['0.5', '5e-1'],
  ] as const
  for (const [one, other] of alike)
    expect([one, isOther(one, other), isOther(other, one)]).toEqual([one, false, false])
  const others = [
    ['12.5', '12.05'],
    ['10', '1'],
    ['0.5', '5'],
    ['123456789.1234', '123456789.1235'],
    ['true', 'false'],
    ['1', 'true'],
    ['1', '"1"'],
  ] as const
  for (const [one, other] of others)
    expect([one, isOther(one, other), isOther(other, one)]).toEqual([one, true, true])
})

test('a text that begins with "=" behind the only cell that differs is a possible formula', () => {
  expect(compared(Buffer.from('["a",1,"=B1"]'), Buffer.from('["b",1,"=B1"]'))).toEqual({
    differs: [[0, 'a', false]],
    possibleFormulas: [[2, '=B1']],
  })
})
