import { Loader, UnstyledButton } from '@mantine/core'
import { IconAlertCircle, IconCircleCheck, IconCircleDashedCheck, IconCircleX } from '@tabler/icons-react'
import type { SyncTask } from '../../../../contract/sync-tasks/calls.ts'
import { taskMessages } from '../../../../contract/tasks/client-messages.ts'
import { useTimeZone } from '../../../lib/session.ts'
import { formatLongMoment, formatMoment } from '../../../lib/time-zone.ts'
import classes from './readiness.module.css'
import { useReadiness, type Verdict } from './use-readiness.ts'

const icons: Record<Verdict['state'], typeof IconCircleX> = {
  unknown: IconCircleDashedCheck,
  ready: IconCircleCheck,
  not_ready: IconCircleX,
  failed: IconAlertCircle,
}

type Props = {
  task: SyncTask
  className?: string | undefined
  /** There is room for the reason beside the verdict. */
  explained?: boolean
}

/** What the last check of the source said and when, with the kind of source; a click checks it again. */
export function Readiness({ task, className, explained = false }: Props) {
  const { verdict, checking, check } = useReadiness(task)
  const zone = useTimeZone()
  const { state, message, checked_at } = verdict
  const Icon = icons[state]
  const label = checking ? 'Checking' : verdict.label
  const kind = task.source_type === 'internal' ? taskMessages.internal_db : taskMessages.google_sheet
  const moment = checked_at && formatMoment(checked_at, zone)
  const seen = [label, kind, moment].filter(Boolean).join(' ')
  const checked = checked_at && `checked ${formatLongMoment(checked_at, zone)}`
  return (
    <div className={className} data-told={checking || state !== 'unknown' || undefined}>
      <UnstyledButton
        className={classes.readiness}
        data-state={state}
        // what is seen comes first, as it is seen
        aria-label={`${seen}, source of ${task.name}`}
        title={[message, checked].filter(Boolean).join(', ')}
        onClick={() => !checking && check()}
      >
        {checking ? <Loader size={15} aria-label="Checking the source" /> : <Icon size={15} aria-hidden />}
        <span>
          {label} <small>{kind}</small> {moment && <small>{moment}</small>}
        </span>
      </UnstyledButton>
      {explained && state !== 'unknown' && !checking && <span className={classes.reason}>{message}</span>}
    </div>
  )
}
