const NEW_YORK = 'America/New_York'

/** Label of a zone; New York is labelled EST all year. */
export const zoneLabel = (zone: string) => (zone === NEW_YORK ? 'EST' : zone)

/** Label of a zone for a time span; with both names if the clock changes in it: "EST → EDT". */
export function zoneLabelBetween(from: string, to: string, zone: string): string {
  const [first, last] = [zoneName(from, zone), zoneName(to, zone)]
  return first === last ? zoneLabel(zone) : `${first} → ${last}`
}

const zoneName = (iso: string, zone: string) =>
  zoneNames(zone)
    .formatToParts(new Date(iso))
    .find(({ type }) => type === 'timeZoneName')?.value ?? zone

/** Date and time in `zone`: "Fri, Nov 20, 2026, 04:00 EST". */
export const formatInZone = (iso: string, zone: string) =>
  `${dayClock(zone).format(new Date(iso))} ${zoneLabel(zone)}`

/** Short form: "Nov 20, 04:00". */
export const formatMoment = (iso: string, zone: string) => shortClock(zone).format(new Date(iso))

/** With seconds: "Nov 20, 2026, 04:00:07 EST". */
export const formatLongMoment = (iso: string, zone: string) =>
  `${longClock(zone).format(new Date(iso))} ${zoneLabel(zone)}`

/** Time of day with seconds: "04:00:07". */
export const formatClock = (iso: string, zone: string) => secondClock(zone).format(new Date(iso))

/** Date in `zone`: "Nov 20, 2026". */
export const formatDay = (iso: string, zone: string) => dayName(zone).format(new Date(iso))

/** Consecutive number of the day in `zone`. */
export const dayNumber = (at: Date, zone: string) => Date.parse(dayKey(zone).format(at)) / DAY_MS

const DAY_MS = 86_400_000

const minutes = {
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
} as const
const shortClock = clocks(minutes)
const dayClock = clocks({ ...minutes, weekday: 'short', year: 'numeric' })
const longClock = clocks({ ...minutes, year: 'numeric', second: '2-digit' })
const secondClock = clocks({ hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' })
const zoneNames = clocks({ timeZoneName: 'short' })
const dayName = clocks({ dateStyle: 'medium' })
// ISO 8601 dates are parsed as midnight in UTC, where every day has 24 hours.
const dayKey = clocks({ dateStyle: 'short' }, 'en-CA')

// Creating a formatter takes a hundred times as long as using it.
function clocks(
  options: Intl.DateTimeFormatOptions,
  locale = 'en-US',
): (timeZone: string) => Intl.DateTimeFormat {
  const made = new Map<string, Intl.DateTimeFormat>()
  return (timeZone) => {
    const clock = made.get(timeZone) ?? new Intl.DateTimeFormat(locale, { ...options, timeZone })
    made.set(timeZone, clock)
    return clock
  }
}
