import { frameMessages } from '../../../contract/system/client-messages.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { useDescriptor } from '../task-descriptor.tsx'
import type { Task } from '../task-model.ts'
import { useDelete } from './run-actions.ts'

/** Asks before a task goes, and says what goes with it. */
export function DeleteTaskDialog({ task, onClose }: { task: Task; onClose: () => void }) {
  const remove = useDelete(task)
  const { texts } = useDescriptor()
  return (
    <ConfirmDialog
      title={frameMessages.confirm_deletion}
      confirm="Delete task"
      busy={remove.isPending}
      onConfirm={() => remove.mutate(undefined, { onSettled: onClose })}
      onClose={onClose}
    >
      {texts.confirm_delete(task.name)}
    </ConfirmDialog>
  )
}
