import { expect, test } from 'vitest'
import { rangeOf, stateOf, withIds } from './selection.ts'

const order = [5, 3, 9, 1, 7]

test.each([
  [3, 1, [3, 9, 1]],
  [1, 3, [3, 9, 1]],
  [7, 7, [7]],
  [null, 9, [9]],
  [4, 9, [9]],
])('a range from %s to %s follows the order of the list', (from, to, ids) => {
  expect(rangeOf(order, from, to)).toEqual(ids)
})

test('ids are added and removed without duplicates', () => {
  const selected = withIds(new Set([1]), [1, 2, 3], true)
  expect([...selected]).toEqual([1, 2, 3])
  expect([...withIds(selected, [2, 9], false)]).toEqual([1, 3])
})

test.each([
  [[1, 2], 'all'],
  [[1, 4], 'some'],
  [[4], 'none'],
  [[], 'none'],
] as const)('the checkbox of the tasks %j is checked for %s', (ids, state) => {
  expect(stateOf(new Set([1, 2]), ids)).toBe(state)
})
