import type { TeamUser } from '../../../../contract/users/calls.ts'
import { userMessages } from '../../../../contract/users/client-messages.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { useDisable } from './use-disable.ts'

/** Confirmation before a user is disabled, with the consequences. */
export function DisableDialog({ user, onClose }: { user: TeamUser; onClose: () => void }) {
  const disable = useDisable()
  return (
    <ConfirmDialog
      title="Disable user"
      confirm="Disable"
      busy={disable.isPending}
      onConfirm={() => disable.mutate({ user, is_disabled: true }, { onSettled: onClose })}
      onClose={onClose}
    >
      {userMessages.confirm_disable_user(user.name, user.tasks_count)}
    </ConfirmDialog>
  )
}
