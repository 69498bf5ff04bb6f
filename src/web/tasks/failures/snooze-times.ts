import { midnight, momentOf, offsetAt } from '../../lib/zone-time.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const MORNING_MS = 8 * HOUR_MS

/** Times until which a failure is usually snoozed, as moments. `now` in milliseconds; 08:00 of the next day and of the next Monday in `zone`. */
export function snoozeTimes(now: number, zone: string): { hour: string; tomorrow: string; monday: string } {
  const weekday = new Date(now + offsetAt(now, zone)).getUTCDay()
  const untilMonday = (8 - weekday) % 7 || 7
  return {
    hour: iso(now + HOUR_MS),
    tomorrow: iso(morning(now, zone, 1)),
    monday: iso(morning(now, zone, untilMonday)),
  }
}

// By the clock of the zone, which a day of 23 or 25 hours does not move.
function morning(now: number, zone: string, days: number): number {
  const day = midnight(now, zone, days)
  return momentOf(day + offsetAt(day, zone) + MORNING_MS, zone)
}

/** The moment of a datetime-local value in `zone`; null if it is not a time between `now` and `days` later. */
export function snoozeTime(value: string, { now, zone, days }: { now: number; zone: string; days: number }) {
  const wall = Date.parse(`${value}Z`)
  if (Number.isNaN(wall)) return null
  const moment = momentOf(wall, zone)
  return moment > now && moment <= now + days * DAY_MS ? iso(moment) : null
}

/** A moment as the value of a datetime-local field in `zone`. */
export const fieldValue = (moment: string, zone: string) => {
  const at = Date.parse(moment)
  return iso(at + offsetAt(at, zone)).slice(0, 16)
}

const iso = (moment: number) => new Date(moment).toISOString()
