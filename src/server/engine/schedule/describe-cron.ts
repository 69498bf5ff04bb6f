import cronstrue from 'cronstrue'
import { singleBlanks } from '../../../contract/fields.ts'
import { cronMessages as words } from '../../../contract/schedules/server-messages.ts'
import { parseCron } from './cron.ts'
import { type CronField, type CronFields, InvalidCron, readFields } from './cron-fields.ts'

// Up to this number of times are listed; more are described by minutes and hours.
const TIMES_SAID = 6
const SPAN = 3

/** Describes a cron expression in words, exactly as the scheduler interprets it. Throws InvalidCron. */
export function describeCron(expression: string): string {
  parseCron(expression)
  const fields = readFields(expression)
  return cronstrueAgrees(fields)
    ? cronstrue.toString(singleBlanks(expression), { use24HourTimeFormat: true })
    : [timesOf(fields), daysOf(fields), monthsOf(fields)].filter((part) => part !== '').join(', ')
}

/** Like `describeCron` for a stored expression. If an earlier version accepted an invalid one, describes the error. */
export function describeStoredCron(expression: string): string {
  try {
    return describeCron(expression)
  } catch (error) {
    if (error instanceof InvalidCron) return words.not_described(error.message)
    throw error
  }
}

/**
 * Whether cronstrue's description matches the scheduler. It describes every step as "every n", although steps restart
 * with each hour, day and month; joins the two day fields by "and", although either suffices; and names hours only
 * where there are several minutes.
 */
function cronstrueAgrees({ minute, hour, day, month, weekday }: CronFields): boolean {
  return (
    (minute.text === '*' || isList(minute) || divides(minute, 60)) &&
    hourAgrees(minute, hour) &&
    (day.text === '*' || weekday.text === '*') &&
    [day, month, weekday].every((field) => field.text === '*' || isList(field) || isRange(field))
  )
}

function hourAgrees(minute: CronField, hour: CronField): boolean {
  if (hour.text === '*' || isRange(hour)) return true
  if (divides(hour, 24)) return isList(minute)
  if (!isList(hour)) return false
  return isList(minute) ? minute.numbers.length === 1 : hour.numbers.length === 1
}

// No duplicates, and a sign that depends on the month stands alone.
function isList({ text, numbers, signs }: CronField): boolean {
  if (signs.length > 0) return /^(L|LW|\d+W|[0-6]L)$/.test(text)
  return /^[\w,]+$/.test(text) && numbers.length === text.split(',').length
}

// Sunday to Sunday means every day.
const isRange = ({ text, numbers }: CronField) =>
  /^\w+-\w+$/.test(text) && numbers.length > 1 && !/^(?:0+|SUN)-0?7$/.test(text)

function divides({ text }: CronField, whole: number): boolean {
  const step = Number(/^\*\/(\d+)$/.exec(text)?.[1] ?? whole)
  return step < whole && whole % step === 0
}

function timesOf({ minute, hour }: CronFields): string {
  const every_minute = minute.numbers.length === 60
  const minutes = spans(minute.numbers, String)
  const hours = spans(hour.numbers, String)
  if (hour.numbers.length === 24)
    return every_minute ? words.every_minute : words.minutes_of_every_hour(minutes)
  if (every_minute) return words.every_minute_of(hours)
  const times = hour.numbers.flatMap((h) => minute.numbers.map((m) => `${padded(h)}:${padded(m)}`))
  return times.length > TIMES_SAID ? words.minutes_of(minutes, hours) : words.at_times(times)
}

const padded = (number: number) => String(number).padStart(2, '0')

function daysOf({ day, weekday }: CronFields): string {
  if (day.text === '*' && weekday.text === '*') return ''
  const every_day = day.text !== '*' && day.numbers.length === 31
  const every_weekday = weekday.text !== '*' && weekday.numbers.length === 7
  if (every_day || every_weekday) return ''
  const days = [
    ...(day.numbers.length > 0 ? [words.days_of_month(spans(day.numbers, String))] : []),
    ...day.signs.map(dayInWords),
  ]
  const weekdays = [...spans(weekday.numbers, words.weekday), ...weekday.signs.map(weekdayInWords)]
  if (weekday.text === '*') return words.on_days(days)
  return day.text === '*' ? words.on_days(weekdays) : words.on_either(days, weekdays)
}

function dayInWords(sign: string): string {
  if (!sign.includes('L')) return words.nearest_weekday(Number.parseInt(sign, 10))
  return sign.includes('W') ? words.last_working_day : words.last_day
}

function weekdayInWords(sign: string): string {
  const [day = 0, nth] = sign.split('#').map((number) => Number.parseInt(number, 10))
  return nth === undefined ? words.last_weekday(day) : words.nth_weekday(day, nth)
}

const monthsOf = ({ month }: CronFields): string =>
  month.numbers.length === 12 ? '' : words.in_months(spans(month.numbers, words.month))

/** Describes numbers in words, three or more consecutive ones as "1 to 3". */
function spans(numbers: readonly number[], say: (number: number) => string): string[] {
  const said: string[] = []
  for (let start = 0; start < numbers.length; ) {
    let end = start
    while (numbers[end + 1] === (numbers[end] ?? 0) + 1) end += 1
    const span = numbers.slice(start, end + 1)
    const [first = 0, last = 0] = [span[0], span.at(-1)]
    if (span.length < SPAN) said.push(...span.map(say))
    else said.push(words.span(say(first), say(last)))
    start = end + 1
  }
  return said
}
