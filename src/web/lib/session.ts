import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { auth } from '../../contract/auth/calls.ts'
import { limits } from '../../contract/limits.ts'
import { call } from './call.ts'

/** Session and server information. Cached for 30 s; after a failure, polled every 30 s. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => call(auth.check, { signal }),
  staleTime: limits.auth_cache_ms,
  retry: false,
  // The server may be restarting.
  refetchInterval: ({ state }) => (state.status === 'error' ? limits.auth_cache_ms : false),
})

/** The last known session; undefined while unknown. A failed check counts as signed out. */
export function useSession() {
  const { data, isError } = useQuery(sessionQuery)
  return isError && data ? { ...data, authenticated: false, user: null, is_admin: false } : data
}

/** Time zone of the schedules; UTC until it is loaded. */
export const useTimeZone = () => useSession()?.time_zone ?? 'UTC'

async function ask(client: QueryClient, staleTime: number): Promise<boolean> {
  try {
    return (await client.fetchQuery({ ...sessionQuery, staleTime })).authenticated
  } catch (error) {
    console.info('The sign-in check failed', error)
    return false
  }
}

/** Whether there is a session at startup. Concurrent callers share one check; a failed check means no. */
export const isSignedInAtStart = (client: QueryClient) => ask(client, limits.auth_cache_ms)

/** The same after startup: a session is cached for 30 s, its absence is not. */
export function isSignedIn(client: QueryClient): Promise<boolean> {
  const known = client.getQueryData(sessionQuery.queryKey)
  return ask(client, known?.authenticated ? limits.auth_cache_ms : 0)
}

/** Checks the session now, because the server rejected a request of a session that was believed valid. */
export function forceCheck(client: QueryClient): void {
  if (client.getQueryData(sessionQuery.queryKey)?.authenticated) void client.invalidateQueries(sessionQuery)
}
