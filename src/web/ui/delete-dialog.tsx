import { useMutation } from '@tanstack/react-query'
import { frameMessages } from '../../contract/system/client-messages.ts'

import { reasonOf } from '../lib/query-client.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { toast } from './toast.ts'

type Props = {
  title?: string
  /** Label of the confirm button. */
  confirm?: string
  /** What will be deleted. */
  question: string
  remove: () => Promise<unknown>
  deleted: string
  /** Message if the server gives no reason for a refusal. */
  failed: string
  /** Called after the deletion; refetches the affected queries. */
  onDeleted: () => Promise<unknown>
  onClose: () => void
}

/** Confirmation before a deletion, with the result. If the object is in use, the server's message says by what. */
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
