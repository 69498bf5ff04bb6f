import { bulkMessages } from '../../../contract/bulk/client-messages.ts'
import { bulkQuestions } from '../../../contract/bulk/dialog-messages.ts'

import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { isStoppable, isUnderWay } from '../state/status.ts'
import { type TaskDescriptor, useDescriptor } from '../task-descriptor.tsx'
import type { Task } from '../task-model.ts'
import type { PlainAction } from './bulk-calls.ts'

/** The actions on the tasks that the filters show. */
export type FilterAction = Extract<PlainAction, 'run' | 'stop' | 'activate' | 'deactivate' | 'delete'>

type Props = {
  action: Exclude<FilterAction, 'run'>
  tasks: readonly Task[]
  onConfirm: () => void
  onClose: () => void
}

/** Confirmation before an action on the filtered tasks; says that the other tasks are unchanged. */
export function FilteredTasksDialog({ action, tasks, onConfirm, onClose }: Props) {
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
      return bulkQuestions.confirm_stop(tasks.filter((task) => isStoppable(descriptor, task)).length)
    case 'activate':
    case 'deactivate':
      return bulkQuestions.confirm_toggle(action === 'activate')
    case 'delete': {
      const live = tasks.filter((task) => isUnderWay(descriptor, task)).length
      return bulkQuestions.confirm_delete(tasks.length, live, descriptor.texts.delete_keeps)
    }
  }
}
