import { queryOptions } from '@tanstack/react-query'
import { taskMessages } from '../../../contract/tasks/client-messages.ts'

import { users } from '../../../contract/users/calls.ts'
import { call } from '../../lib/call.ts'

/** All users who have signed in, by name. */
export const usersQuery = queryOptions({
  queryKey: [users.list.path] as const,
  queryFn: ({ signal }) => call(users.list, { signal }),
  // Ends in the background, seconds later as a rule.
  refetchInterval: ({ state }) => state.data?.some(({ grant }) => grant === 'disconnecting') && 3_000,
  meta: { failure: taskMessages.fetch_users_failed },
})

/** Where a person grants access again; the account is picked at once, and the way leads back here. */
export const reconnectAddress = (email: string) =>
  `/auth/login?${new URLSearchParams({ login_hint: email, return_to: '/users' })}`
