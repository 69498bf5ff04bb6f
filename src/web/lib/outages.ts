import { queryOptions, useQuery } from '@tanstack/react-query'
import { type Outage, system } from '../../contract/system/calls.ts'
import { frameMessages } from '../../contract/system/client-messages.ts'
import { CallError, call } from './call.ts'
import { sessionQuery } from './session.ts'

const LOOK_MS = 10_000
const SECOND_TRY_MS = 2_000

/** Which parts of Rowferry are down, read again every 10 s while the page is seen. It fails when two requests in a row do. */
const systemStatusQuery = queryOptions({
  queryKey: [system.status.path] as const,
  queryFn: ({ signal }) => call(system.status, { signal }),
  refetchInterval: LOOK_MS,
  retry: 1,
  retryDelay: SECOND_TRY_MS,
})

/** One text per part of Rowferry that is down; empty without an outage or without a session. */
export function useOutages(): string[] {
  // of the last check that succeeded: the session cannot be checked either while the server is away
  const { data: session } = useQuery(sessionQuery)
  const { data, error } = useQuery({ ...systemStatusQuery, enabled: session?.authenticated === true })
  return (error ? [failure(error)] : (data?.outages ?? []).map(sentence)).filter(Boolean)
}

// refusals have their own words elsewhere
function failure(error: Error): string {
  const status = error instanceof CallError ? error.status : 0
  if (status === 0 || status === 502 || status === 504) return frameMessages.server_down
  return status === 503 ? frameMessages.database_down : ''
}

function sentence({ part, none_left, reason, next_start }: Outage): string {
  const what = frameMessages.outages[part](none_left)
  if (reason === null || next_start === null) return what
  return `${what} ${frameMessages.outage_reason(reason, new Date(next_start).toLocaleTimeString('en-GB'))}`
}
