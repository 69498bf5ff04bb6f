import { lazy, Suspense } from 'react'
import { Link } from 'react-router'
import { isFilePath } from '../../../../contract/files/providers.ts'
import type { SourceTaskDetail } from '../../../../contract/source-tasks/calls.ts'
import { sourceMessages } from '../../../../contract/source-tasks/client-messages.ts'
import { sourceDialogMessages } from '../../../../contract/source-tasks/dialog-messages.ts'
import { formatCount, formatNumber } from '../../../lib/format.ts'
import { useTimeZone } from '../../../lib/session.ts'
import { formatLongMoment } from '../../../lib/time-zone.ts'
import { useServerMinute } from '../../../lib/use-server-second.ts'
import { SpreadsheetLink } from '../../../tasks/google/spreadsheet-link.tsx'
import { TaskAccount } from '../../../tasks/google/task-account.tsx'
import { Fact } from '../../../tasks/page/fact.tsx'
import { assignAccount } from './dialog-calls.ts'
import { ageText, formatReceipt, originOf } from './labels.ts'
import classes from './task-page-parts.module.css'

const FileFacts = lazy(async () => ({ default: (await import('../uploads/file-facts.tsx')).FileFacts }))
const WaitingNotice = lazy(async () => ({ default: (await import('./waiting-rows.tsx')).WaitingNotice }))
const NamedColumns = lazy(async () => ({ default: (await import('./named-columns.tsx')).NamedColumns }))

/** Rows that need approval, and the receipt of the last successful run. */
export const WaitingAndReceipt = ({ task }: { task: SourceTaskDetail }) => (
  <>
    {task.waiting !== null && (
      <Suspense>
        <WaitingNotice task={task} />
      </Suspense>
    )}
    {task.description && <p className={classes.text}>{task.description}</p>}
    {task.receipt && <p className={classes.text}>{formatReceipt(task.receipt, task.waiting !== null)}</p>}
  </>
)

/** Time of the last ingest, and of the last one whose rows differed from the previous ones. */
function IngestTimes({ pulled_at, changed_at }: SourceTaskDetail) {
  const zone = useTimeZone()
  const now = useServerMinute()
  const textOf = (moment: string | null) =>
    moment === null ? 'Never' : `${formatLongMoment(moment, zone)}, ${ageText(moment, now)}`
  return (
    <>
      <Fact name="Last ingest">{textOf(pulled_at)}</Fact>
      <Fact name="Last change">{textOf(changed_at)}</Fact>
    </>
  )
}

/** Source of a task's rows, their age, and the limits that protect them. */
export function IngestFacts({ task }: { task: SourceTaskDetail }) {
  const zone = useTimeZone()
  const origin = originOf(task)
  return (
    <>
      <Fact name="Source">
        <SpreadsheetLink id={task.spreadsheet_id}>{origin}</SpreadsheetLink>
      </Fact>
      {task.source_type === 'sheet' && task.source_identifier !== '' && (
        <Fact name="Source Identifier">{task.source_identifier}</Fact>
      )}
      {task.source_type === 'sheet' && <Fact name="Start row">{formatNumber(task.start_row)}</Fact>}
      {task.source_type === 'sheet' && isFilePath(task.spreadsheet_id) && (
        <Suspense fallback={<Fact name="File">…</Fact>}>
          <FileFacts task={task} />
        </Suspense>
      )}
      <IngestTimes {...task} />
      <Fact name="Rows">
        {task.row_count === null ? (
          sourceMessages.no_data_yet
        ) : (
          <Link to={`/source_tasks/${task.id}/data_copy`}>{formatCount(task.row_count, 'row')}</Link>
        )}
      </Fact>
      <Fact name="Master catalog">{task.is_master_catalog ? 'Yes' : 'No'}</Fact>
      <Fact name="Next run">
        {task.next_run_time === null ? 'Not scheduled' : formatLongMoment(task.next_run_time, zone)}
      </Fact>
      <Fact name="Chunk size">{formatNumber(task.chunk_size)}</Fact>
      <Fact name="Minimum rows (% of last run)">
        {task.min_rows_percent === 0 ? 'Any number' : `${task.min_rows_percent} % of the last good ones`}
      </Fact>
      <Fact name="Maximum rows">{formatNumber(task.max_rows)}</Fact>
    </>
  )
}

/** Account that reads the rows of a task, if its source is a sheet. */
function IngestAccount({ task }: { task: SourceTaskDetail }) {
  if (task.source_type !== 'sheet' || isFilePath(task.spreadsheet_id)) return null
  return (
    <TaskAccount
      runAccount={{
        task,
        explanation: sourceDialogMessages.confirm_own_account(task.name, originOf(task)),
        assign: () => assignAccount(task),
      }}
    />
  )
}

/** The account of a task, and its columns that are stored under another name. */
export const IngestEnd = ({ task }: { task: SourceTaskDetail }) => (
  <>
    <IngestAccount task={task} />
    <Suspense>
      <NamedColumns id={task.id} />
    </Suspense>
  </>
)
