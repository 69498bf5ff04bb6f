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

/** Age and number of a task's rows, which open on click, and whether new rows need approval. */
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
    title: pulled_at === null ? undefined : `Read ${formatLongMoment(pulled_at, zone)}`,
    children: (
      <>
        {old} {rows && <small>{rows}</small>}
      </>
    ),
  }
  return (
    <div className={className} data-known>
      {sourceTaskModel.hasData(task) ? (
        <UnstyledButton
          {...age}
          // The accessible name starts with the visible text (WCAG 2.5.3).
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
