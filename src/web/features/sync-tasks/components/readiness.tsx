import { Loader, UnstyledButton } from '@mantine/core'
import { IconAlertCircle, IconCircleCheck, IconCircleDashedCheck, IconCircleX } from '@tabler/icons-react'
import { isFilePath } from '../../../../contract/files/providers.ts'
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
  /** Shows the reason beside the result. */
  explained?: boolean
}

const kindOf = ({ source_type, source_ss_id }: SyncTask) => {
  if (source_type === 'internal') return taskMessages.internal_db
  return isFilePath(source_ss_id) ? taskMessages.file : taskMessages.google_sheet
}

/** Result and time of the last readiness check, with the source type; a click checks again. */
export function Readiness({ task, className, explained = false }: Props) {
  const { verdict, checking, check } = useReadiness(task)
  const zone = useTimeZone()
  const { state, message, checked_at } = verdict
  const Icon = icons[state]
  const label = checking ? 'Checking' : verdict.label
  const kind = kindOf(task)
  const moment = checked_at && formatMoment(checked_at, zone)
  const seen = [label, kind, moment].filter(Boolean).join(' ')
  const checked = checked_at && `checked ${formatLongMoment(checked_at, zone)}`
  return (
    <div className={className} data-known={checking || state !== 'unknown' || undefined}>
      <UnstyledButton
        className={classes.readiness}
        data-state={state}
        // The accessible name starts with the visible text (WCAG 2.5.3).
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
