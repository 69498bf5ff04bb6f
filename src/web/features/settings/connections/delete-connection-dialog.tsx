import { useMutation, useQueryClient } from '@tanstack/react-query'
import { connectionMessages as texts } from '../../../../contract/connection-page-messages.ts'
import { type Connection, connections } from '../../../../contract/connections.ts'
import { messages } from '../../../../contract/screen-messages.ts'
import { call } from '../../../lib/call.ts'
import { reasonOf } from '../../../lib/query-client.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { toast } from '../../../ui/toast.ts'
import { connectionsQuery } from './connection-calls.ts'

/** Asks before a connection goes; one that tasks use stays, and the server names them. */
export function DeleteConnectionDialog({
  connection: { id, name },
  onClose,
}: {
  connection: Connection
  onClose: () => void
}) {
  const client = useQueryClient()
  const remove = useMutation({
    mutationFn: () => call(connections.delete, { params: { id } }),
    onSuccess: () => {
      toast.success(texts.deleted)
      void client.invalidateQueries({ queryKey: [connections.names.path] })
      return client.invalidateQueries(connectionsQuery)
    },
    onError: (error) => toast.error(reasonOf(error, texts.delete_failed)),
    onSettled: onClose,
  })
  return (
    <ConfirmDialog
      title={messages.confirm_deletion}
      confirm="Delete"
      busy={remove.isPending}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      {texts.confirm_delete(name)}
    </ConfirmDialog>
  )
}
