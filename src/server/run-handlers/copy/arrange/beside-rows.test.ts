import { expect, test } from 'vitest'
import type { Row } from '../../../../contract/tables.ts'
import { besideOf, hashBeside, readBeside } from './beside-rows.ts'

const rows: Row[] = [
  ['a', 1, 'note'],
  ['b', 2],
  ['c', 3, null, 'note'],
  ['d', 4, 'note', null],
]

test('what stands beside each row is told apart by its cells and their places, as it is stored', () => {
  const table = { length: rows.length, row: (number: number) => rows[number - 1] ?? [] }
  const hashOf = readBeside(besideOf(table, 2))
  expect(hashOf(1)).toBe(hashBeside(['note']))
  expect(hashOf(2)).toBeNull()
  expect(hashOf(3)).not.toBe(hashOf(1))
  // Blank cells at the end are none.
  expect(hashOf(4)).toBe(hashOf(1))
  expect(hashOf(5)).toBeNull()
})
