const DAY_MS = 24 * 3_600_000
const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth']
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
  const within = (times: number[], match: string[]) => {
    const after = rest(match)
    const [whole = '', h1, m1, h2, m2] = BETWEEN.exec(after) ?? []
    if (whole === '') return { times, rest: after }
    const [first, last] = [Number(h1) * 60 + Number(m1), Number(h2) * 60 + Number(m2)]
    return { times: times.filter((time) => time >= first && time <= last), rest: after.slice(whole.length) }
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
    if (24 % Number(hourly[2]) !== 0) throw new Error(`Other hours each day: "${words}"`)
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
  if (everyMinute) return within(upTo(1440), everyMinute)
  const everySome = head(String.raw`Every (\d+) minutes`)
  // On and on, whatever the hour.
  if (everySome)
    return within(
      upTo(1440).filter((time) => time % Number(everySome[1]) === 0),
      everySome,
    )
  const everyHour = head('Every hour')
  if (everyHour) return within(clocks([0], upTo(24)), everyHour)
  const past = head(String.raw`At ([\d, and]+) minutes? past the hour`)
  if (past) return within(clocks(numbers(past[1] ?? ''), upTo(24)), past)
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
type Rule = (match: string[]) => OnDay

/** Days that an "or" joins are alternatives; a day and a weekday that nothing or an "and" joins have to meet. */
function readDays(text: string): (midnight: number) => boolean {
  const months = take(text, [[new RegExp(named(MONTHS), 'g'), inMonths]])
  const clauses = months.rest.split(', or ').map((clause) => {
    const days = take(clause, dayRules)
    const weekdays = take(days.rest, weekdayRules)
    if (/[^, ]/.test(weekdays.rest.replaceAll(/\b(?:only|on|in|or|and)\b/g, '')))
      throw new Error(`Not understood: "${weekdays.rest}"`)
    return (date: Date) => some(days.on, date) && some(weekdays.on, date)
  })
  return (midnight) => {
    const date = new Date(midnight)
    return some(months.on, date) && some(clauses, date)
  }
}

const some = (rules: readonly OnDay[], date: Date) => rules.length === 0 || rules.some((rule) => rule(date))

/** What the text says by these rules, and what is left of it. */
function take(text: string, rules: readonly [RegExp, Rule][]): { on: OnDay[]; rest: string } {
  const on: OnDay[] = []
  const read =
    (rule: Rule) =>
    (...match: string[]) => {
      on.push(rule(match))
      return ''
    }
  return { on, rest: rules.reduce((rest, [pattern, rule]) => rest.replaceAll(pattern, read(rule)), text) }
}

const inMonths: Rule = ([, first, last = first]) => {
  const wanted = cycle(MONTHS, first, last)
  return (date) => wanted.includes(date.getUTCMonth())
}

const dayRules: [RegExp, Rule][] = [
  [/the last weekday of the month/g, () => (date) => date.getUTCDate() === nearest(lastOf(date), date)],
  [/the last day of the month/g, () => (date) => date.getUTCDate() === lastOf(date)],
  [/the first weekday of the month/g, () => (date) => date.getUTCDate() === nearest(1, date)],
  [
    /the weekday nearest day (\d+) of the month/g,
    ([, day]) =>
      (date) =>
        Number(day) <= lastOf(date) && date.getUTCDate() === nearest(Number(day), date),
  ],
  [
    /between day (\d+) and (\d+) of the month/g,
    ([, first, last]) =>
      (date) =>
        date.getUTCDate() >= Number(first) && date.getUTCDate() <= Number(last),
  ],
  [
    /days? ([\d, andto]+) of the month/g,
    ([, days = '']) => {
      const wanted = new Set(spans(days))
      return (date) => wanted.has(date.getUTCDate())
    },
  ],
]

const inWeek: Rule = ([, first, last = first]) => {
  const wanted = cycle(WEEKDAYS, first, last)
  return (date) => wanted.includes(date.getUTCDay())
}

function named(names: readonly string[]): string {
  const any = names.join('|')
  return `(${any})(?: (?:through|to) (${any}))?`
}

const weekdayRules: [RegExp, Rule][] = [
  [
    /the last (\w+day) of the month/g,
    ([, name = '']) =>
      (date) =>
        date.getUTCDay() === WEEKDAYS.indexOf(name) && date.getUTCDate() > lastOf(date) - 7,
  ],
  [
    /the (first|second|third|fourth|fifth) (\w+day) of the month/g,
    ([, nth = '', name = '']) =>
      (date) =>
        date.getUTCDay() === WEEKDAYS.indexOf(name) &&
        Math.ceil(date.getUTCDate() / 7) === ORDINALS.indexOf(nth) + 1,
  ],
  [new RegExp(named(WEEKDAYS), 'g'), inWeek],
]

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
