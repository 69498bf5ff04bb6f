import { expect, test } from 'vitest'
import { type CalendarAddress, readAddress, stepFrom, writeAddress } from './calendar-address.ts'

const start: CalendarAddress = { view: 'day', from: null, hour: null, search: '', paused: false }

test.each<CalendarAddress>([
  start,
  { ...start, view: 'week', from: '2027-03-28', search: 'prices 07:30' },
  { ...start, hour: '2027-03-28T05:00:00.000Z', paused: true },
  { ...start, view: 'table', search: 'a & b' },
])('the state of the screen survives its URL: %j', (address) => {
  expect(readAddress(writeAddress(address))).toEqual(address)
})

test('defaults are not in the URL', () => {
  expect(writeAddress(start).toString()).toBe('')
})

test.each(['view=month', 'from=2027-02-30', 'from=tomorrow', 'hour=noon', 'show=all'])(
  'an invalid value in the URL is ignored: %s',
  (query) => {
    expect(readAddress(new URLSearchParams(query))).toEqual(start)
  },
)

test.each([
  ['day', null, 1, '2026-11-27'],
  ['week', null, 1, '2026-12-03'],
  ['day', '2027-01-01', -1, '2026-12-31'],
  ['day', '2026-11-27', -1, null],
  ['week', '2026-11-30', -1, null],
] as const)(
  'a %s from %j on by %i begins %j; what has passed is not shown',
  (view, from, steps, expected) => {
    expect(stepFrom({ view, from }, '2026-11-26', steps)).toBe(expected)
  },
)
