import { queryOptions } from '@tanstack/react-query'
import { connectionMessages as messages } from '../../../../contract/connection-page-messages.ts'
import { connections } from '../../../../contract/connections.ts'
import { call } from '../../../lib/call.ts'

/** All connections by name; for administrators. */
export const connectionsQuery = queryOptions({
  // not that of their names, which every source task's dialog asks for
  queryKey: [connections.list.path] as const,
  queryFn: ({ signal }) => call(connections.list, { signal }),
  meta: { failure: messages.fetch_failed },
})

/** Hosts that connections may reach; for administrators. */
export const hostsQuery = queryOptions({
  queryKey: [connections.hosts.path] as const,
  queryFn: ({ signal }) => call(connections.hosts, { signal }),
  meta: { failure: messages.fetch_hosts_failed },
})
