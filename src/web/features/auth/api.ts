import { mutationOptions } from '@tanstack/react-query'
import { auth } from '../../../contract/auth/calls.ts'
import { call } from '../../lib/call.ts'
import { endLoginRequests } from '../../lib/login-request.ts'
import { sessionQuery } from '../../lib/session.ts'

/**
 * Ends the session; the user and the saved path go with it, and everything that was read for them. `leave` goes to a page that
 * needs no sign-in, before this one learns that nobody is signed in and asks for it.
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
    // the state stays as it is, so there is nothing to tell a person
    onError: (error) => console.info('Signing out failed', error),
  })

/** Address of the sign-in; it comes back to `path`. */
export const loginAddress = (path: string) => `/auth/login?return_to=${encodeURIComponent(path)}`
