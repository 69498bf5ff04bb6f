import type { BulkAction } from '../../../contract/bulk/calls.ts'
import { bulkMessages } from '../../../contract/bulk/client-messages.ts'

import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { isStoppable, isUnderWay } from '../state/status.ts'
import { type TaskDescriptor, useDescriptor } from '../task-descriptor.tsx'
import type { Task } from '../task-model.ts'

type Props = {
  action: Exclude<BulkAction, 'run'>
  tasks: readonly Task[]
  onConfirm: () => void
  onClose: () => void
}

/** Asks before something is done to the tasks that the filters show, and says what it does and that the others stay. */
export function TheseDialog({ action, tasks, onConfirm, onClose }: Props) {
  const descriptor = useDescriptor()
  return (
    <ConfirmDialog
      title={bulkMessages.confirm(action, tasks.length)}
      confirm={bulkMessages.button(action, tasks.length)}
      busy={false}
      onConfirm={() => {
        onConfirm()
        onClose()
      }}
      onClose={onClose}
    >
      {textOf(descriptor, action, tasks)}
    </ConfirmDialog>
  )
}

function textOf(descriptor: TaskDescriptor, action: Props['action'], tasks: readonly Task[]): string {
  switch (action) {
    case 'stop':
      return bulkMessages.confirm_stop(tasks.filter((task) => isStoppable(descriptor, task)).length)
    case 'activate':
    case 'deactivate':
      return bulkMessages.confirm_toggle(action === 'activate')
    case 'delete': {
      const live = tasks.filter((task) => isUnderWay(descriptor, task)).length
      return bulkMessages.confirm_delete(live, descriptor.texts.delete_keeps)
    }
  }
}
