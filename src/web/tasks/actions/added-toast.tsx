import { Button } from '@mantine/core'
import { limits } from '../../../contract/limits.ts'
import { taskDialogMessages as messages } from '../../../contract/tasks/dialog-messages.ts'
import { showContentToast } from '../../ui/content-toast.tsx'
import { useSpreadsheetUrl } from '../google/spreadsheet-link.tsx'
import { runRefusal } from '../state/locks.ts'
import { DescribedTasks, type TaskDescriptor } from '../task-descriptor.tsx'
import type { Task } from '../task-model.ts'
import classes from './added-toast.module.css'
import { useRun } from './run-actions.ts'

/** Says that a task was added, and offers to run it and to open its target. */
export const showAddedToast = (descriptor: TaskDescriptor, task: Task, message: string) =>
  showContentToast({
    tone: 'success',
    ms: limits.undo_ms,
    content: (close) => (
      <DescribedTasks as={descriptor}>
        <span>{message}</span>
        <div className={classes.actions}>
          {runRefusal(descriptor, task) === null && <RunNow task={task} onClose={close} />}
          {descriptor.targetSpreadsheet && <OpenTarget id={descriptor.targetSpreadsheet(task)} />}
        </div>
      </DescribedTasks>
    ),
  })

function RunNow({ task, onClose }: { task: Task; onClose: () => void }) {
  const run = useRun(task)
  return (
    <Button
      size="compact-sm"
      onClick={() => {
        onClose()
        run.mutate()
      }}
    >
      {messages.run_now}
    </Button>
  )
}

function OpenTarget({ id }: { id: string }) {
  const url = useSpreadsheetUrl(id)
  if (url === null) return null
  return (
    <Button component="a" variant="default" size="compact-sm" href={url} target="_blank" rel="noreferrer">
      {messages.open_target}
    </Button>
  )
}
