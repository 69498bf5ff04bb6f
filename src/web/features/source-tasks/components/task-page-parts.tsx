import { Link } from 'react-router'
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
import { lendAccount } from './dialog-calls.ts'
import { ageText, formatReceipt, originOf } from './labels.ts'
import classes from './task-page-parts.module.css'
import { WaitingNotice } from './waiting-rows.tsx'

/** Rows that wait for a person, and what the last run that ended well did. */
export const WaitingAndReceipt = ({ task }: { task: SourceTaskDetail }) => (
  <>
    <WaitingNotice task={task} />
    {task.description && <p className={classes.text}>{task.description}</p>}
    {task.receipt && <p className={classes.text}>{formatReceipt(task.receipt, task.waiting !== null)}</p>}
  </>
)

/** When a task last fetched rows, and when they were last others than before: the two differ where an origin had nothing new. */
function Clocks({ pulled_at, changed_at }: SourceTaskDetail) {
  const zone = useTimeZone()
  const now = useServerMinute()
  const told = (moment: string | null) =>
    moment === null ? 'Never' : `${formatLongMoment(moment, zone)}, ${ageText(moment, now)}`
  return (
    <>
      <Fact name="Last pull">{told(pulled_at)}</Fact>
      <Fact name="Last change">{told(changed_at)}</Fact>
    </>
  )
}

/** Where a task's rows come from, how old they are, and what guards them. */
export function PullFacts({ task }: { task: SourceTaskDetail }) {
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
      <Clocks {...task} />
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

/** Whose account a task fetches with, where it is a sheet that it fetches. */
export function PullAccount({ task }: { task: SourceTaskDetail }) {
  if (task.source_type !== 'sheet') return null
  return (
    <TaskAccount
      lending={{
        task,
        explanation: sourceDialogMessages.confirm_own_account(task.name, originOf(task)),
        lend: () => lendAccount(task),
      }}
    />
  )
}
