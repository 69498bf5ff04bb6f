import { expect, test } from 'vitest'
import { fieldValue, snoozeTime, snoozeTimes } from './snooze-times.ts'

const NEW_YORK = 'America/New_York'
const at = Date.parse

test.each([
  ['Friday', '2026-11-20T12:30:00Z', '2026-11-21T13:00:00.000Z', '2026-11-23T13:00:00.000Z'],
  ['Monday', '2026-11-23T12:30:00Z', '2026-11-24T13:00:00.000Z', '2026-11-30T13:00:00.000Z'],
  ['late on Sunday in UTC', '2026-11-23T03:00:00Z', '2026-11-23T13:00:00.000Z', '2026-11-23T13:00:00.000Z'],
  [
    'before the clocks go back',
    '2026-10-31T12:00:00Z',
    '2026-11-01T13:00:00.000Z',
    '2026-11-02T13:00:00.000Z',
  ],
])('on a %s the mornings are those of the zone', (_, now, tomorrow, monday) => {
  const hour = new Date(at(now) + 3_600_000).toISOString()
  expect(snoozeTimes(at(now), NEW_YORK)).toEqual({ hour, tomorrow, monday })
})

test.each([
  ['2026-11-20T09:00', '2026-11-20T14:00:00.000Z'],
  ['2026-11-20T07:29', null],
  ['2027-06-01T00:00', null],
  ['', null],
])('the time %s becomes %s', (value, moment) => {
  const now = at('2026-11-20T12:30:00Z')
  expect(snoozeTime(value, { now, zone: NEW_YORK, days: 92 })).toBe(moment)
  if (moment) expect(fieldValue(moment, NEW_YORK)).toBe(value)
})
