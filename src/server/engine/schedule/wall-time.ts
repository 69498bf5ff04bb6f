const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/**
 * What a clock on the wall shows, as the milliseconds of a UTC date with the same figures: 04:00 in New York is
 * `Date.UTC(…, 4, 0)`.
 */
export type WallTime = number

/** What a clock in `zone` shows at `instant`, to the second. Throws RangeError for a zone that is not known. */
export function wallTime(instant: Date, zone: string): WallTime {
  const part = Object.fromEntries(
    clock(zone)
      .formatToParts(instant)
      .map(({ type, value }) => [type, Number(value)]),
  )
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part
  return Date.UTC(year, month - 1, day, hour, minute, second)
}

/**
 * The instants at which a clock in `zone` shows `wall`: one; two, in order, where an hour repeats; none in the gap of a
 * clock that is put forward.
 */
export function instantsAt(wall: WallTime, zone: string): Date[] {
  const offsets = new Set([offsetAt(wall - DAY_MS, zone), offsetAt(wall + DAY_MS, zone)])
  return [...offsets]
    .map((offset) => new Date(wall - offset))
    .filter((instant) => wallTime(instant, zone) === wall)
    .sort((a, b) => a.getTime() - b.getTime())
}

/** For a wall time that a clock in `zone` never shows: the instant at which it jumps over it. */
export function jumpOver(wall: WallTime, zone: string): Date {
  const before = offsetAt(wall - DAY_MS, zone)
  // The clock jumps at some moment in these bounds; half of them until the second is found.
  let [low, high] = [wall - offsetAt(wall + DAY_MS, zone), wall - before]
  while (high - low > 1000) {
    const middle = Math.floor((low + high) / 2000) * 1000
    if (offsetAt(middle, zone) === before) low = middle
    else high = middle
  }
  return new Date(offsetAt(low, zone) === before ? high : low)
}

const offsetAt = (instant: number, zone: string): number => wallTime(new Date(instant), zone) - instant

// Making one takes a hundred times as long as using it.
const clocks = new Map<string, Intl.DateTimeFormat>()

function clock(zone: string): Intl.DateTimeFormat {
  const known = clocks.get(zone)
  if (known) return known
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
    hourCycle: 'h23',
  })
  clocks.set(zone, made)
  return made
}
