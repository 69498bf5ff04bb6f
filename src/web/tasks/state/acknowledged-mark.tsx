import { IconEyeCheck } from '@tabler/icons-react'
import { messages } from '../../../contract/messages.ts'
import type { SyncTask } from '../../../contract/sync-tasks.ts'
import { useTimeZone } from '../../lib/session.ts'
import { formatMoment } from '../../lib/time-zone.ts'
import classes from './warnings.module.css'

/** Beside a Success that has warnings, all of them acknowledged: which, by whom and when. */
export function AcknowledgedMark({ task }: { task: Pick<SyncTask, 'task_status' | 'run_warnings'> }) {
  const zone = useTimeZone()
  if (task.task_status !== 'Success' || task.run_warnings.length === 0) return null
  const text = task.run_warnings
    .map(({ message, acknowledged }) =>
      acknowledged
        ? `${messages.acknowledged_by(acknowledged.by, formatMoment(acknowledged.at, zone))}: ${message}`
        : message,
    )
    .join('\n')
  return (
    <span className={classes.mark} role="img" aria-label={text} title={text}>
      <IconEyeCheck size={15} aria-hidden />
    </span>
  )
}
