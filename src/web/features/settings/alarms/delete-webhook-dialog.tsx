import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type Webhook, webhooks } from '../../../../contract/alarms/calls.ts'
import { alarmMessages as messages } from '../../../../contract/alarms/client-messages.ts'
import { call } from '../../../lib/call.ts'
import { reasonOf } from '../../../lib/query-client.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { toast } from '../../../ui/toast.ts'
import { webhooksQuery } from './webhook-calls.ts'

/** Confirms the deletion of an alarm. */
export function DeleteWebhookDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const client = useQueryClient()
  const remove = useMutation({
    mutationFn: () => call(webhooks.delete, { params: { id: webhook.id } }),
    onSuccess: () => {
      toast.success(messages.deleted)
      return client.invalidateQueries(webhooksQuery)
    },
    onError: (error) => toast.error(reasonOf(error, messages.delete_failed)),
    onSettled: onClose,
  })
  return (
    <ConfirmDialog
      title="Delete alarm"
      confirm="Delete"
      busy={remove.isPending}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      {messages.confirm_delete(webhook.name)}
    </ConfirmDialog>
  )
}
