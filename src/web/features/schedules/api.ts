import { queryOptions } from '@tanstack/react-query'
import { limits } from '../../../contract/limits.ts'
import { schedules } from '../../../contract/schedules/calls.ts'
import { scheduleMessages } from '../../../contract/schedules/client-messages.ts'

import { call } from '../../lib/call.ts'
import { withTimeLimit } from '../../lib/time-limit.ts'

/** Everything that runs on a schedule. */
export const scheduledTasksQuery = queryOptions({
  queryKey: [schedules.scheduledTasks.path] as const,
  queryFn: ({ signal }) => call(schedules.scheduledTasks, { signal }),
  meta: { failure: scheduleMessages.fetch_scheduled_tasks_failed },
})

/** The next runs of source tasks, earliest first. */
export const upcomingQuery = queryOptions({
  queryKey: [schedules.nextScheduled.path] as const,
  queryFn: async ({ signal }) => {
    const query = { limit: limits.upcoming_shown }
    const limited = withTimeLimit(limits.schedule_timeout_ms, signal)
    return (await call(schedules.nextScheduled, { query, signal: limited })).next_scheduled_tasks
  },
  meta: { failure: scheduleMessages.fetch_scheduled_tasks_failed },
})
