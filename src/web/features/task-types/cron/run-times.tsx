import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import { type ReactNode, useId } from 'react'
import type { CronCheck } from '../../../../contract/schedules/calls.ts'
import { taskTypeMessages } from '../../../../contract/task-types/client-messages.ts'

import { formatInZone } from '../../../lib/time-zone.ts'
import classes from './run-times.module.css'

/** What the server says of a valid expression: when it runs, in words and moments, and what to mind about it. */
export function RunTimes({ reply }: { reply: CronCheck }) {
  const { words, warnings, next_run_times, time_zone } = reply
  const title = useId()
  return (
    <div className={classes.verdict}>
      <p className={classes.valid}>
        <IconCircleCheck size={16} aria-hidden />
        {taskTypeMessages.cron_valid}
      </p>
      <p className={classes.words}>{words}</p>
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

/** Its place while nothing of that is known, so that what stands below stays where it is when the answer comes. */
export const RunTimesPlace = ({ children }: { children: ReactNode }) => (
  <div className={`${classes.verdict} ${classes.place}`}>
    <p className={classes.valid}>{children}</p>
    <div className={classes.unknown} aria-hidden>
      <p className={classes.words}>&nbsp;</p>
      <h3>&nbsp;</h3>
      <ol>
        <li>&nbsp;</li>
        <li>&nbsp;</li>
        <li>&nbsp;</li>
      </ol>
    </div>
  </div>
)
