import { failureMessages as messages } from '../../../contract/failures/client-messages.ts'
import type { FailureMark } from '../../../contract/runs/failure-marks.ts'
import { useTimeZone } from '../../lib/session.ts'
import { formatMoment } from '../../lib/time-zone.ts'
import classes from './failures.module.css'

/** Who acknowledged a failure and when, or until when who snoozed it. */
export function MarkLine({ mark: { by, at, until } }: { mark: FailureMark }) {
  const zone = useTimeZone()
  const name = by.name || by.email
  return (
    <span className={classes.mark} title={by.email}>
      {until === null
        ? messages.acknowledged(name, formatMoment(at, zone))
        : messages.snoozed(name, formatMoment(until, zone))}
    </span>
  )
}
