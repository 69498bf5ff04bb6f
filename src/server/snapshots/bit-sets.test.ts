import fc from 'fast-check'
import { expect, test } from 'vitest'
import { countRows, hasRow, matchingRows, rowNumbers, rowOutside } from './bit-sets.ts'
import { RowSet } from './row-set.ts'

const rows = fc.uniqueArray(fc.integer({ min: 1, max: 100 }), { maxLength: 60 })
const setOf = (numbers: number[]) =>
  RowSet.from(numbers, 1).bits.subarray(0, Math.ceil(Math.max(0, ...numbers) / 8))
const upTo = (count: number) => Array.from({ length: count }, (_, n) => n + 1)

test('a set contains the added rows, is counted, and is read from any position', () => {
  fc.assert(
    fc.property(rows, fc.nat(70), fc.nat(70), (numbers, offset, limit) => {
      const set = setOf(numbers)
      const sorted = numbers.toSorted((a, b) => a - b)
      expect(upTo(120).filter((row) => hasRow(set, row))).toEqual(sorted)
      expect(countRows(set)).toBe(numbers.length)
      expect(rowNumbers(set, { offset, limit })).toEqual(sorted.slice(offset, offset + limit))
    }),
  )
})

test('rows that are in some sets and not in others, among so many', () => {
  fc.assert(
    fc.property(rows, rows, fc.nat(110), (wanted, unwanted, count) => {
      const found = matchingRows(count, [
        { set: setOf(wanted), wanted: true },
        { set: setOf(unwanted), wanted: false },
      ])
      const expected = upTo(count).filter((row) => wanted.includes(row) && !unwanted.includes(row))
      expect(rowNumbers(found, { offset: 0, limit: 200 })).toEqual(expected)
    }),
  )
  expect(countRows(matchingRows(13, []))).toBe(13)
})

test('a position among the rows outside a set has a row number, also beyond the end of the set', () => {
  fc.assert(
    fc.property(rows, (numbers) => {
      const set = setOf(numbers)
      const outside = upTo(130).filter((row) => !numbers.includes(row))
      expect(outside.map((_, n) => rowOutside(set, n + 1))).toEqual(outside)
    }),
  )
})
