const NEW_YORK = 'America/New_York'

/** How people see the zone: New York is EST all year. */
export const zoneLabel = (zone: string) => (zone === NEW_YORK ? 'EST' : zone)

/** A moment as a clock in `zone` shows it: "Fri, Nov 20, 2026, 04:00 EST". */
export const formatInZone = (iso: string, zone: string) =>
  `${dayClock(zone).format(new Date(iso))} ${zoneLabel(zone)}`

/** The same in short, for where there is little room: "Nov 20, 04:00". */
export const formatMoment = (iso: string, zone: string) => shortClock(zone).format(new Date(iso))

/** The same to the second: "Nov 20, 2026, 04:00:07 EST". */
export const formatLongMoment = (iso: string, zone: string) =>
  `${longClock(zone).format(new Date(iso))} ${zoneLabel(zone)}`

/** The time of day to the second: "04:00:07". */
export const formatClock = (iso: string, zone: string) => secondClock(zone).format(new Date(iso))

/** A day as a calendar in `zone` has it: "Nov 20, 2026". */
export const formatDay = (iso: string, zone: string) => dayName(zone).format(new Date(iso))

/** Number of the day that it is in `zone`, counted in days without a gap. */
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
const dayName = clocks({ dateStyle: 'medium' })
// as ISO 8601 writes it, which is read as midnight in UTC, where all days are of one length
const dayKey = clocks({ dateStyle: 'short' }, 'en-CA')

// making a clock takes a hundred times as long as using it
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
