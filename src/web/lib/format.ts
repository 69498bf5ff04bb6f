const numbers = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })

/** A whole number with thousands separators. */
export const formatNumber = (value: number) => numbers.format(value)

/** A count with its noun: "1 row", "2,000 rows". */
export const formatCount = (count: number, word: string, plural = `${word}s`) =>
  `${formatNumber(count)} ${count === 1 ? word : plural}`

/** Shown and total count: "9 of 61 tasks", or "61 tasks" if all are shown. */
export const formatPart = (shown: number, all: number, word: string, plural = `${word}s`) =>
  shown === all
    ? formatCount(all, word, plural)
    : `${formatNumber(shown)} of ${formatCount(all, word, plural)}`

/** Seconds as "Xm Ys" or "Ys". */
export function formatElapsed(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds))
  const minutes = Math.floor(whole / 60)
  return minutes > 0 ? `${minutes}m ${whole % 60}s` : `${whole}s`
}

/** A file size: "812 bytes", "3.4 kB", "1.2 MB". */
export const formatBytes = (bytes: number) => {
  if (bytes < 1024) return formatCount(bytes, 'byte')
  const [size, unit] = bytes < 1_048_576 ? [bytes / 1024, 'kB'] : [bytes / 1_048_576, 'MB']
  return `${size.toFixed(1)} ${unit}`
}
