import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import { type ReactNode, useId } from 'react'
import type { CronCheck } from '../../../../contract/schedules/calls.ts'
import { taskTypeMessages } from '../../../../contract/task-types/client-messages.ts'

import { formatInZone } from '../../../lib/time-zone.ts'
import classes from './run-times.module.css'

/** Result of a valid expression: description, next runs and warnings. */
export function RunTimes({ reply }: { reply: CronCheck }) {
  const { words, warnings, next_run_times, time_zone } = reply
  const title = useId()
  return (
    <div className={classes.result}>
      <p className={classes.valid}>
        <IconCircleCheck size={16} aria-hidden />
        {taskTypeMessages.cron_valid}
      </p>
      <p className={classes.description}>{words}</p>
      {warnings.map((warning) => (
        <p key={warning} className={classes.warning}>
          <IconAlertTriangle size={16} aria-hidden />
          {warning}
        </p>
      ))}
      <h3 id={title}>
        Next 3 Run Times <span>{time_zone}</span>
      </h3>
      <ol aria-labelledby={title}>
        {next_run_times.map((at) => (
          <li key={at}>
            <time dateTime={at}>{formatInZone(at, time_zone)}</time>
          </li>
        ))}
      </ol>
    </div>
  )
}

/** Placeholder of the same height, so nothing moves when the result arrives. */
export const RunTimesPlace = ({ children }: { children: ReactNode }) => (
  <div className={`${classes.result} ${classes.place}`}>
    <p className={classes.valid}>{children}</p>
    <div className={classes.unknown} aria-hidden>
      <p className={classes.description}>&nbsp;</p>
      <h3>&nbsp;</h3>
      <ol>
        <li>&nbsp;</li>
        <li>&nbsp;</li>
        <li>&nbsp;</li>
      </ol>
    </div>
  </div>
)
