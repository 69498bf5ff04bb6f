import { Cron } from 'croner'
import { singleBlanks } from '../../../contract/fields.ts'
import { cronMessages as messages } from '../../../contract/schedules/server-messages.ts'
import { InvalidCron, readFields } from './cron-fields.ts'
import { instantsAt, jumpOver, type WallTime, wallTime } from './wall-time.ts'

// No time zone changes its clock by more.
const MARGIN_MS = 3 * 3_600_000
const MINUTE_MS = 60_000
const MINUTES_A_DAY = 1440

/** A parsed cron expression. `wildcard`: its hour is not fixed. */
export type CronSchedule = { readonly cron: Cron; readonly wildcard: boolean }

/** Parses a cron expression of exactly five fields. Throws InvalidCron with a message for users. */
export function parseCron(text: string): CronSchedule {
  readFields(text)
  const schedule = readByCroner(text)
  if (schedule === null) throw new InvalidCron(messages.not_understood)
  if (!schedule.cron.nextRun(new Date('2000-01-01T00:00:00Z'))) throw new InvalidCron(messages.never_runs)
  return schedule
}

/**
 * Like `parseCron` for a stored expression; null if croner cannot parse it. Versions up to 0.1 stored some that are
 * rejected now; those remain due.
 */
export function readByCroner(text: string): CronSchedule | null {
  const expression = singleBlanks(text)
  try {
    // Wall times are computed in UTC, which has no missing or repeated hours; a fixed offset takes a tenth of the
    // time of a zone.
    const cron = new Cron(expression, { utcOffset: 0, mode: '5-part' })
    return { cron, wildcard: expression.split(' ')[1]?.startsWith('*') ?? false }
  } catch {
    return null
  }
}

/** Every day at HH:MM. Throws InvalidCron. */
export function dailyAt(time: string): CronSchedule {
  const [, hour, minute] = /^(\d\d):(\d\d)$/.exec(time) ?? []
  return parseCron(`${Number(minute)} ${Number(hour)} * * *`)
}

/**
 * The occurrences of the schedule in `zone` after `from` and up to `to`, in order. A fixed hour in the gap of a clock
 * change is due once, right after the gap, and once in a repeated hour; a wildcard hour follows elapsed time.
 */
export function occurrences(
  schedule: CronSchedule,
  { from, to, zone }: { from: Date; to: Date; zone: string },
): Date[] {
  const last = wallTime(to, zone) + MARGIN_MS
  const due = new Set<number>()
  for (
    let wall = next(schedule, wallTime(from, zone) - MARGIN_MS);
    wall !== null && wall <= last;
    wall = next(schedule, wall)
  )
    for (const instant of instantsOf(schedule, wall, zone)) due.add(instant.getTime())
  return [...due]
    .filter((instant) => instant > from.getTime() && instant <= to.getTime())
    .sort((a, b) => a - b)
    .map((instant) => new Date(instant))
}

type Clock = { now: Date; zone: string }

/** The first occurrence after `now` in `zone`; null if there is none. */
export const nextRun = (schedule: CronSchedule, clock: Clock): Date | null =>
  nextRuns(schedule, clock, 1)[0] ?? null

/** Up to `count` occurrences after `now` in `zone`, in order. */
export function nextRuns(schedule: CronSchedule, { now, zone }: Clock, count: number): Date[] {
  let runs: number[] = []
  for (
    let wall = next(schedule, wallTime(now, zone) - MARGIN_MS);
    wall !== null;
    wall = next(schedule, wall)
  ) {
    // In a repeated hour, a later wall time may be an earlier instant.
    const last = runs[count - 1]
    if (last !== undefined && wall > wallTime(new Date(last), zone) + MARGIN_MS) break
    const instants = instantsOf(schedule, wall, zone).map((instant) => instant.getTime())
    const added = instants.filter(
      (instant) => instant > now.getTime() && !runs.includes(instant) && instant < (last ?? Infinity),
    )
    if (added.length > 0) runs = [...runs, ...added].sort((a, b) => a - b).slice(0, count)
  }
  return runs.map((instant) => new Date(instant))
}

/** The wall times from `from` up to, not including, `to` at which the schedule is due, in order. */
export function dueOnWall(
  schedule: CronSchedule,
  { from, to }: { from: WallTime; to: WallTime },
): WallTime[] {
  const due: WallTime[] = []
  for (let wall = next(schedule, from - 1000); wall !== null && wall < to; wall = next(schedule, wall))
    due.push(wall)
  return due
}

/** The shortest time between two consecutive occurrences, in seconds of a clock without changes. */
export function shortestGap(schedule: CronSchedule, now: Date): number | null {
  let shortest = Number.POSITIVE_INFINITY
  let last = next(schedule, now.getTime())
  // This many occurrences cover every minute of a day and the step to the next day.
  for (let step = 0; last !== null && step <= MINUTES_A_DAY && shortest > MINUTE_MS; step += 1) {
    const wall = next(schedule, last)
    if (wall !== null) shortest = Math.min(shortest, wall - last)
    last = wall
  }
  return Number.isFinite(shortest) ? shortest / 1000 : null
}

function instantsOf({ wildcard }: CronSchedule, wall: WallTime, zone: string): Date[] {
  const instants = instantsAt(wall, zone)
  if (wildcard) return instants
  return instants.length > 0 ? instants.slice(0, 1) : [jumpOver(wall, zone)]
}

function next({ cron }: CronSchedule, wall: WallTime): WallTime | null {
  const found = cron.nextRun(new Date(wall))?.getTime() ?? null
  const start = new Date(wall)
  const nextMonth = Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1)
  // croner treats 31 February as 3 March and skips earlier occurrences, so each month is queried separately.
  return found === null || found < nextMonth
    ? found
    : (cron.nextRun(new Date(nextMonth - 1000))?.getTime() ?? null)
}
