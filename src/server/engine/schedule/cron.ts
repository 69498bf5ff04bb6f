import { Cron } from 'croner'
import { instantsAt, jumpOver, type WallTime, wallTime } from './wall-time.ts'

/** No honest expression comes near it. */
const LONGEST = 200
// No clock is put forward or back by more.
const MARGIN_MS = 3 * 3_600_000

/** A cron expression that was understood. `wildcard`: its hour is not fixed. */
export type CronSchedule = { readonly cron: Cron; readonly wildcard: boolean }

export class InvalidCron extends Error {
  override name = 'InvalidCron'
}

/** Reads a cron expression of exactly five fields. Throws InvalidCron, with a sentence for people. */
export function parseCron(text: string): CronSchedule {
  const fields = text.trim().split(/\s+/)
  if (text.length > LONGEST) throw new InvalidCron(`A cron expression has at most ${LONGEST} characters`)
  if (fields.length !== 5)
    throw new InvalidCron(
      `A cron expression has five fields: minute, hour, day of month, month, day of week. This one has ${text.trim() ? fields.length : 0}.`,
    )
  const unknown = /[^\d*,/A-Za-z-]/.exec(fields.join(''))
  if (unknown) throw new InvalidCron(`"${unknown[0]}" has no meaning in a cron expression`)
  const cron = understood(fields.join(' '))
  if (!cron.nextRun(new Date('2000-01-01T00:00:00Z')))
    throw new InvalidCron('This never runs: there is no such day')
  return { cron, wildcard: fields[1]?.startsWith('*') ?? false }
}

// Wall times are reckoned in UTC, where no hour is missing or repeated.
function understood(text: string): Cron {
  try {
    return new Cron(text, { timezone: 'UTC', mode: '5-part' })
  } catch (error) {
    const message = error instanceof Error ? error.message.replace(/^CronPattern: /, '') : String(error)
    throw new InvalidCron(message, { cause: error })
  }
}

/** Every day at a time of day, HH:MM. Throws InvalidCron when it is none. */
export function dailyAt(time: string): CronSchedule {
  const [, hour, minute] = /^(\d\d):(\d\d)$/.exec(time) ?? []
  return parseCron(`${Number(minute)} ${Number(hour)} * * *`)
}

/**
 * The moments after `from` and up to `to` at which the schedule is due in `zone`, in order. A fixed hour that the clock
 * jumps over is due once, right after the jump, and once where it repeats; a wildcard hour follows elapsed time.
 */
export function dueMoments(
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

/** The first moment after `now` at which the schedule is due in `zone`; null if it never is again. */
export function nextRun(schedule: CronSchedule, { now, zone }: { now: Date; zone: string }): Date | null {
  let first: number | null = null
  for (
    let wall = next(schedule, wallTime(now, zone) - MARGIN_MS);
    wall !== null;
    wall = next(schedule, wall)
  ) {
    // Where an hour repeats, a later figure on the clock may come at an earlier instant.
    if (first !== null && wall > wallTime(new Date(first), zone) + MARGIN_MS) return new Date(first)
    for (const instant of instantsOf(schedule, wall, zone))
      if (instant > now && (first === null || instant.getTime() < first)) first = instant.getTime()
  }
  return first === null ? null : new Date(first)
}

function instantsOf({ wildcard }: CronSchedule, wall: WallTime, zone: string): Date[] {
  const instants = instantsAt(wall, zone)
  if (wildcard) return instants
  return instants.length > 0 ? instants.slice(0, 1) : [jumpOver(wall, zone)]
}

const next = ({ cron }: CronSchedule, wall: WallTime): WallTime | null =>
  cron.nextRun(new Date(wall))?.getTime() ?? null
