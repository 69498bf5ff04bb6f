const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const
const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
)

/** "1, 3 and 5": what schedules say where they list. */
const listed = (items: readonly string[], last = 'and'): string =>
  items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} ${last} ${items.at(-1)}`

// A span is written as one item.
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

/** The part of the catalogue that is about cron expressions: what they say in words, and what to mind about them. Pages do not carry it. */
export const cronMessages = {
  weekday: (day: number) => DAYS[day % 7] ?? '',
  month: (month: number) => MONTHS[month - 1] ?? '',
  span: (first: string, last: string) => `${first} to ${last}`,
  last_weekday: (day: number) => `the last ${DAYS[day % 7]} of the month`,
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
  /** Where both fields of days are set, either is enough. */
  on_either: (days: readonly string[], weekdays: readonly string[]) =>
    `on ${listed(days, 'or')}, or on ${listed(weekdays, 'or')}`,
  in_months: (months: readonly string[]) => `in ${listed(months)}`,

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
