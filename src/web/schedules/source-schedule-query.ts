import { queryOptions } from '@tanstack/react-query'
import { limits } from '../../contract/limits.ts'
import { schedules } from '../../contract/schedules/calls.ts'
import { call } from '../lib/call.ts'
import { withTimeLimit } from '../lib/time-limit.ts'

const limited = (signal?: AbortSignal) => withTimeLimit(limits.schedule_timeout_ms, signal)

/** State of the source schedule; polled every 15 s until a request fails. */
export const sourceStatusQuery = queryOptions({
  queryKey: [schedules.sourceStatus.path] as const,
  queryFn: ({ signal }) => call(schedules.sourceStatus, { signal: limited(signal) }),
  refetchInterval: ({ state }) => (state.status === 'error' ? false : limits.schedule_refresh_ms),
})

/** Starts or stops the source schedule. */
export const switchSource = (on: boolean) =>
  on ? call(schedules.start, { body: {}, signal: limited() }) : call(schedules.stop, { signal: limited() })
