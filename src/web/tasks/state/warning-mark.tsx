import { IconAlertTriangle, IconEyeCheck } from '@tabler/icons-react'
import { runMessages } from '../../../contract/runs/client-messages.ts'

import { useTimeZone } from '../../lib/session.ts'
import { formatMoment } from '../../lib/time-zone.ts'
import type { Task } from '../task-model.ts'
import { openWarnings } from './progress-labels.ts'
import classes from './warnings.module.css'

/** Mark beside a task's status: warnings of its last run, or by whom and when they were acknowledged. Nothing without warnings. */
export function WarningMark({ task }: { task: Pick<Task, 'run_warnings'> }) {
  const zone = useTimeZone()
  const open = openWarnings(task)
  if (task.run_warnings.length === 0) return null
  const text = (open.length > 0 ? open : task.run_warnings)
    .map(({ message, acknowledged }) =>
      acknowledged
        ? `${runMessages.acknowledged_by(acknowledged.by, formatMoment(acknowledged.at, zone))}: ${message}`
        : message,
    )
    .join('\n')
  const Icon = open.length > 0 ? IconAlertTriangle : IconEyeCheck
  return (
    <span
      className={classes.mark}
      data-open={open.length > 0 || undefined}
      role="img"
      aria-label={text}
      title={text}
    >
      <Icon size={15} aria-hidden />
    </span>
  )
}
