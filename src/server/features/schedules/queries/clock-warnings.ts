import { cronMessages } from '../../../../contract/schedules/server-messages.ts'
import { type CronSchedule, dueOnWall } from '../../../engine/schedule/cron.ts'
import { type ClockChange, clockChanges, type WallTime } from '../../../engine/schedule/wall-time.ts'

const MINUTE_MS = 60_000
const AHEAD_MS = 366 * 24 * 60 * MINUTE_MS
// Longer lists show only the first and the last time.
const TIMES_SAID = 4

const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' })

/** Describes which occurrences the daylight-saving changes of the coming year shift, skip or repeat. */
export function clockWarnings(schedule: CronSchedule, { now, zone }: { now: Date; zone: string }): string[] {
  const to = new Date(now.getTime() + AHEAD_MS)
  return clockChanges(zone, { from: now, to }).flatMap((change) => {
    const text = change.to > change.from ? forward(schedule, change, zone) : back(schedule, change, zone)
    return text === null ? [] : [text]
  })
}

function forward(schedule: CronSchedule, change: ClockChange, zone: string): string | null {
  const inGap = dueOnWall(schedule, change)
  if (schedule.wildcard) {
    const left_out = inGap.filter((wall) => !isDue(schedule, wall + change.to - change.from))
    return left_out.length === 0 ? null : cronMessages.skipped(sentence(change, zone), times(left_out))
  }
  if (inGap.length === 0) return null
  // The occurrence right after the clock change belongs to the same run.
  const due = isDue(schedule, change.to) ? [...inGap, change.to] : inGap
  return cronMessages.shifted(sentence(change, zone), times(due), time(change.to))
}

// A fixed hour that repeats runs only once.
function back(schedule: CronSchedule, change: ClockChange, zone: string): string | null {
  if (!schedule.wildcard) return null
  const twice = dueOnWall(schedule, { from: change.to, to: change.from }).filter(
    (wall) => !isDue(schedule, wall + change.from - change.to),
  )
  return twice.length === 0 ? null : cronMessages.doubled(sentence(change, zone), times(twice))
}

// If the same minute of the next hour is due as well, as with hourly schedules, the interval does not change.
const isDue = (schedule: CronSchedule, wall: WallTime) =>
  dueOnWall(schedule, { from: wall, to: wall + MINUTE_MS }).length > 0

const sentence = ({ from, to }: ClockChange, zone: string) =>
  cronMessages.clock_change({
    zone,
    day: day.format(from),
    from: time(from),
    to: time(to),
    forward: to > from,
  })

const time = (wall: WallTime) => new Date(wall).toISOString().slice(11, 16)

const times = (walls: readonly WallTime[]): string[] =>
  walls.length <= TIMES_SAID
    ? walls.map(time)
    : [cronMessages.span(time(walls[0] ?? 0), time(walls.at(-1) ?? 0))]
