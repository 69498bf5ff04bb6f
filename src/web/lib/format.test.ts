import { expect, test } from 'vitest'
import { formatCount, formatElapsed } from './format.ts'

test.each([
  [0, '0s'],
  [0.4, '0s'],
  [59.4, '59s'],
  [59.6, '1m 0s'],
  [60, '1m 0s'],
  [3725, '62m 5s'],
  [-3, '0s'],
])('elapsed time is shown as "Xm Ys" or "Ys": %d seconds are %s', (seconds, text) => {
  expect(formatElapsed(seconds)).toBe(text)
})

test('a count is followed by the singular or plural form', () => {
  expect(formatCount(1, 'row')).toBe('1 row')
  expect(formatCount(0, 'row')).toBe('0 rows')
  expect(formatCount(1_203_000, 'row')).toBe('1,203,000 rows')
})
