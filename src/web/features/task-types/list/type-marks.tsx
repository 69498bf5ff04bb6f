import type { TaskType } from '../../../../contract/task-types/calls.ts'
import { useTimeZone } from '../../../lib/session.ts'
import { formatMoment, zoneLabel } from '../../../lib/time-zone.ts'
import { Badge } from '../../../ui/badge.tsx'
import classes from './type-marks.module.css'

/** What a table says with a source type's name: whether it is active and scheduled, its group, and when it runs. */
export function TypeMarks({ type }: { type: TaskType }) {
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
    </>
  )
}
