import fc from 'fast-check'
import { expect, test } from 'vitest'
import { RowSpans } from '../compare/row-spans.ts'

// Some rows exceed the initial capacity, and some exceed twice that.
const places = fc.array(fc.record({ row: fc.constantFrom(0, 1, 7, 1023, 1024, 5000), column: fc.nat(200) }))

test('each row has a span from its first to its last differing column, and equal rows have none', () => {
  fc.assert(
    fc.property(places, (all) => {
      const spans = new RowSpans()
      for (const { row, column } of all) spans.add(row, column)
      for (const row of [0, 1, 2, 7, 1023, 1024, 4999, 5000, 9999]) {
        const columns = all.filter((place) => place.row === row).map(({ column }) => column)
        const span = { from: Math.min(...columns), to: Math.max(...columns) + 1 }
        expect(spans.of(row)).toEqual(columns.length > 0 ? span : null)
      }
    }),
  )
})
