import {
  type CronFieldName,
  cronMessages as messages,
} from '../../../../contract/schedules/server-messages.ts'
import { type CronField, type CronFields, readFields } from '../../../engine/schedule/cron-fields.ts'

const DAYS_OF_MONTH = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
/** Fields in which a step restarts, with their number of values. Months with 31 days and weeks are described separately. */
const STEPPED: [CronFieldName, number][] = [
  ['minute', 60],
  ['hour', 24],
  ['month', 12],
]

/** Warns about ambiguous expressions: days that some months lack, steps that do not divide the range, and both day fields set. */
export function dayWarnings(expression: string): string[] {
  const fields = readFields(expression)
  return [...missingDays(fields), ...unevenSteps(fields), ...eitherDay(fields)]
}

function missingDays({ day, month, weekday }: CronFields): string[] {
  // All 31 days are selected, so "every day" is meant.
  const every = day.numbers.length === 31
  const named = [...day.numbers, ...day.signs.map((sign) => Number.parseInt(sign, 10))]
  const missing = every
    ? []
    : named.flatMap((number) => {
        const short = month.numbers.filter((one) => number > (DAYS_OF_MONTH[one - 1] ?? 31))
        const leap = number === 29 && month.numbers.includes(2) ? [messages.leap_day] : []
        return short.length > 0 ? [messages.missing_day(number, short.map(messages.month)), ...leap] : leap
      })
  const fifth = weekday.signs.flatMap((sign) =>
    sign.endsWith('#5') ? [messages.fifth_weekday(Number.parseInt(sign, 10))] : [],
  )
  return [...missing, ...fifth]
}

const unevenSteps = (fields: CronFields): string[] =>
  STEPPED.flatMap(([name, count]) => {
    const { text, numbers }: CronField = fields[name]
    const step = Number(/^\*\/(\d+)$/.exec(text)?.[1] ?? 1)
    return count % step === 0 || numbers.length < 2 ? [] : [messages.uneven_step(name, text, numbers)]
  })

const eitherDay = ({ day, weekday }: CronFields): string[] =>
  day.text === '*' || weekday.text === '*' ? [] : [messages.either_day]
