import { queryOptions } from '@tanstack/react-query'
import { taskMessages } from '../../../contract/tasks/client-messages.ts'

import { users } from '../../../contract/users/calls.ts'
import { call } from '../../lib/call.ts'

/** All users who have signed in, by name. */
export const usersQuery = queryOptions({
  queryKey: [users.list.path] as const,
  queryFn: ({ signal }) => call(users.list, { signal }),
  // Disconnecting continues in the background, usually for a few seconds.
  refetchInterval: ({ state }) => state.data?.some(({ grant }) => grant === 'disconnecting') && 3_000,
  meta: { failure: taskMessages.fetch_users_failed },
})

/** URL that grants Google access again, with the account preselected; it returns to this page. */
export const reconnectAddress = (email: string) =>
  `/auth/login?${new URLSearchParams({ login_hint: email, return_to: '/users' })}`
