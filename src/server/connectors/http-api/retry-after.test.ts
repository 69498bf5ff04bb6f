import { expect, test } from 'vitest'
import { retryAfter } from './retry-after.ts'

const NOW = Date.parse('2026-03-01T12:00:00Z')

test.each([
  [undefined, undefined, null],
  ['', undefined, null],
  ['soon', undefined, null],
  ['-5', undefined, null],
  ['0', undefined, 0],
  ['30', undefined, 30_000],
  [' 1.5 ', undefined, 1500],
  ['Sun, 01 Mar 2026 12:00:07 GMT', undefined, 7000],
  ['Sun, 01 Mar 2026 11:59:00 GMT', undefined, 0],
  ['Sunday, 01-Mar-26 12:00:07 GMT', undefined, 7000],
  // The server's clock is an hour ahead of ours.
  ['Sun, 01 Mar 2026 13:00:07 GMT', 'Sun, 01 Mar 2026 13:00:00 GMT', 7000],
])('Retry-After %j with the date %j: %j ms', (header, date, expected) => {
  expect(retryAfter(header, date, NOW)).toBe(expected)
})
