import { IconUserCheck } from '@tabler/icons-react'
import { failureMessages as messages } from '../../../contract/failures/client-messages.ts'
import type { FailureClaim } from '../../../contract/runs/failure-marks.ts'
import { useTimeZone } from '../../lib/session.ts'
import { formatMoment } from '../../lib/time-zone.ts'
import classes from './failures.module.css'

type Props = { claim: FailureClaim /** Works on `count` of `of` tasks. */; count?: number; of?: number }

/** Who works on a failure, or on some failures of a group, and since when. */
export function ClaimLine({ claim: { by, at }, count = 1, of = 1 }: Props) {
  const since = formatMoment(at, useTimeZone())
  const name = by.name || by.email
  return (
    <span className={classes.claim} title={by.email}>
      <IconUserCheck size={15} aria-hidden />
      {count < of ? messages.claimed_some(name, count, since) : messages.claimed(name, since)}
    </span>
  )
}
