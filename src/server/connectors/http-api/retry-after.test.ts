import { expect, test } from 'vitest'
import { limitReset, retryAfter } from './retry-after.ts'

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

test.each<[Record<string, string>, number | null]>([
  [{}, null],
  [{ 'x-ratelimit-remaining': '12', 'x-ratelimit-reset': '30' }, null],
  [{ 'x-ratelimit-remaining': '0' }, null],
  [{ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '30' }, 30_000],
  [{ 'ratelimit-remaining': '0', 'ratelimit-reset': '1.5' }, 1500],
  [{ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(NOW / 1000 + 9) }, 10_000],
  [{ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(NOW + 9000) }, 9000],
  [{ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '2026-03-01T12:00:09Z' }, 9000],
  [{ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(NOW / 1000 - 60) }, 0],
  [
    {
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset-after': '4',
      'x-ratelimit-reset': String(NOW / 1000 + 9),
    },
    4000,
  ],
  [{ ratelimit: '"default";r=0;t=50' }, 50_000],
  [{ ratelimit: 'limit=100, remaining=0, reset=50' }, 50_000],
  [{ ratelimit: '"default";r=7;t=50' }, null],
])('the headers %j say when the limit is reset: %j ms', (headers, expected) => {
  expect(limitReset(headers, NOW)).toBe(expected)
})
