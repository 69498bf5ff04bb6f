import { bulkMessages } from '../../../contract/bulk/client-messages.ts'
import { frameMessages } from '../../../contract/system/client-messages.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { isStoppable } from '../state/status.ts'
import { useDescriptor } from '../task-descriptor.tsx'
import type { Task } from '../task-model.ts'
import { useDeleteAll, useStopAll, useToggleAll } from './bulk-actions.ts'
import { toggleAllTarget } from './bulk-rules.ts'

type Props = { tasks: readonly Task[]; onClose: () => void }

/** Asks before everything at work stops. */
export function StopAllDialog({ tasks, onClose }: Props) {
  const descriptor = useDescriptor()
  const stop = useStopAll(tasks)
  const start = () => {
    stop.mutate()
    onClose()
  }
  return (
    <ConfirmDialog
      title={bulkMessages.confirm_stop_all}
      confirm="Stop All"
      busy={false}
      onConfirm={start}
      onClose={onClose}
    >
      {bulkMessages.confirm_stop_all_text(tasks.filter((task) => isStoppable(descriptor, task)).length)}
    </ConfirmDialog>
  )
}

/** Asks before every task is switched alike, and says what is forgotten by it. */
export function ToggleAllDialog({ tasks, onClose }: Props) {
  const toggle = useToggleAll()
  const target = toggleAllTarget(tasks)
  return (
    <ConfirmDialog
      title={target ? bulkMessages.confirm_activate_all : bulkMessages.confirm_deactivate_all}
      confirm={target ? 'Activate All' : 'Deactivate All'}
      busy={toggle.isPending}
      onConfirm={() => toggle.mutate(target, { onSettled: onClose })}
      onClose={onClose}
    >
      {bulkMessages.confirm_toggle_all_text(target, tasks.length)}
    </ConfirmDialog>
  )
}

/** Asks before all tasks go, and says what goes with them. */
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
