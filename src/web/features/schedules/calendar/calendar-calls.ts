import { queryOptions } from '@tanstack/react-query'
import type { CalendarEntry } from '../../../../contract/calendar/calls.ts'
import { calendarMessages as messages } from '../../../../contract/calendar/client-messages.ts'
import { limits } from '../../../../contract/limits.ts'
import { schedules } from '../../../../contract/schedules/calls.ts'
import { syncTasks } from '../../../../contract/sync-tasks/calls.ts'
import { unifiedTaskTypes } from '../../../../contract/task-types/calls.ts'
import { call } from '../../../lib/call.ts'
import { withTimeLimit } from '../../../lib/time-limit.ts'
import type { CalendarAddress } from './calendar-address.ts'

const REFRESH_MS = 60_000

/** The coming runs of a day or week. The last reply stays visible while another range is loaded. */
export const calendarQuery = ({ view, from }: Pick<CalendarAddress, 'view' | 'from'>) =>
  queryOptions({
    queryKey: [schedules.calendar.path, view === 'week' ? '7' : '1', from] as const,
    queryFn: ({ signal }) =>
      call(schedules.calendar, {
        query: { days: view === 'week' ? '7' : '1', ...(from && { from }) },
        signal: withTimeLimit(limits.schedule_timeout_ms, signal),
      }),
    refetchInterval: ({ state }) => (state.status === 'error' ? false : REFRESH_MS),
    meta: { failure: messages.load_failed },
  })

/** Pauses or resumes an entry, which keeps its times: a type becomes inactive or active, a task still runs by hand. */
export async function pauseEntry({ kind, category, id }: CalendarEntry, is_paused: boolean): Promise<void> {
  const params = { id: id ?? 0 }
  if (kind === 'all')
    await call(category === 'source' ? schedules.saveSourceRunAll : schedules.saveSyncRunAll, {
      body: { is_paused },
    })
  else if (kind === 'type') await call(unifiedTaskTypes.update, { params, body: { is_active: !is_paused } })
  // Only sync tasks have times of their own.
  else await call(syncTasks.pauseSchedule, { params, body: { is_paused } })
}
