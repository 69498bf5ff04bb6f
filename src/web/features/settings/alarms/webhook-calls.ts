import { queryOptions } from '@tanstack/react-query'
import { alarmMessages as messages } from '../../../../contract/alarm-messages.ts'
import { unifiedTaskTypes } from '../../../../contract/task-types.ts'
import { webhooks } from '../../../../contract/webhooks.ts'
import { call } from '../../../lib/call.ts'

/** All webhooks by name; for administrators. */
export const webhooksQuery = queryOptions({
  queryKey: [webhooks.list.path] as const,
  queryFn: ({ signal }) => call(webhooks.list, { signal }),
  meta: { failure: messages.fetch_failed },
})

/** Types of all categories, to choose among. */
export const alarmTypesQuery = queryOptions({
  queryKey: [unifiedTaskTypes.list.path, 'alarms'] as const,
  queryFn: ({ signal }) => call(unifiedTaskTypes.list, { query: {}, signal }),
  meta: { failure: messages.fetch_failed },
})
