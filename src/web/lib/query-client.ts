import { QueryCache, QueryClient } from '@tanstack/react-query'
import { frameMessages } from '../../contract/system/client-messages.ts'

import { CallError } from './call.ts'

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: {
      /** Message if this query fails; null if its page shows the error. */
      failure?: string | ((error: unknown) => string | null)
      /** Prefers the server's `error` field over `message`. */
      prefer_error?: boolean
    }
  }
}

/** Message of a failed call: the server's if it sent one, otherwise `fallback`. */
export const reasonOf = (error: unknown, fallback: string) =>
  error instanceof CallError && error.explained && error.message !== frameMessages.unexpected
    ? error.message
    : fallback

/** The same for calls whose `error` field takes precedence over `message` in the specification. */
export const errorFieldOf = (error: unknown, fallback: string) =>
  (error instanceof CallError ? error.error : undefined) ?? reasonOf(error, fallback)

/** Cache of all server data. Failures are shown as toasts; error statuses are final, other failures are retried once. */
export const createQueryClient = (onFailure: (message: string) => void) =>
  new QueryClient({
    queryCache: new QueryCache({
      onError(error, { meta }) {
        // A 401 opens the sign-in dialog.
        if (!meta?.failure || (error instanceof CallError && error.status === 401)) return
        const failure = typeof meta.failure === 'string' ? meta.failure : meta.failure(error)
        if (failure !== null) onFailure(meta.prefer_error ? errorFieldOf(error, failure) : failure)
      },
    }),
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        retry: (count, error) =>
          count < 1 && !(error instanceof CallError && error.status >= 400 && error.status < 500),
      },
    },
  })
