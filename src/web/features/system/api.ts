import { queryOptions } from '@tanstack/react-query'
import { system } from '../../../contract/system.ts'
import { call } from '../../lib/call.ts'

const LOOK_MS = 10_000
const SECOND_TRY_MS = 2_000

/** Which parts of Rowferry are down, read again every 10 s while the page is seen. It fails when two requests in a row do. */
export const systemStatusQuery = queryOptions({
  queryKey: [system.status.path] as const,
  queryFn: ({ signal }) => call(system.status, { signal }),
  refetchInterval: LOOK_MS,
  retry: 1,
  retryDelay: SECOND_TRY_MS,
})
