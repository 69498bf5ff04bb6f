import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { QuotaTime } from '../../../contract/bulk/calls.ts'
import { bulkMessages } from '../../../contract/bulk/client-messages.ts'

import { Dialog, DialogFooter } from '../../ui/dialog.tsx'
import { useDescriptor } from '../task-descriptor.tsx'
import type { Task } from '../task-model.ts'
import { isStartable } from './bulk-rules.ts'
import { quotaTimeQuery } from './use-act-on-tasks.ts'

type Props = {
  title: string
  confirm: string
  tasks: readonly Task[]
  onConfirm: () => void
  onClose: () => void
}

/** Asks before many tasks run, and says how many start and what that takes of the quota. */
export function RunDialog({ title, confirm, tasks, onConfirm, onClose }: Props) {
  const descriptor = useDescriptor()
  const { data, isError } = useQuery(quotaTimeQuery(tasks))
  const startable = tasks.filter((task) => isStartable(descriptor, task)).length
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{bulkMessages.confirm_run(startable, tasks.length - startable)}</p>
      <p role="status">
        {isError ? bulkMessages.quota_failed : data ? asLabels(data) : bulkMessages.quota_pending}
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
  if (reads + writes === 0) return guessed > 0 ? bulkMessages.quota_unknown : bulkMessages.quota_none
  const time = bulkMessages.quota_time(reads + writes, durationOf(seconds))
  return guessed > 0 ? `${time} ${bulkMessages.quota_guessed(guessed)}` : time
}

function durationOf(seconds: number): string {
  if (seconds < 60) return bulkMessages.quota_seconds
  const minutes = Math.round(seconds / 60)
  if (minutes < 60) return bulkMessages.quota_minutes(minutes)
  return bulkMessages.quota_hours(Math.floor(minutes / 60), minutes % 60)
}
