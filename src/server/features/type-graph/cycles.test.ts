import { expect, test } from 'vitest'
import { findCycles } from './queries/cycles.ts'

const edges = (...pairs: [number, number][]) => pairs.map(([from, to]) => ({ from, to }))

test.each([
  ['a chain', edges([1, 2], [2, 3], [1, 3]), []],
  ['two that wait for each other', edges([1, 2], [2, 1]), [[1, 2]]],
  ['a circle behind a chain', edges([1, 2], [2, 3], [3, 4], [4, 2], [4, 5]), [[2, 3, 4]]],
  [
    'circles apart',
    edges([1, 2], [2, 1], [3, 4], [4, 3]),
    [
      [1, 2],
      [3, 4],
    ],
  ],
  [
    'circles that share a type',
    edges([1, 2], [2, 1], [2, 3], [3, 2]),
    [
      [1, 2],
      [2, 3],
    ],
  ],
])('the cycles of %s', (_, given, circles) => {
  expect(findCycles(given).sort()).toEqual(circles)
})

test('a chain of 50,000 types is followed to its end', () => {
  const chain = Array.from({ length: 50_000 }, (_, n): [number, number] => [n, n + 1])
  expect(findCycles(edges(...chain))).toEqual([])
})
