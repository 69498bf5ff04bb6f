import { dayNumber, formatDay } from '../../../lib/time-zone.ts'

/** When something was changed: Today, Yesterday, "N days ago" for under 7 days, otherwise the date, by the calendar of `zone`. */
export function lastModified(updated_at: string, now: number, zone: string): string {
  const days = dayNumber(new Date(now), zone) - dayNumber(new Date(updated_at), zone)
  if (days <= 0) return 'Today'
  if (days === 1) return 'Yesterday'
  return days < 7 ? `${days} days ago` : formatDay(updated_at, zone)
}
