import type { TaskType } from '../../../../contract/task-types/calls.ts'
import type { TypeNode } from '../../../../contract/type-graph/calls.ts'
import { useTimeZone } from '../../../lib/session.ts'
import { formatMoment, zoneLabel } from '../../../lib/time-zone.ts'
import { Badge } from '../../../ui/badge.tsx'
import classes from './type-marks.module.css'
import { TypeWork } from './type-work.tsx'

type Props = { type: TaskType; node: TypeNode | undefined }

/** Beside a type's name: inactive, scheduled. Below it: group, schedule and next run; its tasks and their states. */
export function TypeMarks({ type, node }: Props) {
  const zone = useTimeZone()
  const { is_active, cron_schedule, group_name, cron_words, next_run } = type
  const about = [
    group_name,
    cron_words,
    next_run && `Next run ${formatMoment(next_run, zone)} ${zoneLabel(zone)}`,
  ].filter(Boolean)
  return (
    <>
      {!is_active && <Badge tone="neutral" label="Inactive" />}{' '}
      {cron_schedule !== null && <Badge tone="info" label="Scheduled" />}
      {about.length > 0 && <small className={classes.about}>{about.join(' · ')}</small>}
      <TypeWork type={type} node={node} />
    </>
  )
}
