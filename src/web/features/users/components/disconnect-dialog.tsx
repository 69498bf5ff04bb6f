import { useMutation, useQueryClient } from '@tanstack/react-query'
import { messages } from '../../../../contract/screen-messages.ts'
import { type TeamUser, users } from '../../../../contract/users.ts'
import { call } from '../../../lib/call.ts'
import { reasonOf } from '../../../lib/query-client.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { toast } from '../../../ui/toast.ts'
import { usersQuery } from '../api.ts'

/** Asks before a person's Google access ends, and says what that does. */
export function DisconnectDialog({ user, onClose }: { user: TeamUser; onClose: () => void }) {
  const client = useQueryClient()
  const disconnect = useMutation({
    mutationFn: () => call(users.disconnect, { params: { id: user.id } }),
    onSuccess: ({ name, grant }) => {
      toast.success(
        grant === 'disconnecting' ? messages.google_disconnecting(name) : messages.google_disconnected(name),
      )
      return client.invalidateQueries(usersQuery)
    },
    onError: (error) => toast.error(reasonOf(error, messages.disconnect_failed)),
    onSettled: onClose,
  })
  return (
    <ConfirmDialog
      title={messages.disconnect_google}
      confirm="Disconnect"
      busy={disconnect.isPending}
      onConfirm={() => disconnect.mutate()}
      onClose={onClose}
    >
      {messages.confirm_disconnect(user.name, user.tasks_count)}
    </ConfirmDialog>
  )
}
