import { Button } from '@mantine/core'
import { runMessages } from '../../../contract/runs/client-messages.ts'

import type { Warning } from '../../../contract/runs/warnings.ts'
import { useTimeZone } from '../../lib/session.ts'
import { formatLongMoment } from '../../lib/time-zone.ts'
import { useAcknowledge, useTakeBack, useTaskWarnings, type WarningActions } from '../actions/acknowledge.ts'
import { useDescriptor } from '../task-descriptor.tsx'
import type { Task } from '../task-model.ts'
import { isUnderWay } from './status.ts'
import classes from './warnings.module.css'

/** Warnings of a task's last run, each with its actions. */
export function Warnings({ task }: { task: Task }) {
  const actions = useTaskWarnings(task)
  const underWay = isUnderWay(useDescriptor(), task)
  return underWay ? null : <WarningList warnings={task.run_warnings} actions={actions} />
}

type Props = { warnings: readonly Warning[]; actions: WarningActions }

/** Warnings of a finished run, each with its actions. */
export function WarningList({ warnings, actions }: Props) {
  if (warnings.length === 0) return null
  return (
    <ul className={classes.warnings} aria-label="Warnings of the last run">
      {warnings.map((warning) => (
        <OneWarning key={warning.id} warning={warning} actions={actions} />
      ))}
    </ul>
  )
}

function OneWarning({ warning, actions }: { warning: Warning; actions: WarningActions }) {
  const { message, acknowledged } = warning
  const zone = useTimeZone()
  const acknowledge = useAcknowledge(actions)
  const takeBack = useTakeBack(actions)
  const act = acknowledged ? takeBack : acknowledge
  return (
    <li data-acknowledged={acknowledged ? true : undefined}>
      <p>
        {message}
        {acknowledged && (
          <span className={classes.by}>
            {runMessages.acknowledged_by(acknowledged.by, formatLongMoment(acknowledged.at, zone))}
          </span>
        )}
      </p>
      <Button variant="default" size="xs" loading={act.isPending} onClick={() => act.mutate([warning.id])}>
        {acknowledged ? runMessages.take_back : runMessages.acknowledge}
      </Button>
    </li>
  )
}
