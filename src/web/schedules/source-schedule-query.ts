import { queryOptions } from '@tanstack/react-query'
import { limits } from '../../contract/limits.ts'
import { schedules } from '../../contract/schedules/calls.ts'
import { call } from '../lib/call.ts'
import { withTimeLimit } from '../lib/time-limit.ts'

const limited = (signal?: AbortSignal) => withTimeLimit(limits.schedule_timeout_ms, signal)

/** Whether the source schedule is on, read again every 15 s until that fails. */
export const sourceStatusQuery = queryOptions({
  queryKey: [schedules.sourceStatus.path] as const,
  queryFn: ({ signal }) => call(schedules.sourceStatus, { signal: limited(signal) }),
  refetchInterval: ({ state }) => (state.status === 'error' ? false : limits.schedule_refresh_ms),
})

/** Switches the source schedule on or off. */
export const switchSource = (on: boolean) =>
  on ? call(schedules.start, { body: {}, signal: limited() }) : call(schedules.stop, { signal: limited() })
