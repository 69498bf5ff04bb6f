import { UnstyledButton } from '@mantine/core'
import { IconHourglassHigh } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import type { SourceTask } from '../../../../contract/source-tasks/calls.ts'
import { sourceMessages } from '../../../../contract/source-tasks/client-messages.ts'
import { formatCount } from '../../../lib/format.ts'
import { useTimeZone } from '../../../lib/session.ts'
import { formatLongMoment } from '../../../lib/time-zone.ts'
import { useServerMinute } from '../../../lib/use-server-second.ts'
import type { RowRequests } from '../../../tasks/list/row-requests.ts'
import { ageText, isStale } from './labels.ts'
import { sourceTaskModel } from './model.ts'
import classes from './source-age.module.css'

const WaitingDialog = lazy(async () => ({ default: (await import('./waiting-dialog.tsx')).WaitingDialog }))

type Props = { task: SourceTask; className: string | undefined; requests: RowRequests }

/** How old a task's rows are, so that stale ones are seen, how many there are, which a press shows, and whether others wait for a person. */
export function SourceAge({ task, className, requests }: Props) {
  const now = useServerMinute()
  const zone = useTimeZone()
  const [deciding, setDeciding] = useState(false)
  const { name, pulled_at, row_count, waiting } = task
  const old = ageText(pulled_at, now)
  const rows = row_count === null ? '' : formatCount(row_count, 'row')
  const age = {
    className: classes.age,
    'data-stale': isStale(pulled_at, now) || undefined,
    title: pulled_at === null ? undefined : `Fetched ${formatLongMoment(pulled_at, zone)}`,
    children: (
      <>
        {old} {rows && <small>{rows}</small>}
      </>
    ),
  }
  return (
    <div className={className} data-told>
      {sourceTaskModel.hasData(task) ? (
        <UnstyledButton
          {...age}
          // what is seen comes first, as it is seen
          aria-label={`${old} ${rows}, View Data of ${name}`}
          onClick={() => requests.showData(task)}
        />
      ) : (
        <span {...age} />
      )}
      {waiting && (
        <UnstyledButton
          className={classes.waits}
          aria-label={`${sourceMessages.waits}, ${name}`}
          onClick={() => setDeciding(true)}
        >
          <IconHourglassHigh size={14} aria-hidden />
          {sourceMessages.waits}
        </UnstyledButton>
      )}
      <Suspense>{deciding && <WaitingDialog task={task} onClose={() => setDeciding(false)} />}</Suspense>
    </div>
  )
}
