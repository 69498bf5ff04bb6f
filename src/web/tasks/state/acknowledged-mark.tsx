import { IconEyeCheck } from '@tabler/icons-react'
import { messages } from '../../../contract/page-messages.ts'
import { useTimeZone } from '../../lib/session.ts'
import { formatMoment } from '../../lib/time-zone.ts'
import type { Task } from '../task-model.ts'
import { openWarnings } from './progress-wording.ts'
import classes from './warnings.module.css'

/** Beside the status of a task whose warnings are all acknowledged: which, by whom and when. */
export function AcknowledgedMark({ task }: { task: Pick<Task, 'run_warnings'> }) {
  const zone = useTimeZone()
  if (!task.run_warnings.some(({ acknowledged }) => acknowledged) || openWarnings(task).length > 0)
    return null
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
