import { clockChanges, instantsAt, jumpOver, wallTime } from '../../../engine/schedule/wall-time.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** An hour as a clock in the time zone shows it, or the part of it within the range. Times in milliseconds. */
export type Hour = { at: number; end: number; date: string; hour: number }

/** Date that a clock in the zone shows. */
export const dateOf = (instant: Date, zone: string): string =>
  new Date(wallTime(instant, zone)).toISOString().slice(0, 10)

/** Time of day of a wall time, as HH:MM. */
export const timeOfDay = (wall: number): string => new Date(wall).toISOString().slice(11, 16)

/** The first instant of a date in the zone. */
export function startOfDay(date: string, zone: string): Date {
  const midnight = Date.parse(`${date}T00:00:00Z`)
  return instantsAt(midnight, zone)[0] ?? jumpOver(midnight, zone)
}

/** The date so many days later. */
export const addDays = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)

/** The start of the current hour. */
export function startOfHour(now: Date, zone: string): Date {
  const past = wallTime(now, zone) % HOUR_MS
  const start = now.getTime() - (now.getTime() % 1000) - past
  // After a change within this hour, the hour begins with the change.
  const [change] = clockChanges(zone, { from: new Date(start - 1), to: now })
  return change?.at ?? new Date(start)
}

/** Divides a range into the hours of a clock in the zone. A clock change begins another hour: a repeated one appears twice. */
export function hoursOf({ from, to }: { from: Date; to: Date }, zone: string): Hour[] {
  const changes = clockChanges(zone, { from, to }).map(({ at }) => at.getTime())
  const hours: Hour[] = []
  for (let at = from.getTime(); at < to.getTime(); ) {
    const wall = wallTime(new Date(at), zone)
    const full = at + HOUR_MS - (wall % HOUR_MS)
    const change = changes.find((instant) => instant > at) ?? full
    const end = Math.min(full, change, to.getTime())
    const shown = new Date(wall).toISOString()
    hours.push({ at, end, date: shown.slice(0, 10), hour: Number(shown.slice(11, 13)) })
    at = end
  }
  return hours
}
