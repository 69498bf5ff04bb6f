import { queryOptions } from '@tanstack/react-query'
import { approvals } from '../../../../contract/approvals/calls.ts'
import { approvalMessages } from '../../../../contract/approvals/client-messages.ts'
import { call } from '../../../lib/call.ts'

/** What needs an approval, and the last decisions. */
export const approvalsQuery = queryOptions({
  queryKey: [approvals.list.path] as const,
  queryFn: ({ signal }) => call(approvals.list, { signal }),
  meta: { failure: approvalMessages.load_failed },
})
