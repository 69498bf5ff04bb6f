const numbers = new Intl.NumberFormat('en-US')

/** A count with its word: "1 row", "2,000 rows". */
export const count = (n: number, word: string) => `${numbers.format(n)} ${word}${n === 1 ? '' : 's'}`

/** Seconds as "7s", "2m 7s" or "1h 2m". */
export function elapsed(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds))
  const minutes = Math.floor(whole / 60)
  if (minutes >= 60) return `${Math.floor(minutes / 60)}h ${minutes % 60}m`
  return minutes > 0 ? `${minutes}m ${whole % 60}s` : `${whole}s`
}

/** Rows under their titles, each column as wide as its widest cell. */
export function table(titles: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const all = [titles, ...rows.map((row) => row.map(visible))]
  const widths = titles.map((_, column) => Math.max(...all.map((row) => (row[column] ?? '').length)))
  return all.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

/** A text that others have written, without what would steer a terminal. */
export const visible = (text: string) => text.replace(/[\p{Cc}\p{Cf}]/gu, ' ')

const BAR = 24

/** How far a run is, in one line. */
export function progressLine(run: {
  state: string
  phase: string
  rows: number
  rows_total: number | null
  duration_seconds: number | null
}): string {
  const { rows, rows_total, duration_seconds } = run
  const share = rows_total ? Math.min(1, rows / rows_total) : null
  const bar =
    share === null
      ? []
      : [`${'█'.repeat(Math.round(share * BAR)).padEnd(BAR, '░')} ${Math.floor(share * 100)}%`]
  const amount = rows > 0 ? [count(rows, 'row')] : []
  const time = duration_seconds === null ? [] : [elapsed(duration_seconds)]
  return [visible(run.phase || run.state), ...bar, ...amount, ...time].join('  ')
}
