import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { QuotaTime } from '../../../contract/bulk/calls.ts'
import { bulkQuestions } from '../../../contract/bulk/dialog-messages.ts'

import { Dialog, DialogFooter } from '../../ui/dialog.tsx'
import { useDescriptor } from '../task-descriptor.tsx'
import type { Task } from '../task-model.ts'
import { quotaTimeQuery } from './bulk-calls.ts'
import { isStartable } from './bulk-rules.ts'

type Props = {
  title: string
  confirm: string
  tasks: readonly Task[]
  onConfirm: () => void
  onClose: () => void
}

/** Confirmation before many tasks run, with the number of tasks and the estimated quota time. */
export function RunDialog({ title, confirm, tasks, onConfirm, onClose }: Props) {
  const descriptor = useDescriptor()
  const { data, isError } = useQuery(quotaTimeQuery(tasks))
  const startable = tasks.filter((task) => isStartable(descriptor, task)).length
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{bulkQuestions.confirm_run(startable, tasks.length - startable)}</p>
      <p role="status">
        {isError ? bulkQuestions.quota_failed : data ? asLabels(data) : bulkQuestions.quota_pending}
      </p>
      <DialogFooter>
        <Button variant="default" onClick={onClose} data-autofocus>
          Cancel
        </Button>
        <Button
          onClick={() => {
            onConfirm()
            onClose()
          }}
        >
          {confirm}
        </Button>
      </DialogFooter>
    </Dialog>
  )
}

function asLabels({ reads, writes, seconds, guessed }: QuotaTime): string {
  if (reads + writes === 0) return guessed > 0 ? bulkQuestions.quota_unknown : bulkQuestions.quota_none
  const time = bulkQuestions.quota_time(reads + writes, durationOf(seconds))
  return guessed > 0 ? `${time} ${bulkQuestions.quota_guessed(guessed)}` : time
}

function durationOf(seconds: number): string {
  if (seconds < 60) return bulkQuestions.quota_seconds
  const minutes = Math.round(seconds / 60)
  if (minutes < 60) return bulkQuestions.quota_minutes(minutes)
  return bulkQuestions.quota_hours(Math.floor(minutes / 60), minutes % 60)
}
