import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { limits } from '../../../contract/limits.ts'
import { visits } from '../../../contract/visits/calls.ts'
import { call } from '../../lib/call.ts'

/** Records activity of the signed-in user; at most once in five minutes. */
export const visitQuery = queryOptions({
  queryKey: [visits.record.path] as const,
  queryFn: () => call(visits.record, {}),
  staleTime: limits.visit_report_ms,
  gcTime: Number.POSITIVE_INFINITY,
})

/** A failure has no consequence but a shorter visit. */
export const reportActivity = (client: QueryClient): Promise<void> => client.prefetchQuery(visitQuery)
