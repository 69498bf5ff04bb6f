import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { auth } from '../../contract/auth.ts'
import { limits } from '../../contract/limits.ts'
import { call } from './call.ts'

/** Who is signed in, and what the server says of itself; trusted for 30 s, then asked again. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => call(auth.check, { signal }),
  staleTime: limits.auth_cache_ms,
  retry: false,
})

/** The session as last heard; undefined while unknown. */
export const useSession = () => useQuery(sessionQuery).data

/** The time zone of the schedules; UTC while the server has not told it. */
export const useTimeZone = () => useSession()?.time_zone ?? 'UTC'

/** Whether somebody is signed in; callers at the same time share one check, and a check that fails means no. */
export async function isSignedIn(client: QueryClient): Promise<boolean> {
  try {
    return (await client.fetchQuery(sessionQuery)).authenticated
  } catch (error) {
    console.info('The sign-in check failed', error)
    return false
  }
}
