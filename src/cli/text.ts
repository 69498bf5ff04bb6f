const numbers = new Intl.NumberFormat('en-US')

/** A count with its noun: "1 row", "2,000 rows". */
export const count = (n: number, word: string) => `${numbers.format(n)} ${word}${n === 1 ? '' : 's'}`

/** Seconds as "7s", "2m 7s" or "1h 2m". */
export function elapsed(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds))
  const minutes = Math.floor(whole / 60)
  if (minutes >= 60) return `${Math.floor(minutes / 60)}h ${minutes % 60}m`
  return minutes > 0 ? `${minutes}m ${whole % 60}s` : `${whole}s`
}

/** A text table; each column is as wide as its widest cell. */
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

/** Text from the server without control characters, which a terminal would interpret. */
export const visible = (text: string) => text.replace(/[\p{Cc}\p{Cf}]/gu, ' ')

/** Local time to the second: "2026-11-20 04:19:12 GMT+1". */
export function localTime(moment: string, zone: string): string {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'short',
  }).formatToParts(new Date(moment))
  const part = Object.fromEntries(parts.map(({ type, value }) => [type, value]))
  return `${part.year}-${part.month}-${part.day} ${part.hour}:${part.minute}:${part.second} ${part.timeZoneName}`
}

const BAR = 24

/** Progress of a run in one line. */
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
