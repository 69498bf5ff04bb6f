import { expect, test } from 'vitest'
import type { CalendarEntry, CalendarHour } from '../../../../contract/calendar/calls.ts'
import {
  barShare,
  busiestHours,
  conflictHours,
  dayColumns,
  entriesInHour,
  hourAt,
  hoursOfEntries,
  quotaPercent,
  repeatedConflicts,
  searchCalendar,
  toneOf,
  totalOf,
} from './calendar-layout.ts'

const hour = (at: string, fields: Partial<CalendarHour> = {}): CalendarHour => ({
  at: `2050-03-27T${at}:00.000Z`,
  seconds: 3600,
  date: '2050-03-27',
  hour: Number(at.slice(0, 2)),
  ...{ runs: 0, run_seconds: 0, reads: 0, writes: 0, quota_seconds: 0 },
  ...fields,
})

const entry = (name: string, fields: Partial<CalendarEntry> = {}): CalendarEntry => ({
  ...{
    kind: 'task',
    category: 'sync',
    id: 1,
    name,
    command: 'Run sync task 1',
    type_name: 'Nightly',
    times: [0],
  },
  ...{ tasks: 1, next_run: null, paused_by: null, run_seconds: 0, requests: 0 },
  ...fields,
})

const from = '2050-03-27T00:00:00.000Z'
const clock = (iso: string) => iso.slice(11, 16)

test('the share of the quota is that of the hour, also of one that is cut', () => {
  expect(quotaPercent({ quota_seconds: 900, seconds: 3600 })).toBe(25)
  expect(quotaPercent({ quota_seconds: 900, seconds: 1800 })).toBe(50)
})

test('a bar shows its share of the busiest hour; few runs stay visible, none have no bar', () => {
  expect([barShare(0, 400), barShare(1, 400), barShare(200, 400), barShare(400, 400)]).toEqual([
    0, 0.04, 0.5, 1,
  ])
})

test('an hour has a conflict while one lasts, and is over the quota at more than 100 percent', () => {
  const hours = [
    hour('06:00', { runs: 5 }),
    hour('07:00', { runs: 67 }),
    hour('08:00', { runs: 1 }),
    hour('09:00'),
  ]
  const conflict = {
    at: '2050-03-27T07:50:00.000Z',
    last_at: '2050-03-27T07:50:00.000Z',
    runs: 67,
    quota_seconds: 1200,
  }
  const conflicts = conflictHours({ hours, conflicts: [{ ...conflict, until: '2050-03-27T08:10:00.000Z' }] })
  expect(hours.map((one) => toneOf(one, conflicts))).toEqual(['light', 'conflict', 'conflict', 'none'])
  expect(toneOf(hour('07:00', { quota_seconds: 3700 }), conflicts)).toBe('over')
})

test('a moment is in the hour that has begun before or at it', () => {
  const hours = [hour('06:00'), hour('07:00')]
  expect(hourAt(hours, '2050-03-27T07:00:00.000Z')).toBe(hours[1])
  expect(hourAt(hours, '2050-03-27T06:59:59.000Z')).toBe(hours[0])
  expect(hourAt(hours, '2050-03-27T08:00:00.000Z')).toBeUndefined()
})

test('a day that skips an hour has no cell for it, and one that repeats an hour has two', () => {
  const change = { at: '2050-03-27T01:00:00.000Z', skipped_times: [] }
  const spring = dayColumns({
    hours: [hour('00:00', { hour: 1, runs: 2 }), hour('01:00', { hour: 3, runs: 3 })],
    clock_changes: [{ ...change, date: '2050-03-27', from: '02:00', to: '03:00' }],
  })
  expect(spring).toMatchObject([{ date: '2050-03-27', runs: 5, clock: 'skips' }])
  expect(spring[0]?.cells.map((parts) => parts.length).slice(0, 4)).toEqual([0, 1, 0, 1])
  const autumn = dayColumns({
    hours: [hour('00:00', { hour: 2 }), hour('01:00', { hour: 2 })],
    clock_changes: [{ ...change, date: '2050-03-27', from: '03:00', to: '02:00' }],
  })
  expect(autumn[0]?.cells[2]).toHaveLength(2)
  expect(autumn[0]?.clock).toBe('repeats')
})

const calendar = {
  from,
  times: [
    { text: '07:30', minutes: [450] },
    { text: '*/20 7 * * *', minutes: [420, 440, 460] },
  ],
  entries: [
    entry('Prices'),
    entry('Stock', { kind: 'type', type_name: null, times: [1] }),
    entry('Paused', { paused_by: 'entry' }),
    entry('Empty', { kind: 'type', tasks: 0 }),
  ],
  hours: [hour('06:00'), hour('07:00'), hour('08:00')],
}

test('an hour lists its entries with their times, earliest first; paused ones and those without tasks are not due', () => {
  expect(
    entriesInHour(calendar, hour('07:00')).map(({ entry: { name }, starts }) => [name, starts.map(clock)]),
  ).toEqual([
    ['Stock', ['07:00', '07:20', '07:40']],
    ['Prices', ['07:30']],
  ])
  expect(entriesInHour(calendar, hour('08:00'))).toEqual([])
})

test('the hours of entries are those in which one is due', () => {
  expect([...hoursOfEntries(calendar, calendar.entries)]).toEqual([hour('07:00').at])
  expect([...hoursOfEntries(calendar, calendar.entries.slice(2))]).toEqual([])
})

test.each([
  ['', ['Prices', 'Stock', 'Paused', 'Empty']],
  ['nightly PRICES', ['Prices']],
  ['07:20', ['Stock']],
  ['07:30', ['Prices', 'Paused', 'Empty']],
  ['*/20', ['Stock']],
  ['nothing like it', []],
])('a search finds names, types, schedules and times at which an entry is due: %j', (search, names) => {
  expect(searchCalendar(calendar, search, clock).map(({ name }) => name)).toEqual(names)
})

test('a conflict that repeats each day is one with its days; other times or sizes are others', () => {
  const conflict = (at: string, runs: number) => ({ at, last_at: at, until: at, runs, quota_seconds: 600 })
  const conflicts = [
    conflict('2050-03-27T07:30:00.000Z', 67),
    conflict('2050-03-27T09:00:00.000Z', 67),
    conflict('2050-03-28T07:30:00.000Z', 67),
    conflict('2050-03-29T07:30:00.000Z', 68),
  ]
  expect(
    repeatedConflicts(conflicts, clock, (at) => at.slice(8, 10)).map(({ conflict: { at }, days }) => [
      at,
      days,
    ]),
  ).toEqual([
    [conflicts[0]?.at, ['27', '28']],
    [conflicts[1]?.at, ['27']],
    [conflicts[3]?.at, ['29']],
  ])
})

test('the total and the total has all hours; the busiest hours are none with few runs', () => {
  const hours = [
    hour('06:00', { runs: 2, run_seconds: 10, reads: 4, writes: 1 }),
    hour('07:00'),
    hour('08:00', { runs: 5 }),
    hour('09:00', { runs: 1 }),
  ]
  expect(totalOf(hours)).toEqual({ runs: 8, run_seconds: 10, reads: 4, writes: 1 })
  expect(busiestHours(hours, 5).map(({ runs }) => runs)).toEqual([5, 2])
})
