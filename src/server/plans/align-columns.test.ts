import { expect, test } from 'vitest'
import { alignCells, alignColumns } from './align-columns.ts'

test.each<[string, string[], string[], number[] | null]>([
  ['the same columns', ['A', 'B'], ['A', 'B'], null],
  ['a column behind', ['A', 'B'], ['A', 'B', 'C'], null],
  ['a column in front', ['A', 'B'], ['New', 'A', 'B'], [-1, 0, 1]],
  ['another order', ['A', 'B', 'C'], ['C', 'A', 'B'], [2, 0, 1]],
  ['a column left out', ['A', 'B', 'C'], ['A', 'C'], [0, 2]],
  ['a renamed header', ['A', 'B'], ['A', 'Bee'], null],
  ['a renamed header beside a moved one', ['A', 'B', 'C'], ['B', 'A', 'Sea'], [1, 0, 2]],
  ['repeated headers', ['A', 'A'], ['X', 'A', 'A'], [-1, 0, 1]],
  ['a target without a header', [], ['A'], null],
])('%s', (_, former, wanted, columns) => {
  expect(alignColumns(former, wanted)).toEqual(columns)
})

test('cells follow their columns', () => {
  expect(alignCells(['a', null, 'c'], [2, -1, 0, 1])).toEqual(['c', null, 'a'])
  expect(alignCells(['a', null, 'c'], null)).toEqual(['a', null, 'c'])
})
