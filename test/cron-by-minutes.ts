// A cron of its own, which shares nothing with the program: every minute is asked whether it fits the text.

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const NAMES = [
  'JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC'.split(' '),
  'SUN MON TUE WED THU FRI SAT'.split(' '),
] as const

/** Whether a part of a field, with numbers in place of names, fits a number. */
function fits(part: string, number: number, max: number): boolean {
  const [range = '', step = '1'] = part.split('/')
  const [first, last] = range === '*' ? [max === 31 || max === 12 ? 1 : 0, max] : range.split('-').map(Number)
  if (first === undefined || Number.isNaN(first)) return false
  return number >= first && number <= (last ?? first) && (number - first) % Number(step) === 0
}

const numeric = (field: string, names: readonly string[], from: number) =>
  names.reduce((text, name, index) => text.replaceAll(name, String(index + from)), field.toUpperCase())

const lastDay = (date: Date) =>
  new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()

/** The working day that comes nearest to a day without leaving its month, found by looking at each of them. */
function workingDay(date: Date, day: number): number {
  const at = (other: number) =>
    new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), other)).getUTCDay()
  const days = Array.from({ length: lastDay(date) }, (_, index) => index + 1)
  const near = days.filter((other) => at(other) % 6 !== 0)
  return near.reduce((best, other) => (Math.abs(other - day) < Math.abs(best - day) ? other : best))
}

function onDay(part: string, date: Date): boolean {
  const today = date.getUTCDate()
  if (part === 'L') return today === lastDay(date)
  if (part === 'LW') return today === workingDay(date, lastDay(date))
  if (part.endsWith('W')) {
    const day = Number(part.slice(0, -1))
    return day <= lastDay(date) && today === workingDay(date, day)
  }
  return fits(part, today, 31)
}

function onWeekday(part: string, date: Date): boolean {
  const [today, day] = [date.getUTCDay(), date.getUTCDate()]
  const same = (text: string) => Number(text) % 7 === today
  if (part.endsWith('L')) return same(part.slice(0, -1)) && day + 7 > lastDay(date)
  const [weekday = '', nth] = part.split('#')
  if (nth !== undefined) return same(weekday) && Math.ceil(day / 7) === Number(nth)
  return fits(part, today, 7) || (today === 0 && fits(part, 7, 7))
}

/** The minutes from `from` up to, not including, `to`, both midnights in milliseconds of UTC, that fit an expression. */
export function minutesThatFit(expression: string, { from, to }: { from: number; to: number }): number[] {
  const [minute = '', hour = '', day = '', month = '', weekday = ''] = expression.split(' ')
  const [minutes, hours, days] = [minute.split(','), hour.split(','), day.toUpperCase().split(',')]
  const months = numeric(month, NAMES[0], 1).split(',')
  const weekdays = numeric(weekday, NAMES[1], 0).split(',')
  const isDue = (date: Date) => {
    if (!months.some((part) => fits(part, date.getUTCMonth() + 1, 12))) return false
    const [is_day, is_weekday] = [
      days.some((part) => onDay(part, date)),
      weekdays.some((part) => onWeekday(part, date)),
    ]
    return day !== '*' && weekday !== '*' ? is_day || is_weekday : is_day && is_weekday
  }
  const found: number[] = []
  for (let midnight = from; midnight < to; midnight += DAY_MS) {
    if (!isDue(new Date(midnight))) continue
    for (let at = midnight; at < midnight + DAY_MS; at += MINUTE_MS) {
      const date = new Date(at)
      if (!minutes.some((part) => fits(part, date.getUTCMinutes(), 59))) continue
      if (hours.some((part) => fits(part, date.getUTCHours(), 23))) found.push(at)
    }
  }
  return found
}
