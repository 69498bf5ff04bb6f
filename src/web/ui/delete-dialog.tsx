import { useMutation } from '@tanstack/react-query'
import { frameMessages } from '../../contract/system/client-messages.ts'

import { reasonOf } from '../lib/query-client.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { toast } from './toast.ts'

type Props = {
  title?: string
  /** What the button says. */
  confirm?: string
  /** What will be lost. */
  question: string
  remove: () => Promise<unknown>
  deleted: string
  /** What is told where the server does not say why it stays. */
  failed: string
  /** Called once it is gone; reads again what has shown it. */
  onDeleted: () => Promise<unknown>
  onClose: () => void
}

/** Asks before something goes, and tells what became of that; what is in use stays, and the server names who uses it. */
export function DeleteDialog({
  title = frameMessages.confirm_deletion,
  confirm = 'Delete',
  question,
  remove,
  deleted,
  failed,
  onDeleted,
  onClose,
}: Props) {
  const removal = useMutation({
    mutationFn: remove,
    onSuccess: () => {
      toast.success(deleted)
      return onDeleted()
    },
    onError: (error) => toast.error(reasonOf(error, failed)),
    onSettled: onClose,
  })
  return (
    <ConfirmDialog
      title={title}
      confirm={confirm}
      busy={removal.isPending}
      onConfirm={() => removal.mutate()}
      onClose={onClose}
    >
      {question}
    </ConfirmDialog>
  )
}
