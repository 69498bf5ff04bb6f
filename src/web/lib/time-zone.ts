const NEW_YORK = 'America/New_York'

/** How people see the zone: New York is EST all year. */
export const zoneLabel = (zone: string) => (zone === NEW_YORK ? 'EST' : zone)

/** A moment as a clock in `zone` shows it: "Fri, Nov 20, 2026, 04:00 EST". */
export const formatInZone = (iso: string, zone: string) =>
  `${clock(zone).format(new Date(iso))} ${zoneLabel(zone)}`

// making one takes a hundred times as long as using it
const clocks = new Map<string, Intl.DateTimeFormat>()

function clock(timeZone: string): Intl.DateTimeFormat {
  const made =
    clocks.get(timeZone) ??
    new Intl.DateTimeFormat('en-US', {
      timeZone,
      weekday: 'short',
      month: 'short',
      day: 'numeric',
      year: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    })
  clocks.set(timeZone, made)
  return made
}
