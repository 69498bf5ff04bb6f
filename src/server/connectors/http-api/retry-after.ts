/**
 * Milliseconds until a retry, from a Retry-After header in seconds or as an HTTP date; null if it cannot be parsed.
 * Dates are relative to the server's clock if it is known.
 */
export function retryAfter(header: string | undefined, date: string | undefined, now: number): number | null {
  if (header === undefined) return null
  const text = header.trim()
  if (/^\d+(\.\d+)?$/.test(text)) return Math.ceil(Number(text) * 1000)
  const moment = parseHttpDate(text)
  if (moment === null) return null
  return Math.max(0, moment - (parseHttpDate(date ?? '') ?? now))
}

// Date.parse accepts other text too: "-5" is a year.
const parseHttpDate = (text: string): number | null => {
  const moment = /^\w+, /.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(moment) ? null : moment
}

/** Milliseconds until a used-up limit resets, from the usual headers; null if unknown. */
export function limitReset(headers: Readonly<Record<string, string>>, now: number): number | null {
  const field = (name: string) =>
    headers[`x-ratelimit-${name}`] ?? headers[`x-rate-limit-${name}`] ?? headers[`ratelimit-${name}`]
  const isUsedUp = Number.parseFloat(field('remaining') ?? '') === 0
  const text =
    policyReset(headers.ratelimit ?? '') ?? (isUsedUp ? (field('reset-after') ?? field('reset')) : undefined)
  if (text === undefined) return null
  const seconds = Number(text)
  if (Number.isNaN(seconds)) return wait(Date.parse(text))
  if (seconds < FIRST_MOMENT) return Math.ceil(seconds * 1000)
  // Rounds up to the end of the second.
  return wait(seconds < FIRST_MOMENT * 1000 ? (seconds + 1) * 1000 : seconds)

  function wait(moment: number): number | null {
    return Number.isNaN(moment) ? null : Math.max(0, moment - (parseHttpDate(headers.date ?? '') ?? now))
  }
}

/** Larger values are seconds since 1970; a thousand times larger ones are milliseconds. */
const FIRST_MOMENT = 1e9

/**
 * Seconds until the first used-up policy of a RateLimit header resets: `"default";r=0;t=50` or `limit=100,
 * remaining=0, reset=50`.
 */
function policyReset(header: string): string | undefined {
  let is_used_up = false
  for (const [, name, value] of header.matchAll(/\b(r|remaining|t|reset)=(\d+)/g)) {
    if (name === 'r' || name === 'remaining') is_used_up = Number(value) === 0
    else if (is_used_up) return value
  }
  return undefined
}
