import { formatted } from '../counted.ts'
import type { CalendarEntry } from './calls.ts'

const counted = (count: number, word: string) => `${formatted(count)} ${word}${count === 1 ? '' : 's'}`

/** A duration in the units that fit: "45 s", "11 minutes", "3 h 20 min". */
const duration = (seconds: number): string => {
  if (seconds < 60) return `${Math.round(seconds)} s`
  const minutes = Math.ceil(seconds / 60)
  if (minutes < 60) return counted(minutes, 'minute')
  const rest = minutes % 60
  return `${formatted(Math.floor(minutes / 60))}\u00a0h${rest > 0 ? ` ${rest}\u00a0min` : ''}`
}

/** `days`: where there are several, on which the same repeats. */
type When = { days: readonly string[]; from: string; to: string; until: string }

const list = (items: readonly string[]): string =>
  items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`

/** Texts of the calendar of schedules. */
export const calendarMessages = {
  title: 'Scheduled tasks',
  load_failed: 'Failed to fetch scheduled tasks.',
  today: 'Today',
  now: 'now',
  legend: 'Bars: runs · %: share of the quota',
  choose_hour: 'Choose an hour to see what runs in it.',
  busiest: 'Busiest hours',
  total: 'In total',
  nothing_in_hour: 'Nothing is scheduled in this hour.',
  nothing_in_range: 'Nothing is scheduled in this time.',
  nothing_matches: 'No entry matches this search.',
  paused_only: (count: number) => `Paused only (${formatted(count)})`,

  runs: (count: number) => counted(count, 'run'),
  duration,
  work: (seconds: number) => `about ${duration(seconds)} of work`,
  requests: (reads: number, writes: number) => `${counted(reads, 'read')} and ${counted(writes, 'write')}`,
  all_requests: (count: number) => counted(count, 'request'),
  quota_share: (percent: number) => `${percent} % of the quota`,
  quota_unused: 'no requests against the quota',
  waits_for_quota: 'runs wait for the quota',

  conflict: (runs: number, { days, from, to, until }: When, seconds: number) => {
    const need = `${duration(seconds)} of quota`
    const on = days.length > 1 ? ` on ${days.length} days` : days.map((day) => ` on ${day}`).join('')
    return from === to
      ? `${counted(runs, 'task')} at ${from}${on} ${runs === 1 ? 'needs' : 'need'} ${need}`
      : `${counted(runs, 'run')} from ${from} to ${to}${on} need ${need}, until ${until}`
  },
  conflicts: 'Conflicts',
  conflicts_hint: 'Their requests wait for the quota. Spread the times, or give the tasks more accounts.',
  more_conflicts: (count: number) => `Show ${formatted(count)} more`,

  clock_forward: (day: string, from: string, to: string) => `On ${day} the clock goes from ${from} to ${to}.`,
  clock_skips: (times: readonly string[], to: string) =>
    `${list(times)} ${times.length === 1 ? 'does' : 'do'} not exist on that day: runs start at ${to}.`,
  clock_skips_none: 'No schedule is due in the hour that does not exist.',
  clock_back: (day: string, from: string, to: string) =>
    `On ${day} the clock goes back from ${from} to ${to}: the time between comes twice. Fixed times run once, the first time; intervals run on.`,
  hour_missing: 'This hour does not exist on this day',
  hour_again: 'again',
  clock_change: { skips: '23 hours', repeats: '25 hours' },

  nothing_measured: 'Durations and requests are predicted once tasks have run successfully.',
  unmeasured: (count: number) =>
    `${counted(count, 'task')} ${count === 1 ? 'has' : 'have'} no recent successful run: averages of the category are used for ${count === 1 ? 'it' : 'them'}.`,
  source_schedule_stopped:
    'The source schedule is stopped: schedules of types and Run All of source tasks start nothing.',

  due: (times: readonly string[]) =>
    times.length <= 3 ? times.join(', ') : `${formatted(times.length)} times, ${times[0]} to ${times.at(-1)}`,
  each_time: (tasks: number, seconds: number, requests: number) =>
    [
      counted(tasks, 'task'),
      seconds > 0 ? duration(seconds) : '',
      requests > 0 ? counted(requests, 'request') : '',
    ]
      .filter(Boolean)
      .join(' · '),
  no_active_task: 'No active task',

  paused_by: {
    entry: 'Paused',
    inactive: 'Task is inactive',
    source_schedule: 'Source schedule stopped',
  } satisfies Record<NonNullable<CalendarEntry['paused_by']>, string>,
  pause: (name: string) => `Pause ${name}`,
  resume: (name: string) => `Resume ${name}`,
  pause_failed: (name: string) => `Failed to pause ${name}`,
  resume_failed: (name: string) => `Failed to resume ${name}`,
  schedule_paused: (name: string) => `${name} does not run on schedule`,
  resumed: (name: string) => `${name} runs on schedule again`,
  run_all: {
    sync: 'Run All of sync tasks',
    source: 'Run All of source tasks',
    compiler: 'Run All of compiles',
  },
} as const
