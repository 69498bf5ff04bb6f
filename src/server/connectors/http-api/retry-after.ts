/**
 * Milliseconds from now until a request may be made again, by a Retry-After header in seconds or as a date of HTTP; null where there
 * is none that can be read. A date is judged by the server's own clock where it says what it is.
 */
export function retryAfter(header: string | undefined, date: string | undefined, now: number): number | null {
  if (header === undefined) return null
  const text = header.trim()
  if (/^\d+(\.\d+)?$/.test(text)) return Math.ceil(Number(text) * 1000)
  const moment = parseHttpDate(text)
  if (moment === null) return null
  return Math.max(0, moment - (parseHttpDate(date ?? '') ?? now))
}

// Date.parse reads more than dates: "-5" is a year.
const parseHttpDate = (text: string): number | null => {
  const moment = /^\w+, /.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(moment) ? null : moment
}
