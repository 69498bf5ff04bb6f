import { dayNumber, formatDay } from '../../../lib/time-zone.ts'

/** Date of a change in `zone`: Today, Yesterday, "N days ago" for less than 7 days, otherwise the date. */
export function lastModified(updated_at: string, now: number, zone: string): string {
  const days = dayNumber(new Date(now), zone) - dayNumber(new Date(updated_at), zone)
  if (days <= 0) return 'Today'
  if (days === 1) return 'Yesterday'
  return days < 7 ? `${days} days ago` : formatDay(updated_at, zone)
}
