import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type TeamUser, users } from '../../../../contract/users/calls.ts'
import { userMessages } from '../../../../contract/users/client-messages.ts'
import { call } from '../../../lib/call.ts'
import { reasonOf } from '../../../lib/query-client.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { toast } from '../../../ui/toast.ts'
import { usersQuery } from '../api.ts'

/** Confirmation before a user's Google access is revoked, with the consequences. */
export function DisconnectDialog({ user, onClose }: { user: TeamUser; onClose: () => void }) {
  const client = useQueryClient()
  const disconnect = useMutation({
    mutationFn: () => call(users.disconnect, { params: { id: user.id } }),
    onSuccess: ({ name, grant }) => {
      toast.success(
        grant === 'disconnecting'
          ? userMessages.google_disconnecting(name)
          : userMessages.google_disconnected(name),
      )
      return client.invalidateQueries(usersQuery)
    },
    onError: (error) => toast.error(reasonOf(error, userMessages.disconnect_failed)),
    onSettled: onClose,
  })
  return (
    <ConfirmDialog
      title={userMessages.disconnect_google}
      confirm="Disconnect"
      busy={disconnect.isPending}
      onConfirm={() => disconnect.mutate()}
      onClose={onClose}
    >
      {userMessages.confirm_disconnect(user.name, user.tasks_count)}
    </ConfirmDialog>
  )
}
