const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const MINUTE_MS = 60_000
const OFFSETS_KEPT = 20_000

/**
 * The local time shown by a clock, as the milliseconds of a UTC date with the same figures: 04:00 in New York is
 * `Date.UTC(…, 4, 0)`.
 */
export type WallTime = number

/** The wall time in `zone` at `instant`, to the second. Throws RangeError for an unknown zone. */
export const wallTime = (instant: Date, zone: string): WallTime =>
  Math.floor(instant.getTime() / 1000) * 1000 + offsetAt(instant.getTime(), zone)

/** The instants at which a clock in `zone` shows `wall`: one; two in a repeated hour; none in the gap of a clock change. */
export function instantsAt(wall: WallTime, zone: string): Date[] {
  // Rounded to the day, so that offsets are found in the cache.
  const midnight = Math.floor(wall / DAY_MS) * DAY_MS
  const offsets = new Set([offsetAt(midnight - DAY_MS, zone), offsetAt(midnight + 2 * DAY_MS, zone)])
  const instants = [...offsets].map((offset) => new Date(wall - offset))
  if (instants.length === 1) return instants
  return instants
    .filter((instant) => wallTime(instant, zone) === wall)
    .sort((a, b) => a.getTime() - b.getTime())
}

/** For a wall time in the gap of a clock change: the instant of that change. */
export function jumpOver(wall: WallTime, zone: string): Date {
  const low = wall - offsetAt(wall + DAY_MS, zone)
  const high = wall - offsetAt(wall - DAY_MS, zone)
  // The change is between these bounds.
  return new Date(changeBetween(low - 1000, high, zone))
}

/** At `at`, the clock changes from `from` to `to`. */
export type ClockChange = { at: Date; from: WallTime; to: WallTime }

/** The clock changes in `zone` after `from` and up to `to`, in order. */
export function clockChanges(zone: string, { from, to }: { from: Date; to: Date }): ClockChange[] {
  const changes: ClockChange[] = []
  // No zone changes its clock twice in a week. Whole days, so that offsets are found in the cache.
  const first = Math.floor(from.getTime() / DAY_MS) * DAY_MS
  for (let start = first; start < to.getTime(); start += 7 * DAY_MS) {
    const [before, after] = [offsetAt(start, zone), offsetAt(start + 7 * DAY_MS, zone)]
    if (before === after) continue
    const at = changeBetween(start, start + 7 * DAY_MS, zone)
    if (at > from.getTime() && at <= to.getTime())
      changes.push({ at: new Date(at), from: at + before, to: at + after })
  }
  return changes
}

// Binary search for the second at which the offset changes.
function changeBetween(low: number, high: number, zone: string): number {
  const before = offsetAt(low, zone)
  let [last, first] = [low, high]
  while (first - last > 1000) {
    const middle = Math.floor((last + first) / 2000) * 1000
    if (offsetAt(middle, zone) === before) last = middle
    else first = middle
  }
  return first
}

/** Offset of `zone` from UTC in milliseconds. */
function offsetAt(instant: number, zone: string): number {
  const { format, offsets } = clockOf(zone)
  // Clock changes happen at whole minutes.
  const minute = Math.floor(instant / MINUTE_MS) * MINUTE_MS
  const known = offsets.get(minute)
  if (known !== undefined) return known
  const part = Object.fromEntries(
    format.formatToParts(minute).map(({ type, value }) => [type, Number(value)]),
  )
  const { year = 0, month = 1, day = 1, hour = 0, minute: past = 0, second = 0 } = part
  const offset = Date.UTC(year, month - 1, day, hour, past, second) - minute
  if (offsets.size >= OFFSETS_KEPT) offsets.clear()
  offsets.set(minute, offset)
  return offset
}

// Creating a format takes a hundred times as long as using it, which takes a hundred times as long as the cache.
const clocks = new Map<string, { format: Intl.DateTimeFormat; offsets: Map<number, number> }>()

function clockOf(zone: string) {
  const known = clocks.get(zone)
  if (known) return known
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
    hourCycle: 'h23',
  })
  const made = { format, offsets: new Map<number, number>() }
  clocks.set(zone, made)
  return made
}
