import { queryOptions } from '@tanstack/react-query'
import { limits } from '../../../contract/limits.ts'
import { messages } from '../../../contract/messages.ts'
import { schedules } from '../../../contract/schedules.ts'
import { call } from '../../lib/call.ts'
import { withTimeLimit } from '../../lib/time-limit.ts'

const limited = (signal?: AbortSignal) => withTimeLimit(limits.schedule_timeout_ms, signal)

/** Everything that runs by itself. */
export const scheduledTasksQuery = queryOptions({
  queryKey: [schedules.scheduledTasks.path] as const,
  queryFn: ({ signal }) => call(schedules.scheduledTasks, { signal }),
  meta: { failure: messages.fetch_scheduled_tasks_failed },
})

/** The next runs of source tasks, earliest first. */
export const upcomingQuery = queryOptions({
  queryKey: [schedules.nextScheduled.path] as const,
  queryFn: async ({ signal }) => {
    const query = { limit: limits.upcoming_shown }
    return (await call(schedules.nextScheduled, { query, signal: limited(signal) })).next_scheduled_tasks
  },
  meta: { failure: messages.fetch_scheduled_tasks_failed },
})

/** Whether the source schedule is on, read again every 15 s until that fails. */
export const sourceStatusQuery = queryOptions({
  queryKey: [schedules.sourceStatus.path] as const,
  queryFn: ({ signal }) => call(schedules.sourceStatus, { signal: limited(signal) }),
  refetchInterval: ({ state }) => (state.status === 'error' ? false : limits.schedule_refresh_ms),
})

/** Switches the source schedule on or off. */
export const switchSource = (on: boolean) =>
  on ? call(schedules.start, { body: {}, signal: limited() }) : call(schedules.stop, { signal: limited() })
