import { formatClock } from '../../../lib/time-zone.ts'

const short = new Intl.DateTimeFormat('en-US', {
  weekday: 'short',
  month: 'short',
  day: 'numeric',
  timeZone: 'UTC',
})
const long = new Intl.DateTimeFormat('en-US', { dateStyle: 'full', timeZone: 'UTC' })
const weekday = new Intl.DateTimeFormat('en-US', { weekday: 'short', timeZone: 'UTC' })
const dayOfMonth = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' })

const midnight = (date: string) => new Date(`${date}T00:00:00Z`)

/** "Fri, Nov 27" */
export const shortDay = (date: string) => short.format(midnight(date))
/** "Friday, November 27, 2026" */
export const longDay = (date: string) => long.format(midnight(date))
/** "Fri" */
export const weekdayOf = (date: string) => weekday.format(midnight(date))
/** "Nov 27" */
export const dayOf = (date: string) => dayOfMonth.format(midnight(date))

/** "07:30": the time that a clock in the zone shows. */
export const timeIn = (iso: string, zone: string) => formatClock(iso, zone).slice(0, 5)

/** "07:00" */
export const hourLabel = (hour: number) => `${String(hour).padStart(2, '0')}:00`
