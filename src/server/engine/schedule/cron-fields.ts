/** What one field of a cron expression allows: numbers in order, and signs such as L, 15W or 5L, which depend on the month. */
export type CronField = { text: string; numbers: number[]; signs: string[] }

/** The five fields of a cron expression. */
export type CronFields = Record<'minute' | 'hour' | 'day' | 'month' | 'weekday', CronField>

type Range = { min: number; max: number; names?: readonly string[] }

const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC']
const WEEKDAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT']

/** What the fields of an expression allow that parseCron has taken. */
export function readFields(expression: string): CronFields {
  const [minute = '', hour = '', day = '', month = '', weekday = ''] = expression
    .trim()
    .toUpperCase()
    .split(/\s+/)
  const weekdays = readField(weekday, { min: 0, max: 7, names: WEEKDAYS })
  return {
    minute: readField(minute, { min: 0, max: 59 }),
    hour: readField(hour, { min: 0, max: 23 }),
    day: readField(day, { min: 1, max: 31 }),
    month: readField(month, { min: 1, max: 12, names: MONTHS }),
    // Sunday is 0 and 7.
    weekday: { ...weekdays, numbers: inOrder(weekdays.numbers.map((number) => number % 7)) },
  }
}

function readField(text: string, { min, max, names = [] }: Range): CronField {
  const numeric = names.reduce((rest, name, index) => rest.replaceAll(name, `${index + min}`), text)
  const parts = numeric.split(',')
  const numbers = parts.flatMap((part) => numbersOf(part, { min, max }))
  return { text, numbers: inOrder(numbers), signs: parts.filter((part) => /[LW]/.test(part)) }
}

function numbersOf(part: string, { min, max }: Range): number[] {
  const parsed = /^(?:\*|(\d+)(?:-(\d+))?)(?:\/(\d+))?$/.exec(part)
  if (!parsed) return []
  const [, from, to = from, step = 1] = parsed
  const numbers: number[] = []
  for (let number = Number(from ?? min); number <= Number(to ?? max); number += Number(step))
    numbers.push(number)
  return numbers
}

const inOrder = (numbers: readonly number[]) => [...new Set(numbers)].sort((a, b) => a - b)
