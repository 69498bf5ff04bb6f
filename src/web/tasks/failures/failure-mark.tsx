import { IconClockPause, IconEyeCheck } from '@tabler/icons-react'
import { failureMessages as messages } from '../../../contract/failures/client-messages.ts'
import { useTimeZone } from '../../lib/session.ts'
import { formatMoment } from '../../lib/time-zone.ts'
import type { Task } from '../task-model.ts'
import classes from './failure-mark.module.css'

/** Marks beside a task's status: the initials of who works on its failure, and whether it is acknowledged or snoozed. */
export function FailureMark({ task: { mark, claim } }: { task: Pick<Task, 'mark' | 'claim'> }) {
  const zone = useTimeZone()
  const nameOf = ({ name, email }: { name: string; email: string }) => name || email
  const claimed = claim && messages.claimed(nameOf(claim.by), formatMoment(claim.at, zone))
  const Icon = mark?.until ? IconClockPause : IconEyeCheck
  const marked =
    mark &&
    (mark.until
      ? messages.snoozed(nameOf(mark.by), formatMoment(mark.until, zone))
      : messages.acknowledged(nameOf(mark.by), formatMoment(mark.at, zone)))
  return (
    <>
      {claim && claimed && (
        <span className={classes.claim} role="img" aria-label={claimed} title={claimed}>
          {initials(nameOf(claim.by))}
        </span>
      )}
      {marked && (
        <span className={classes.mark} role="img" aria-label={marked} title={marked}>
          <Icon size={15} aria-hidden />
        </span>
      )}
    </>
  )
}

const initials = (name: string) =>
  name
    .split(/[\s@.]+/)
    .slice(0, 2)
    .map((word) => word.slice(0, 1).toUpperCase())
    .join('')
