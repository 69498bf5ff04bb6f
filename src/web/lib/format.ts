const numbers = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })

/** A whole number with thousands separators. */
export const formatNumber = (value: number) => numbers.format(value)

/** A count with its word: "1 row", "2,000 rows". */
export const formatCount = (count: number, word: string, plural = `${word}s`) =>
  `${formatNumber(count)} ${count === 1 ? word : plural}`

/** Seconds as "Xm Ys" or "Ys". */
export function formatElapsed(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds))
  const minutes = Math.floor(whole / 60)
  return minutes > 0 ? `${minutes}m ${whole % 60}s` : `${whole}s`
}
