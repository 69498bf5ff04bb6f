import { useMutation, useQueryClient } from '@tanstack/react-query'
import { connections } from '../../../../contract/connections/calls.ts'
import { connectionMessages } from '../../../../contract/connections/client-messages.ts'
import { call } from '../../../lib/call.ts'
import { reasonOf } from '../../../lib/query-client.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { toast } from '../../../ui/toast.ts'
import { hostsQuery } from './connection-calls.ts'

/** Confirms the removal of an allowed host. */
export function RemoveHostDialog({ host, onClose }: { host: string; onClose: () => void }) {
  const client = useQueryClient()
  const refuse = useMutation({
    mutationFn: () => call(connections.refuseHost, { body: { host } }),
    onSuccess: () => {
      toast.success(connectionMessages.removed(host))
      return client.invalidateQueries(hostsQuery)
    },
    onError: (error) => toast.error(reasonOf(error, connectionMessages.refuse_failed)),
    onSettled: onClose,
  })
  return (
    <ConfirmDialog
      title="Remove Host"
      confirm="Remove"
      busy={refuse.isPending}
      onConfirm={() => refuse.mutate()}
      onClose={onClose}
    >
      {connectionMessages.confirm_refuse(host)}
    </ConfirmDialog>
  )
}
