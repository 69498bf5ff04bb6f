import type { CalendarHour } from '../../../../contract/calendar/calls.ts'
import { calendarMessages as messages } from '../../../../contract/calendar/client-messages.ts'
import type { ReadyBy } from '../../../../contract/forecast/calls.ts'
import { type LoadTone, quotaPercent } from './calendar-layout.ts'
import { hourLabel, longDay } from './dates.ts'
import { deadlineLabel, deadlinesInHour } from './deadlines.ts'

/** The load of an hour in words, part by part. */
export function loadParts({ runs, run_seconds, reads, writes, ...quota }: CalendarHour): string[] {
  if (runs === 0) return [messages.runs(0)]
  return [
    messages.runs(runs),
    ...(run_seconds > 0 ? [messages.work(run_seconds)] : []),
    ...(reads + writes > 0
      ? [messages.requests(reads, writes), messages.quota_share(quotaPercent(quota))]
      : [messages.quota_unused]),
  ]
}

/** Name of an hour's button. */
export const hourSummary = (
  hour: CalendarHour,
  again: boolean,
  tone: LoadTone,
  deadlines: readonly ReadyBy[],
) =>
  [
    `${longDay(hour.date)}, ${hourLabel(hour.hour)}${again ? ` ${messages.hour_again}` : ''}`,
    ...loadParts(hour),
    ...(tone === 'conflict' || tone === 'over' ? [messages.waits_for_quota] : []),
    ...deadlinesInHour(hour, deadlines).map(deadlineLabel),
  ].join(', ')
