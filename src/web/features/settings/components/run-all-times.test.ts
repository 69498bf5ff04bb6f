import { expect, test } from 'vitest'
import { differ, joinTimes } from './run-all-times.ts'

test('times differ when one was added or removed, not when only their order differs', () => {
  expect(differ(['04:00', '23:00'], ['23:00', '04:00'])).toBe(false)
  expect(differ([], [])).toBe(false)
  expect(differ(['04:00'], [])).toBe(true)
  expect(differ(['04:00'], ['05:00'])).toBe(true)
  expect(differ(['04:00'], ['04:00', '05:00'])).toBe(true)
})

test.each([
  [
    'what both added is there',
    ['04:00'],
    ['04:00', '06:00'],
    ['04:00', '05:00'],
    ['04:00', '05:00', '06:00'],
  ],
  ['what both added alike is there once', [], ['05:00'], ['05:00'], ['05:00']],
  [
    'what one took away is gone',
    ['04:00', '23:00'],
    ['23:00'],
    ['04:00', '05:00', '23:00'],
    ['05:00', '23:00'],
  ],
  [
    'what the other took away is gone',
    ['04:00', '23:00'],
    ['04:00', '06:00', '23:00'],
    ['23:00'],
    ['06:00', '23:00'],
  ],
])('two edits of the times join: %s', (_, start, mine, theirs, joined) => {
  expect(joinTimes(start, mine, theirs)).toEqual(joined)
})
