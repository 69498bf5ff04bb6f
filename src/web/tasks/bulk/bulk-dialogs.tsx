import { bulkQuestions } from '../../../contract/bulk/dialog-messages.ts'
import { frameMessages } from '../../../contract/system/client-messages.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { isStoppable } from '../state/status.ts'
import { useDescriptor } from '../task-descriptor.tsx'
import type { Task } from '../task-model.ts'
import { useDeleteAll, useStopAll, useToggleAll } from './bulk-actions.ts'
import { toggleAllTarget } from './bulk-rules.ts'

type Props = { tasks: readonly Task[]; onClose: () => void }

/** Confirmation before all tasks are stopped. */
export function StopAllDialog({ tasks, onClose }: Props) {
  const descriptor = useDescriptor()
  const stop = useStopAll(tasks)
  const start = () => {
    stop.mutate()
    onClose()
  }
  return (
    <ConfirmDialog
      title={bulkQuestions.confirm_stop_all}
      confirm="Stop All"
      busy={false}
      onConfirm={start}
      onClose={onClose}
    >
      {bulkQuestions.confirm_stop_all_text(tasks.filter((task) => isStoppable(descriptor, task)).length)}
    </ConfirmDialog>
  )
}

/** Confirmation before all tasks are activated or deactivated; says that their individual states are lost. */
export function ToggleAllDialog({ tasks, onClose }: Props) {
  const toggle = useToggleAll()
  const target = toggleAllTarget(tasks)
  return (
    <ConfirmDialog
      title={target ? bulkQuestions.confirm_activate_all : bulkQuestions.confirm_deactivate_all}
      confirm={target ? 'Activate All' : 'Deactivate All'}
      busy={toggle.isPending}
      onConfirm={() => toggle.mutate(target, { onSettled: onClose })}
      onClose={onClose}
    >
      {bulkQuestions.confirm_toggle_all_text(target, tasks.length)}
    </ConfirmDialog>
  )
}

/** Confirmation before all tasks are deleted; lists what is deleted with them. */
export function DeleteAllDialog({ tasks, onClose }: Props) {
  const remove = useDeleteAll()
  const { texts } = useDescriptor()
  return (
    <ConfirmDialog
      title={frameMessages.confirm_deletion}
      confirm="Delete All"
      busy={remove.isPending}
      onConfirm={() => remove.mutate(undefined, { onSettled: onClose })}
      onClose={onClose}
    >
      {texts.confirm_delete_all(tasks.length)}
    </ConfirmDialog>
  )
}
