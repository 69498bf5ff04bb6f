const DAY_MS = 24 * 3_600_000
const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
)

/** What somebody understands who reads the words of a schedule and knows nothing of cron. */
export type Claims = {
  /** Minutes of a day, in order. */
  times: readonly number[]
  /** Whether it is due on a day, midnight of it as milliseconds of UTC. */
  day: (midnight: number) => boolean
}

/** Reads the words of a schedule. Throws for words that it does not understand. */
export function readClaims(words: string): Claims {
  const { times, rest } = readTimes(words)
  return { times: [...new Set(times)].sort((a, b) => a - b), day: readDays(rest) }
}

const SPANS = String.raw`\d+(?: to \d+)?(?:(?:, | and )\d+(?: to \d+)?)*`
const TIME = String.raw`(\d\d):(\d\d)`
const BETWEEN = new RegExp(`^, between ${TIME} and ${TIME}`)

function readTimes(words: string): { times: number[]; rest: string } {
  const head = (pattern: string): string[] | null => new RegExp(`^${pattern}(?=,|$)`).exec(words)
  const rest = (match: string[]) => words.slice(match[0]?.length)
  const clocks = (minutes: number[], hours: number[]) => hours.flatMap((h) => minutes.map((m) => h * 60 + m))
  const within = (minutes: number[], match: string[], lastMinute = false) => {
    const after = rest(match)
    const [whole = '', h1, m1, h2, m2] = BETWEEN.exec(after) ?? []
    if (whole === '') return { times: clocks(minutes, upTo(24)), rest: after }
    const [first, last] = [Number(h1) * 60 + Number(m1), Number(h2) * 60 + Number(m2) + Number(lastMinute)]
    const times = clocks(minutes, upTo(24)).filter((time) => time >= first && time <= last)
    return { times, rest: after.slice(whole.length) }
  }

  const ours = head(`(?:Every minute|At minutes? (${SPANS})) of (?:every hour|hours? (${SPANS}))`)
  if (ours) {
    const [, minutes, hours] = ours
    return {
      times: clocks(minutes ? spans(minutes) : upTo(60), hours ? spans(hours) : upTo(24)),
      rest: rest(ours),
    }
  }
  const hourly = head(String.raw`(?:On the hour|At ([\d, and]+) minutes? past the hour), every (\d+) hours`)
  if (hourly) {
    const minutes = hourly[1] ? numbers(hourly[1]) : [0]
    return {
      times: clocks(
        minutes,
        upTo(24).filter((h) => h % Number(hourly[2]) === 0),
      ),
      rest: rest(hourly),
    }
  }
  const everyMinute = head('Every minute')
  if (everyMinute) return within(upTo(60), everyMinute)
  const everySome = head(String.raw`Every (\d+) minutes`)
  if (everySome)
    return within(
      upTo(60).filter((minute) => minute % Number(everySome[1]) === 0),
      everySome,
    )
  const everyHour = head('Every hour')
  if (everyHour) return within([0], everyHour)
  const past = head(String.raw`At ([\d, and]+) minutes? past the hour`)
  if (past) return within(numbers(past[1] ?? ''), past)
  const at = head(String.raw`At \d\d:\d\d(?:(?:, |,? and )\d\d:\d\d)*`)
  if (!at) throw new Error(`No time of day in "${words}"`)
  const times = [...(at[0] ?? '').matchAll(new RegExp(TIME, 'g'))].map(
    ([, h, m]) => Number(h) * 60 + Number(m),
  )
  return { times, rest: rest(at) }
}

const upTo = (end: number) => Array.from({ length: end }, (_, index) => index)
const numbers = (text: string) => (text.match(/\d+/g) ?? []).map(Number)

const spans = (text: string) =>
  [...text.matchAll(/(\d+)(?: (?:to|through) (\d+))?/g)].flatMap(([, first, last = first]) =>
    upTo(Number(last) + 1).slice(Number(first)),
  )

type OnDay = (date: Date) => boolean

function readDays(text: string): (midnight: number) => boolean {
  let rest = text
  const on: OnDay[] = []
  const take = (pattern: RegExp, rule: (match: string[]) => OnDay) => {
    rest = rest.replace(pattern, (...match: string[]) => {
      on.push(rule(match))
      return ''
    })
  }
  take(/the last (\w+day) of the month/g, ([, name = '']) =>
    name === 'weekday'
      ? (date) => date.getUTCDate() === nearest(lastOf(date), date)
      : (date) => date.getUTCDay() === WEEKDAYS.indexOf(name) && date.getUTCDate() > lastOf(date) - 7,
  )
  take(/the last day of the month/g, () => (date) => date.getUTCDate() === lastOf(date))
  take(/the first weekday of the month/g, () => (date) => date.getUTCDate() === nearest(1, date))
  take(
    /the weekday nearest day (\d+) of the month/g,
    ([, day]) =>
      (date) =>
        Number(day) <= lastOf(date) && date.getUTCDate() === nearest(Number(day), date),
  )
  take(
    /between day (\d+) and (\d+) of the month/g,
    ([, first, last]) =>
      (date) =>
        date.getUTCDate() >= Number(first) && date.getUTCDate() <= Number(last),
  )
  take(/days? ([\d, andto]+) of the month/g, ([, days = '']) => {
    const wanted = new Set(spans(days))
    return (date) => wanted.has(date.getUTCDate())
  })
  take(new RegExp(named(WEEKDAYS), 'g'), ([, first, last = first]) => {
    const wanted = cycle(WEEKDAYS, first, last)
    return (date) => wanted.includes(date.getUTCDay())
  })
  const days = on.splice(0)
  take(new RegExp(named(MONTHS), 'g'), ([, first, last = first]) => {
    const wanted = cycle(MONTHS, first, last)
    return (date) => wanted.includes(date.getUTCMonth())
  })
  if (/[^, ]/.test(rest.replaceAll(/\b(?:only|on|in|or|and)\b/g, '')))
    throw new Error(`Not understood: "${rest}"`)
  return (midnight) => {
    const date = new Date(midnight)
    const some = (rules: OnDay[]) => rules.length === 0 || rules.some((rule) => rule(date))
    return some(days) && some(on)
  }
}

const named = (names: readonly string[]) => `(${names.join('|')})(?: (?:through|to) (${names.join('|')}))?`

function cycle(names: readonly string[], first = '', last = ''): number[] {
  const [from, to] = [names.indexOf(first), names.indexOf(last)]
  return upTo(names.length).filter((index) =>
    from <= to ? index >= from && index <= to : index >= from || index <= to,
  )
}

const lastOf = (date: Date) =>
  new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()

/** The weekday nearest a day, in the same month. */
function nearest(day: number, date: Date): number {
  const weekday = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), day)).getUTCDay()
  if (weekday === 6) return day > 1 ? day - 1 : day + 2
  if (weekday === 0) return day < lastOf(date) ? day + 1 : day - 2
  return day
}

/** The times that the words claim a clock on the wall shows, from `from` up to and with `to`, in order. */
export function claimedTimes({ times, day }: Claims, { from, to }: { from: number; to: number }): number[] {
  const claimed: number[] = []
  for (let midnight = Math.floor(from / DAY_MS) * DAY_MS; midnight <= to; midnight += DAY_MS)
    if (day(midnight)) claimed.push(...times.map((minute) => midnight + minute * 60_000))
  return claimed.filter((wall) => wall >= from && wall <= to)
}
