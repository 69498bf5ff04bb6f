import { mutationOptions } from '@tanstack/react-query'
import { auth } from '../../../contract/auth/calls.ts'
import { call } from '../../lib/call.ts'
import { endLoginRequests } from '../../lib/login-request.ts'
import { sessionQuery } from '../../lib/session.ts'

/**
 * Ends the session and clears the user, the saved path and all cached data. `leave` navigates to a public page first, before this
 * page detects that the session has ended and requests a sign-in.
 */
export const logout = (leave: () => Promise<void>) =>
  mutationOptions({
    mutationFn: async () => {
      const { success } = await call(auth.logout, {})
      if (!success) throw new Error('The server did not end the session')
    },
    onSuccess: async (_data, _variables, _result, { client }) => {
      await leave()
      client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0] })
      await client.invalidateQueries(sessionQuery)
      endLoginRequests()
    },
    // The session is unchanged, so no message is shown.
    onError: (error) => console.info('Signing out failed', error),
  })

/** URL of the sign-in, which returns to `path`. */
export const loginAddress = (path: string) => `/auth/login?return_to=${encodeURIComponent(path)}`
