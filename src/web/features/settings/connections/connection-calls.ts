import { queryOptions } from '@tanstack/react-query'
import { connections } from '../../../../contract/connections/calls.ts'
import { connectionMessages } from '../../../../contract/connections/client-messages.ts'
import { call } from '../../../lib/call.ts'

/** All connections by name; for administrators. */
export const connectionsQuery = queryOptions({
  // separate from the key of the names that the source task dialog loads
  queryKey: [connections.list.path] as const,
  queryFn: ({ signal }) => call(connections.list, { signal }),
  meta: { failure: connectionMessages.fetch_failed },
})

/** Hosts that connections may reach; for administrators. */
export const hostsQuery = queryOptions({
  queryKey: [connections.hosts.path] as const,
  queryFn: ({ signal }) => call(connections.hosts, { signal }),
  meta: { failure: connectionMessages.fetch_hosts_failed },
})
