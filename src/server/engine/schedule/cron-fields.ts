import { singleBlanks } from '../../../contract/fields.ts'
import { limits } from '../../../contract/limits.ts'
import { type CronFieldName, cronMessages as messages } from '../../../contract/schedules/server-messages.ts'

/** The text is not a cron expression; the message is for users. */
export class InvalidCron extends Error {
  override name = 'InvalidCron'
}

/**
 * The values that one field of a cron expression allows: sorted numbers, and signs such as L, 15W, 5L or 5#2, which
 * depend on the month.
 */
export type CronField = { text: string; numbers: number[]; signs: string[] }

/** The five fields of a cron expression. */
export type CronFields = Record<CronFieldName, CronField>

type Rules = { min: number; max: number; names: readonly string[]; sign?: RegExp }

const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC']
const WEEKDAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT']

const rules: Record<CronFieldName, Rules> = {
  minute: { min: 0, max: 59, names: [] },
  hour: { min: 0, max: 23, names: [] },
  day: { min: 1, max: 31, names: [], sign: /^(?:L|(?:[1-9]|[12]\d|3[01])W)$/ },
  month: { min: 1, max: 12, names: MONTHS },
  // Sunday is 0 and 7.
  weekday: { min: 0, max: 7, names: WEEKDAYS, sign: /^[0-7](?:L|#[1-5])$/ },
}
const NAMES = ['minute', 'hour', 'day', 'month', 'weekday'] as const

/** Parses the five fields of an expression. Throws InvalidCron with the field and the part that is wrong. */
export function readFields(text: string): CronFields {
  if (text.length > limits.cron_characters) throw new InvalidCron(messages.too_long)
  const expression = singleBlanks(text)
  const fields = expression === '' ? [] : expression.split(' ')
  if (fields.length !== NAMES.length) throw new InvalidCron(messages.five_fields(fields.length))
  const [minute, hour, day, month, weekday] = NAMES.map((name, index) => readField(name, fields[index] ?? ''))
  if (!minute || !hour || !day || !month || !weekday)
    throw new InvalidCron(messages.five_fields(fields.length))
  return { minute, hour, day, month, weekday }
}

function readField(field: CronFieldName, written: string): CronField {
  const text = written.toUpperCase()
  // croner accepts LW only alone.
  if (field === 'day' && text === 'LW') return { text, numbers: [], signs: [text] }
  const parts = written.split(',').map((part) => readPart(field, part))
  const numbers = parts.flatMap((part) => part.numbers)
  const modulo = field === 'weekday' ? numbers.map((number) => number % 7) : numbers
  return {
    text,
    numbers: [...new Set(modulo)].sort((a, b) => a - b),
    signs: parts.flatMap(({ sign }) => sign ?? []),
  }
}

type Part = { numbers: number[]; sign?: string }

function readPart(field: CronFieldName, part: string): Part {
  const { sign } = rules[field]
  if (part === '') throw new InvalidCron(messages.part_empty(field))
  const numeric = named(field, part.toUpperCase())
  if (sign?.test(numeric)) return { numbers: [], sign: numeric }
  const [range = '', step, ...more] = part.split('/')
  const [from, to] = readRange(field, range, part)
  if (step === undefined) return { numbers: steps(from, to ?? from, 1) }
  if (more.length > 0 || !/^\d{1,2}$/.test(step)) throw new InvalidCron(messages.step_unknown(field, part))
  if (to === null) throw new InvalidCron(messages.step_of_one(field, part, rules[field].max))
  const most = rules[field].max - rules[field].min + (field === 'weekday' ? 0 : 1)
  if (Number(step) < 1 || Number(step) > most) throw new InvalidCron(messages.step_range(field, part, most))
  return { numbers: steps(from, to, Number(step)) }
}

/** First and last of a range; the last is null for a single number. */
function readRange(field: CronFieldName, range: string, part: string): [number, number | null] {
  const { min, max } = rules[field]
  if (range === '*') return [min, max]
  const ends = range.split('-')
  if (ends.length > 2) throw new InvalidCron(messages.part_unknown(field, part))
  const [from = min, to = null] = ends.map((end) => readNumber(field, end, part))
  if (to !== null && from > to) throw new InvalidCron(messages.range_backwards(field, part))
  return [from, to]
}

function readNumber(field: CronFieldName, text: string, part: string): number {
  const { min, max } = rules[field]
  const numeric = named(field, text.toUpperCase())
  if (!/^\d{1,2}$/.test(numeric)) throw new InvalidCron(messages.part_unknown(field, part))
  const number = Number(numeric)
  if (number < min || number > max) throw new InvalidCron(messages.number_range(field, part, min, max))
  return number
}

/** Replaces a leading name by its number. */
function named(field: CronFieldName, text: string): string {
  const { names, min } = rules[field]
  const [name, rest] = [text.slice(0, 3), text.slice(3)]
  const index = /^\d/.test(rest) ? -1 : names.indexOf(name)
  return index < 0 ? text : `${index + min}${rest}`
}

const steps = (from: number, to: number, step: number): number[] =>
  Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, index) => from + index * step)
