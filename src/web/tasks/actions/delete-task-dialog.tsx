import { frameMessages } from '../../../contract/system/client-messages.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { useDescriptor } from '../task-descriptor.tsx'
import { nameInText, type Task } from '../task-model.ts'
import { useDelete } from './run-actions.ts'

/** Confirmation before a task is deleted; lists what is deleted with it. */
export function DeleteTaskDialog({ task, onClose }: { task: Task; onClose: () => void }) {
  const remove = useDelete(task)
  const descriptor = useDescriptor()
  return (
    <ConfirmDialog
      title={frameMessages.confirm_deletion}
      confirm="Delete task"
      busy={remove.isPending}
      onConfirm={() => remove.mutate(undefined, { onSettled: onClose })}
      onClose={onClose}
    >
      {descriptor.texts.confirm_delete(nameInText(descriptor, task))}
    </ConfirmDialog>
  )
}
