import type { CalendarHour } from '../../../../contract/calendar/calls.ts'
import type { ReadyBy } from '../../../../contract/forecast/calls.ts'
import { readyByMessages as messages } from '../../../../contract/forecast/client-messages.ts'

/** Deadlines whose time of day is within an hour of the clock. */
export const deadlinesInHour = ({ hour }: Pick<CalendarHour, 'hour'>, deadlines: readonly ReadyBy[]) =>
  deadlines.filter(({ ready_by }) => Number(ready_by.slice(0, 2)) === hour)

/** Whether the forecast of a deadline is about this hour, not about the same hour of another day. */
export const isNextIn = ({ at, seconds }: Pick<CalendarHour, 'at' | 'seconds'>, { deadline }: ReadyBy) =>
  deadline !== null &&
  Date.parse(deadline) >= Date.parse(at) &&
  Date.parse(deadline) < Date.parse(at) + seconds * 1000

/** A deadline in words: "Prices ready by 07:00". */
export const deadlineLabel = ({ name, ready_by }: ReadyBy) => messages.marker(name, ready_by)
