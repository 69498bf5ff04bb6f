import { formatted } from '../counted.ts'
import { limits } from '../limits.ts'
import { quoted } from '../quoted.ts'

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const
const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
)

/** A list in a sentence: "1, 3 and 5". */
const listed = (items: readonly string[], last = 'and'): string =>
  items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} ${last} ${items.at(-1)}`

// a range counts as one item
const isOne = ([first, ...others]: readonly string[]) => others.length === 0 && !first?.includes(' ')

const counted = (word: string, items: readonly string[]) =>
  `${word}${isOne(items) ? '' : 's'} ${listed(items)}`

const duration = (seconds: number): string => {
  const whole = Math.round(seconds)
  const parts = [
    [Math.floor(whole / 3600), 'h'],
    [Math.floor((whole % 3600) / 60), 'min'],
    [whole % 60, 's'],
  ] as const
  return parts.flatMap(([count, unit]) => (count ? [`${count} ${unit}`] : [])).join(' ')
}

/** The five fields of a cron expression. */
export type CronFieldName = 'minute' | 'hour' | 'day' | 'month' | 'weekday'

const FIELDS: Record<CronFieldName, { title: string; one: string; again: string; names: string }> = {
  minute: { title: 'Minute', one: 'a minute', again: 'hour', names: '' },
  hour: { title: 'Hour', one: 'an hour', again: 'day', names: '' },
  day: { title: 'Day of month', one: 'a day', again: 'month', names: '' },
  month: { title: 'Month', one: 'a month', again: 'year', names: ', or JAN to DEC' },
  weekday: {
    title: 'Day of week',
    one: 'a day of the week',
    again: 'week',
    names: ' (0 and 7 are Sunday), or SUN to SAT',
  },
}
const ORDINALS = ['', 'first', 'second', 'third', 'fourth', 'fifth']

/** Quotes a part of an expression; an invisible character by its code point. */
const shown = (part: string) =>
  quoted(part).replaceAll(
    /[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu,
    (sign) => `[U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`,
  )
const at = (field: CronFieldName, part: string) => `${FIELDS[field].title}: "${shown(part)}"`

/** Descriptions of cron expressions and warnings about them. Separate, so that pages do not load it. */
export const cronMessages = {
  too_long: `A cron expression has at most ${limits.cron_characters} characters`,
  five_fields: (count: number) =>
    `A cron expression has five fields: minute, hour, day of month, month, day of week. This one has ${count}.`,
  not_understood: 'This combination of fields cannot be scheduled. Write it as several types.',
  never_runs: 'This never runs: there is no such day',
  part_empty: (field: CronFieldName) =>
    `${FIELDS[field].title}: a comma has nothing before or after it. Remove it.`,
  part_unknown: (field: CronFieldName, part: string) => {
    const { one, names } = FIELDS[field]
    const signs =
      field === 'day'
        ? ', L, LW alone or a number with W'
        : field === 'weekday'
          ? ', or one of them with L or # and 1 to 5'
          : ''
    return `${at(field, part)} is not ${one}. Write numbers${names}, a range such as 1-5, a step such as */2, or *${signs}.`
  },
  number_range: (field: CronFieldName, part: string, min: number, max: number) =>
    `${at(field, part)} is out of range. Write numbers from ${min} to ${max}${FIELDS[field].names}.`,
  range_backwards: (field: CronFieldName, part: string) =>
    `${at(field, part)} ends before it begins. Write the smaller number first, or list the parts with commas.`,
  step_unknown: (field: CronFieldName, part: string) =>
    `${at(field, part)} has no step after the slash. Write a number, as in */2.`,
  step_of_one: (field: CronFieldName, part: string, max: number) => {
    const [from, step] = shown(part).split('/')
    return `${at(field, part)} takes steps from one number. Write ${from}-${max}/${step}, or */${step}.`
  },
  step_range: (field: CronFieldName, part: string, most: number) =>
    `${at(field, part)} has a step out of range. Write a step from 1 to ${most}.`,
  /** for stored schedules of earlier versions */
  not_described: (reason: string) =>
    `Still runs as before, but is not a valid cron expression any more. ${reason}`,

  weekday: (day: number) => DAYS[day % 7] ?? '',
  month: (month: number) => MONTHS[month - 1] ?? '',
  span: (first: string, last: string) => `${first} to ${last}`,
  last_weekday: (day: number) => `the last ${DAYS[day % 7]} of the month`,
  nth_weekday: (day: number, nth: number) => `the ${ORDINALS[nth]} ${DAYS[day % 7]} of the month`,
  last_day: 'the last day of the month',
  last_working_day: 'the last weekday of the month',
  nearest_weekday: (day: number) => `the weekday nearest day ${day} of the month`,
  days_of_month: (days: readonly string[]) => `${counted('day', days)} of the month`,

  every_minute: 'Every minute',
  every_minute_of: (hours: readonly string[]) => `Every minute of ${counted('hour', hours)}`,
  minutes_of_every_hour: (minutes: readonly string[]) => `At ${counted('minute', minutes)} of every hour`,
  minutes_of: (minutes: readonly string[], hours: readonly string[]) =>
    `At ${counted('minute', minutes)} of ${counted('hour', hours)}`,
  at_times: (times: readonly string[]) => `At ${listed(times)}`,
  on_days: (days: readonly string[]) => `on ${listed(days)}`,
  /** if both day fields are set, either one matches */
  on_either: (days: readonly string[], weekdays: readonly string[]) =>
    `on ${listed(days, 'or')}, or on ${listed(weekdays, 'or')}`,
  in_months: (months: readonly string[]) => `in ${listed(months)}`,

  missing_day: (day: number, months: readonly string[]) =>
    `${listed(months)} ${months.length === 1 ? 'has' : 'have'} no day ${day}: it is left out there. L is the last day of any month.`,
  leap_day: 'February has a day 29 in leap years only. L is the last day of any month.',
  fifth_weekday: (day: number) =>
    `Not every month has a fifth ${DAYS[day % 7]}. ${day}L is the last one of any month.`,
  uneven_step: (field: CronFieldName, part: string, numbers: readonly number[]) =>
    `${at(field, part)} begins again with each ${FIELDS[field].again}: it means ${listed(numbers.map(String))}, so the last gap is shorter than the others.`,
  either_day: 'Day of month and day of week are both set: it starts on a day that matches either of them.',

  shifted: (change: string, due: readonly string[], start: string) =>
    `${change} What is due at ${listed(due)} starts ${isOne(due) ? '' : 'once, '}at ${start}.`,
  skipped: (change: string, due: readonly string[]) => `${change} What is due at ${listed(due)} is left out.`,
  doubled: (change: string, due: readonly string[]) =>
    `${change} What is due at ${listed(due)} starts twice.`,
  clock_change: ({
    zone,
    day,
    from,
    to,
    forward,
  }: {
    zone: string
    day: string
    from: string
    to: string
    forward: boolean
  }) => `On ${day} clocks go ${forward ? 'forward' : 'back'} from ${from} to ${to} (${zone}).`,
  longer_than_gap: (usual_seconds: number, gap_seconds: number) =>
    `Runs of this type usually take ${duration(usual_seconds)}, longer than the ${duration(gap_seconds)} between two starts. What is due while a task still runs is missed.`,
} as const

/** Messages of the server about schedules. */
export const scheduleServerMessages = {
  // schedules
  source_schedule_started: 'The source schedule is running',
  source_schedule_stopped:
    'The source schedule is stopped. What is due meanwhile is missed, and noted as such.',
  source_schedule_runs_already: 'The source schedule was running already',
  source_schedule_stopped_already: 'The source schedule was stopped already',
  next_runs_counted: (count: number) =>
    `${formatted(count)} source ${count === 1 ? 'task has' : 'tasks have'} a next run`,
  no_next_runs: 'No source task is scheduled',
  entry_sync_task: (id: number) => `Run sync task ${id}`,
  entry_source_type: 'Run all source tasks of this type',
  entry_compiler_type: 'Compile',
  entry_run_all_sync: 'Run all sync tasks',
  entry_run_all_source: 'Run all source tasks',
} as const
