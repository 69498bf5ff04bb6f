import { queryOptions, useQuery } from '@tanstack/react-query'
import { type Outage, system } from '../../contract/system/calls.ts'
import { frameMessages } from '../../contract/system/client-messages.ts'
import { CallError, call } from './call.ts'
import { sessionQuery } from './session.ts'

const LOOK_MS = 10_000
const SECOND_TRY_MS = 2_000

/** Parts of Rowferry that are down; polled every 10 s while the page is visible. Fails after two failed requests in a row. */
const systemStatusQuery = queryOptions({
  queryKey: [system.status.path] as const,
  queryFn: ({ signal }) => call(system.status, { signal }),
  refetchInterval: LOOK_MS,
  retry: 1,
  retryDelay: SECOND_TRY_MS,
})

/** One message per part of Rowferry that is down; empty without an outage or a session. */
export function useOutages(): string[] {
  // From the last successful check: the session cannot be checked while the server is down.
  const { data: session } = useQuery(sessionQuery)
  const { data, error } = useQuery({ ...systemStatusQuery, enabled: session?.authenticated === true })
  return (
    error
      ? [failure(error)]
      : [
          ...(data?.outages ?? []).map(messageOf),
          ...(data?.missing_folders ?? []).map(({ message }) => message),
        ]
  ).filter(Boolean)
}

// Error statuses have their own messages elsewhere.
function failure(error: Error): string {
  const status = error instanceof CallError ? error.status : 0
  if (status === 0 || status === 502 || status === 504) return frameMessages.server_down
  return status === 503 ? frameMessages.database_down : ''
}

function messageOf({ part, none_left, reason, next_start }: Outage): string {
  const what = frameMessages.outages[part](none_left)
  if (reason === null || next_start === null) return what
  return `${what} ${frameMessages.outage_reason(reason, new Date(next_start).toLocaleTimeString('en-GB'))}`
}
