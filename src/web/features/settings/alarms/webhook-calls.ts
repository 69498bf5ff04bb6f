import { queryOptions } from '@tanstack/react-query'
import { webhooks } from '../../../../contract/alarms/calls.ts'
import { alarmMessages as messages } from '../../../../contract/alarms/client-messages.ts'
import { unifiedTaskTypes } from '../../../../contract/task-types/calls.ts'
import { call } from '../../../lib/call.ts'

/** All webhooks by name; for administrators. */
export const webhooksQuery = queryOptions({
  queryKey: [webhooks.list.path] as const,
  queryFn: ({ signal }) => call(webhooks.list, { signal }),
  meta: { failure: messages.fetch_failed },
})

/** Types of all categories, for the selection of an alarm's types. */
export const alarmTypesQuery = queryOptions({
  queryKey: [unifiedTaskTypes.list.path, 'alarms'] as const,
  queryFn: ({ signal }) => call(unifiedTaskTypes.list, { query: {}, signal }),
  meta: { failure: messages.fetch_failed },
})
