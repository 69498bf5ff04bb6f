import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { notifications } from '../../../contract/notifications/calls.ts'
import { notificationMessages as messages } from '../../../contract/notifications/client-messages.ts'
import { call } from '../../lib/call.ts'
import { reasonOf } from '../../lib/query-client.ts'
import { toast } from '../../ui/toast.ts'

// The server looks for alarms every 15 seconds.
const POLL_MS = 20_000

/** Number of unread notifications; polled while the page is visible. */
export const unreadQuery = queryOptions({
  queryKey: [notifications.count.path],
  queryFn: async ({ signal }) => (await call(notifications.count, { signal })).unread,
  refetchInterval: POLL_MS,
  staleTime: POLL_MS,
})

/** What concerns the user, newest first. */
export const notificationsQuery = queryOptions({
  queryKey: [notifications.list.path],
  queryFn: ({ signal }) => call(notifications.list, { signal }),
  refetchInterval: POLL_MS,
})

/** Marks notifications as read; `and_older`: also everything before them. */
export function useMarkRead() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: { keys: string[]; and_older: boolean }) => call(notifications.read, { body }),
    onSuccess: ({ unread }) => {
      client.setQueryData(unreadQuery.queryKey, unread)
      return client.invalidateQueries(notificationsQuery)
    },
    onError: (error) => toast.error(reasonOf(error, messages.read_failed)),
  })
}
