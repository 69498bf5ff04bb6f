const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

const clocks = new Map<string, Intl.DateTimeFormat>()

function clockOf(zone: string): Intl.DateTimeFormat {
  const made =
    clocks.get(zone) ??
    new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
  clocks.set(zone, made)
  return made
}

/** How far the clocks of a zone are ahead of UTC at a moment, in milliseconds. */
export function offsetAt(moment: number, zone: string): number {
  const parts = Object.fromEntries(
    clockOf(zone)
      .formatToParts(moment)
      .map(({ type, value }) => [type, Number(value)]),
  )
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts
  const wall = Date.UTC(year, month - 1, day, hour, minute, second)
  return wall - Math.floor(moment / 1000) * 1000
}

/** The moment at which the clocks of a zone show `wall`, which is a time as though the zone were UTC. */
export function momentOf(wall: number, zone: string): number {
  const guess = wall - offsetAt(wall, zone)
  return wall - offsetAt(guess, zone)
}

/** Midnight of the day that it is in a zone, `days` later. */
export function midnight(moment: number, zone: string, days = 0): number {
  const wall = moment + offsetAt(moment, zone)
  return momentOf(Math.floor(wall / DAY_MS) * DAY_MS + days * DAY_MS, zone)
}

const steps = [
  MINUTE_MS,
  2 * MINUTE_MS,
  5 * MINUTE_MS,
  10 * MINUTE_MS,
  15 * MINUTE_MS,
  30 * MINUTE_MS,
  HOUR_MS,
  2 * HOUR_MS,
  3 * HOUR_MS,
  6 * HOUR_MS,
  12 * HOUR_MS,
  DAY_MS,
  2 * DAY_MS,
  4 * DAY_MS,
  7 * DAY_MS,
]

/** Round times of a zone between two moments, at most `most` of them. */
export function ticksOf({ from, to }: { from: number; to: number }, zone: string, most: number): number[] {
  const step = steps.find((one) => (to - from) / one <= most) ?? 7 * DAY_MS
  const ticks: number[] = []
  const first = Math.ceil((from + offsetAt(from, zone)) / step) * step
  for (let wall = first; ticks.length <= most; wall += step) {
    const moment = momentOf(wall, zone)
    if (moment > to) break
    if (moment >= from && moment !== ticks.at(-1)) ticks.push(moment)
  }
  return ticks
}
