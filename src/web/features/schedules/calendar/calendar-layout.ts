import type {
  CalendarConflict,
  CalendarEntry,
  CalendarHour,
  ScheduleCalendar,
} from '../../../../contract/calendar/calls.ts'

import { taskTitle, titleText } from '../../../../contract/titles/task-title.ts'

const MINUTE_MS = 60_000

/** How much of the quota an hour needs. `conflict`: runs in it wait for the quota. `over`: more than the hour allows. */
export type LoadTone = 'none' | 'light' | 'conflict' | 'over'

/** Share of the quota in percent. */
export const quotaPercent = ({ quota_seconds, seconds }: Pick<CalendarHour, 'quota_seconds' | 'seconds'>) =>
  Math.ceil((quota_seconds / Math.max(1, seconds)) * 100)

/** End of an hour in milliseconds. */
const endOf = ({ at, seconds }: Pick<CalendarHour, 'at' | 'seconds'>) => Date.parse(at) + seconds * 1000

/** The hour in which a moment is; undefined outside of the range. */
export const hourAt = (hours: readonly CalendarHour[], moment: string): CalendarHour | undefined =>
  hours.find((hour) => Date.parse(hour.at) <= Date.parse(moment) && Date.parse(moment) < endOf(hour))

/** Starts of the hours in which a conflict lasts. */
export function conflictHours({
  hours,
  conflicts,
}: Pick<ScheduleCalendar, 'hours' | 'conflicts'>): Set<string> {
  const busy = conflicts.map(({ at, until }) => [Date.parse(at), Date.parse(until)] as const)
  return new Set(
    hours
      .filter((hour) => busy.some(([from, to]) => from < endOf(hour) && to > Date.parse(hour.at)))
      .map(({ at }) => at),
  )
}

export function toneOf(hour: CalendarHour, conflicts: ReadonlySet<string>): LoadTone {
  if (quotaPercent(hour) > 100) return 'over'
  if (conflicts.has(hour.at)) return 'conflict'
  return hour.runs > 0 ? 'light' : 'none'
}

/** Runs of an hour as a share of the busiest one, from 0 to 1. Any runs are visible. */
export function barShare(runs: number, most: number): number {
  return runs === 0 ? 0 : Math.max(0.04, runs / most)
}

/** A day of the week view: for each hour of the clock its parts. None: not in the range, or skipped; two: repeated. */
export type DayColumn = {
  date: string
  runs: number
  cells: CalendarHour[][]
  clock: 'ordinary' | 'skips' | 'repeats'
}

/** Divides the hours into days. */
export function dayColumns({
  hours,
  clock_changes,
}: Pick<ScheduleCalendar, 'hours' | 'clock_changes'>): DayColumn[] {
  return [...Map.groupBy(hours, ({ date }) => date)].map(([date, own]) => {
    const change = clock_changes.find((one) => one.date === date)
    return {
      date,
      runs: own.reduce((sum, { runs }) => sum + runs, 0),
      cells: Array.from({ length: 24 }, (_, hour) => own.filter((one) => one.hour === hour)),
      clock: change === undefined ? 'ordinary' : change.to > change.from ? 'skips' : 'repeats',
    }
  })
}

/** An entry with its starts within an hour. */
export type EntryInHour = { entry: CalendarEntry; starts: string[] }

/** The entries that start runs within an hour, earliest first. */
export function entriesInHour(
  { from, times, entries }: Pick<ScheduleCalendar, 'from' | 'times' | 'entries'>,
  hour: CalendarHour,
): EntryInHour[] {
  const start = Date.parse(from)
  const [first, end] = [Date.parse(hour.at) - start, endOf(hour) - start]
  const due = new Map<number, number[]>()
  times.forEach(({ minutes }, index) => {
    const own = minutes.filter((minute) => minute * MINUTE_MS >= first && minute * MINUTE_MS < end)
    if (own.length > 0) due.set(index, own)
  })
  return entries
    .filter(({ paused_by, tasks }) => paused_by === null && tasks > 0)
    .map((entry) => ({ entry, minutes: [...new Set(entry.times.flatMap((index) => due.get(index) ?? []))] }))
    .filter(({ minutes }) => minutes.length > 0)
    .map(({ entry, minutes }) => ({
      entry,
      starts: minutes
        .toSorted((a, b) => a - b)
        .map((minute) => new Date(start + minute * MINUTE_MS).toISOString()),
    }))
    .toSorted((a, b) => (a.starts[0] ?? '').localeCompare(b.starts[0] ?? ''))
}

/** Starts of the hours in which one of these entries is due. */
export function hoursOfEntries(
  { from, times, hours }: Pick<ScheduleCalendar, 'from' | 'times' | 'hours'>,
  entries: readonly CalendarEntry[],
): Set<string> {
  const indexes = new Set(
    entries.filter(({ paused_by, tasks }) => paused_by === null && tasks > 0).flatMap((entry) => entry.times),
  )
  const moments = [...indexes]
    .flatMap((index) => times[index]?.minutes ?? [])
    .map((minute) => Date.parse(from) + minute * MINUTE_MS)
    .sort((a, b) => a - b)
  const found = new Set<string>()
  let next = 0
  for (const hour of hours) {
    const end = endOf(hour)
    const before = next
    while ((moments[next] ?? Number.POSITIVE_INFINITY) < end) next += 1
    if (next > before) found.add(hour.at)
  }
  return found
}

/**
 * The entries that contain every word of the search: in the name, type, command or schedule, or in a time of day at which they are due.
 * `clock` formats an occurrence.
 */
export function searchCalendar(
  { from, times, entries }: Pick<ScheduleCalendar, 'from' | 'times' | 'entries'>,
  search: string,
  clock: (iso: string) => string,
): CalendarEntry[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return [...entries]
  const texts = times.map(({ text, minutes }) => {
    const due = minutes.map((minute) => clock(new Date(Date.parse(from) + minute * MINUTE_MS).toISOString()))
    return `${text} ${[...new Set(due)].join(' ')}`
  })
  return entries.filter((entry) => {
    const { type_name, command, kind, times: own } = entry
    const schedule = own.map((index) => texts[index]).join(' ')
    const text =
      `${entry.name} ${titleText(taskTitle(entry))} ${type_name ?? ''} ${kind === 'all' ? 'Run All' : ''} ${command} ${schedule}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
}

/** Conflicts that repeat at the same times of day with as many runs, as one: the first, and the days. */
export function repeatedConflicts(
  conflicts: readonly CalendarConflict[],
  clock: (iso: string) => string,
  dayOf: (iso: string) => string,
): { conflict: CalendarConflict; days: string[] }[] {
  const keyOf = ({ at, last_at, runs }: CalendarConflict) => `${clock(at)} ${clock(last_at)} ${runs}`
  return [...Map.groupBy(conflicts, keyOf).values()].flatMap((alike) => {
    const [conflict] = alike
    return conflict ? [{ conflict, days: alike.map(({ at }) => dayOf(at)) }] : []
  })
}

/** The hours with most runs, most first; none with less than a quarter of the busiest. */
export function busiestHours(hours: readonly CalendarHour[], count: number): CalendarHour[] {
  const most = Math.max(0, ...hours.map(({ runs }) => runs))
  return hours
    .filter(({ runs }) => runs > 0 && runs >= most / 4)
    .toSorted((a, b) => b.runs - a.runs)
    .slice(0, count)
}

/** All hours together. */
export const totalOf = (hours: readonly CalendarHour[]) =>
  hours.reduce(
    (sum, { runs, run_seconds, reads, writes }) => ({
      runs: sum.runs + runs,
      run_seconds: sum.run_seconds + run_seconds,
      reads: sum.reads + reads,
      writes: sum.writes + writes,
    }),
    { runs: 0, run_seconds: 0, reads: 0, writes: 0 },
  )
