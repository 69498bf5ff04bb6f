import { expect, test } from 'vitest'
import { scaleOf } from './scale.ts'

test.each([
  [0, 1, [1]],
  [1, 1, [1]],
  [3, 3, [1, 2, 3]],
  [5, 6, [2, 4, 6]],
  [19, 20, [5, 10, 15, 20]],
  [380, 400, [100, 200, 300, 400]],
  [200_001, 300_000, [100_000, 200_000, 300_000]],
])('a scale for up to %i', (most, top, lines) => {
  expect(scaleOf(most)).toEqual({ top, lines })
})
