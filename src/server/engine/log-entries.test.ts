import { expect, test } from 'vitest'
import { formatMoment } from './log-entries.ts'

test.each([
  ['2026-01-31T04:00:01.999Z', 'America/New_York', '2026-01-30 23:00:01 EST'],
  ['2026-07-31T04:00:00Z', 'America/New_York', '2026-07-31 00:00:00 EST'],
  ['2026-03-08T06:59:59Z', 'America/New_York', '2026-03-08 01:59:59 EST'],
  ['2026-03-08T07:00:00Z', 'America/New_York', '2026-03-08 03:00:00 EST'],
  ['2026-11-01T05:59:59Z', 'America/New_York', '2026-11-01 01:59:59 EST'],
  ['2026-11-01T06:00:00Z', 'America/New_York', '2026-11-01 01:00:00 EST'],
  ['2026-12-31T23:30:00Z', 'Europe/Berlin', '2027-01-01 00:30:00 GMT+1'],
  ['2026-06-01T00:00:00Z', 'Asia/Kathmandu', '2026-06-01 05:45:00 GMT+5:45'],
  ['2026-10-03T15:29:59Z', 'Australia/Lord_Howe', '2026-10-04 01:59:59 GMT+10:30'],
  ['2026-10-03T15:30:00Z', 'Australia/Lord_Howe', '2026-10-04 02:30:00 GMT+11'],
])('%s in %s is written %s', (moment, zone, text) => {
  expect(formatMoment(new Date(moment), zone)).toBe(text)
  expect(formatMoment(new Date(moment), zone)).toBe(text)
})
