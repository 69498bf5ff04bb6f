import type { CalendarEntry, ScheduleCalendar } from '../../src/contract/calendar/calls.ts'

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
const ZONE = 'America/New_York'
// New York is five hours behind UTC in January.
const DAY = '2050-01-10'
const START = Date.parse(`${DAY}T05:00:00Z`)

const iso = (at: number) => new Date(at).toISOString()

const entry = (fields: Partial<CalendarEntry>): CalendarEntry => ({
  kind: 'task',
  category: 'sync',
  id: 1,
  name: 'Prices',
  command: 'Run sync task 1',
  type_name: 'Nightly',
  times: [],
  tasks: 1,
  next_run: iso(START + 7.5 * HOUR_MS),
  paused_by: null,
  run_seconds: 40,
  requests: 4,
  ...fields,
})

/** Runs per hour of one day in a medium-sized installation. */
const RUNS = [4, 0, 12, 31, 58, 140, 23, 67, 9, 4, 4, 12, 4, 4, 4, 12, 4, 4, 21, 4, 4, 4, 4, 310]

/**
 * A reply of the calendar call: hours with runs for `days` days, two conflicts, entries of all kinds including a paused one, and
 * `tasks` additional tasks. The first `past` hours are omitted. With `clock`, the third day skips 02:00.
 */
export function calendarReply({ days = 1, tasks = 0, past = 0, clock = false } = {}): ScheduleCalendar {
  const hours = Array.from({ length: days * 24 - past }, (_, index) => {
    const at = START + (index + past) * HOUR_MS
    const hour = (index + past) % 24
    const weekend = new Date(at - 5 * HOUR_MS).getUTCDay() % 6 === 0
    const runs = weekend ? Math.round((RUNS[hour] ?? 0) / 3) : (RUNS[hour] ?? 0)
    return {
      ...{ at: iso(at), seconds: 3600, date: iso(at - 5 * HOUR_MS).slice(0, 10), hour, runs },
      ...{ run_seconds: runs * 34, reads: runs * 3, writes: runs * 2 },
      quota_seconds: Math.round(((runs * 3) / 60) * (hour === 23 ? 240 : 61)),
    }
  }).filter(({ date, hour }) => !(clock && date === '2050-01-12' && hour === 2))
  const conflict = (hour: number, runs: number, minutes: number) => ({
    at: iso(START + (hour + 0.5) * HOUR_MS),
    last_at: iso(START + (hour + 0.5) * HOUR_MS),
    until: iso(START + (hour + 0.5) * HOUR_MS + minutes * MINUTE_MS),
    runs,
    quota_seconds: minutes * 60,
  })
  const every_day = (minute: number) =>
    Array.from({ length: days }, (_, day) => day * 1440 + minute - past * 60).filter((one) => one >= 0)
  return {
    now: iso(START + past * HOUR_MS + 12 * MINUTE_MS),
    from: iso(START + past * HOUR_MS),
    to: iso(START + days * 24 * HOUR_MS),
    time_zone: ZONE,
    today: DAY,
    hours,
    conflicts: [conflict(7, 67, 11), conflict(23, 310, 63)],
    clock_changes: clock
      ? [
          {
            at: iso(START + 50 * HOUR_MS),
            date: '2050-01-12',
            from: '02:00',
            to: '03:00',
            skipped_times: ['02:30'],
          },
        ]
      : [],
    times: [
      { text: '*/20 7 * * *', minutes: [420, 440, 460].flatMap(every_day).sort((a, b) => a - b) },
      { text: '07:30', minutes: every_day(450) },
      { text: '23:30', minutes: every_day(1410) },
    ],
    entries: [
      entry({
        kind: 'all',
        id: null,
        name: '',
        type_name: null,
        command: 'Run all sync tasks',
        times: [2],
        tasks: 310,
        run_seconds: 10_540,
        requests: 1550,
        next_run: iso(START + 23.5 * HOUR_MS),
      }),
      entry({
        kind: 'type',
        category: 'source',
        id: 3,
        name: 'Supplier feeds',
        type_name: null,
        command: 'Run all source tasks of this type',
        times: [0],
        tasks: 12,
        run_seconds: 408,
        requests: 24,
        next_run: iso(START + 7 * HOUR_MS),
      }),
      entry({
        kind: 'type',
        category: 'compiler',
        id: 4,
        name: 'Catalogue',
        type_name: null,
        command: 'Compile',
        times: [1],
        tasks: 1,
        run_seconds: 95,
        requests: 0,
      }),
      entry({ times: [1] }),
      entry({
        id: 2,
        name: 'Stock levels',
        command: 'Run sync task 2',
        times: [1, 2],
        paused_by: 'entry',
        next_run: null,
        tasks: 0,
        run_seconds: 0,
        requests: 0,
      }),
      ...Array.from({ length: tasks }, (_, index) =>
        entry({
          id: index + 10,
          name: `Products ${index}`,
          command: `Run sync task ${index + 10}`,
          times: [1],
        }),
      ),
    ],
    unmeasured_tasks: 3,
  }
}
