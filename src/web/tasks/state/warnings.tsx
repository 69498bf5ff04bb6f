import { Button } from '@mantine/core'
import { messages } from '../../../contract/page-messages.ts'
import type { Warning } from '../../../contract/warnings.ts'
import { useTimeZone } from '../../lib/session.ts'
import { formatLongMoment } from '../../lib/time-zone.ts'
import { useAcknowledge, useTakeBack } from '../actions/acknowledge.ts'
import { useDescriptor } from '../task-descriptor.tsx'
import type { Task } from '../task-model.ts'
import { isUnderWay } from './status.ts'
import classes from './warnings.module.css'

/** What the last run of a task left to be looked at, each with what can be done about it. */
export function Warnings({ task }: { task: Task }) {
  const underWay = isUnderWay(useDescriptor(), task)
  if (task.run_warnings.length === 0 || underWay) return null
  return (
    <ul className={classes.warnings} aria-label="Warnings of the last run">
      {task.run_warnings.map((warning) => (
        <OneWarning key={warning.id} task={task} warning={warning} />
      ))}
    </ul>
  )
}

function OneWarning({ task, warning }: { task: Task; warning: Warning }) {
  const { message, acknowledged } = warning
  const zone = useTimeZone()
  const acknowledge = useAcknowledge(task)
  const takeBack = useTakeBack(task)
  const act = acknowledged ? takeBack : acknowledge
  return (
    <li data-acknowledged={acknowledged ? true : undefined}>
      <p>
        {message}
        {acknowledged && (
          <span className={classes.by}>
            {messages.acknowledged_by(acknowledged.by, formatLongMoment(acknowledged.at, zone))}
          </span>
        )}
      </p>
      <Button variant="default" size="xs" loading={act.isPending} onClick={() => act.mutate([warning.id])}>
        {acknowledged ? messages.take_back : messages.acknowledge}
      </Button>
    </li>
  )
}
