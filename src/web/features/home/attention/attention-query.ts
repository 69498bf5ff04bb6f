import { queryOptions } from '@tanstack/react-query'
import { failureActionMessages } from '../../../../contract/failures/dialog-messages.ts'
import { limits } from '../../../../contract/limits.ts'
import { pipeline } from '../../../../contract/pipeline/calls.ts'
import { call } from '../../../lib/call.ts'

type Which = { cause: string } | { marked: 'true' }

/** Tasks that need attention for a cause, or the marked ones. Stale after each event of the pipeline. */
export const attentionQuery = (which: Which) =>
  queryOptions({
    queryKey: [pipeline.attention.path, which] as const,
    queryFn: ({ signal }) =>
      call(pipeline.attention, { query: { ...which, limit: String(limits.attention_page_max) }, signal }),
    staleTime: 0,
    meta: { failure: failureActionMessages.fetch_failed },
  })
