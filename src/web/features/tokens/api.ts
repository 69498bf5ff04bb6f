import { queryOptions } from '@tanstack/react-query'
import { tokens } from '../../../contract/tokens/calls.ts'
import { tokenMessages } from '../../../contract/tokens/client-messages.ts'
import { call } from '../../lib/call.ts'

/** The user's own tokens, newest first. */
export const tokensQuery = queryOptions({
  queryKey: [tokens.list.path] as const,
  queryFn: ({ signal }) => call(tokens.list, { signal }),
  meta: { failure: tokenMessages.fetch_failed },
})
