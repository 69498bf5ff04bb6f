import { QueryCache, QueryClient } from '@tanstack/react-query'
import { frameMessages } from '../../contract/system/client-messages.ts'

import { CallError } from './call.ts'

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: {
      /** What to tell when this query fails; null where its page says it. */
      failure?: string | ((error: unknown) => string | null)
      /** The server's `error` field comes first where there is one. */
      prefer_error?: boolean
    }
  }
}

/** What to tell a person about a failed call: the server's words, or `fallback` where it had none that say anything. */
export const reasonOf = (error: unknown, fallback: string) =>
  error instanceof CallError && error.explained && error.message !== frameMessages.unexpected
    ? error.message
    : fallback

/** The same where the specification wants the `error` field of the answer before its message. */
export const errorFieldOf = (error: unknown, fallback: string) =>
  (error instanceof CallError ? error.error : undefined) ?? reasonOf(error, fallback)

/** The cache of everything read from the server; failures are told. Refusals are final, anything else is tried once more. */
export const createQueryClient = (onFailure: (message: string) => void) =>
  new QueryClient({
    queryCache: new QueryCache({
      onError(error, { meta }) {
        // 401 has the login dialog
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
