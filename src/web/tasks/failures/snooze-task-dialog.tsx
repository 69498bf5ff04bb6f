import { useDescriptor } from '../task-descriptor.tsx'
import { nameInText, type Task } from '../task-model.ts'
import { useActOnFailureOf } from './act-on-failure-of.ts'
import { SnoozeDialog } from './snooze-dialog.tsx'

/** Asks for the time until which the failure of a task is snoozed. */
export function SnoozeTaskDialog({ task, onClose }: { task: Task; onClose: () => void }) {
  const act = useActOnFailureOf(task)
  return (
    <SnoozeDialog
      name={nameInText(useDescriptor(), task)}
      onSnooze={(until) => act.mutate({ action: 'snooze', until })}
      onClose={onClose}
    />
  )
}
