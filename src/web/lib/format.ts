const numbers = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })
const moments = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
})
const longMoments = new Intl.DateTimeFormat('en-US', {
  dateStyle: 'medium',
  timeStyle: 'medium',
  hourCycle: 'h23',
})

/** A whole number with thousands separators. */
export const formatNumber = (value: number) => numbers.format(value)

/** A count with its word: "1 row", "2,000 rows". */
export const formatCount = (count: number, word: string, plural = `${word}s`) =>
  `${formatNumber(count)} ${count === 1 ? word : plural}`

/** A moment in the reader's own time zone, short: "Nov 3, 02:00". */
export const formatMoment = (iso: string) => moments.format(new Date(iso))

/** A moment in the reader's own time zone, with year and seconds. */
export const formatLongMoment = (iso: string) => longMoments.format(new Date(iso))

/** Seconds as "Xm Ys" or "Ys". */
export function formatElapsed(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds))
  const minutes = Math.floor(whole / 60)
  return minutes > 0 ? `${minutes}m ${whole % 60}s` : `${whole}s`
}
