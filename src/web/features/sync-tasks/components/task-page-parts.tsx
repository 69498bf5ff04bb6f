import type { SyncTaskDetail } from '../../../../contract/sync-tasks/calls.ts'
import { syncTaskMessages } from '../../../../contract/sync-tasks/client-messages.ts'
import { formatNumber } from '../../../lib/format.ts'
import { useTimeZone } from '../../../lib/session.ts'
import { zoneLabel } from '../../../lib/time-zone.ts'
import { SpreadsheetLink } from '../../../tasks/google/spreadsheet-link.tsx'
import { TaskAccount } from '../../../tasks/google/task-account.tsx'
import { Fact } from '../../../tasks/page/fact.tsx'
import { lendAccount } from '../api.ts'
import { formatReceipt, sourceOf, targetOf } from './labels.ts'
import { Readiness } from './readiness.tsx'
import classes from './task-page-parts.module.css'
import { UnownedCellsNotice } from './unowned-cells.tsx'

/** What stands in a task's way in its target, whether its source is ready, and what its last run that ended well did. */
export const SourceAndReceipt = ({ task }: { task: SyncTaskDetail }) => (
  <>
    <UnownedCellsNotice task={task} />
    <Readiness task={task} className={classes.readiness} explained />
    {task.receipt && <p className={classes.receipt}>{formatReceipt(task.receipt)}</p>}
  </>
)

/** What a task copies, from where to where, and when. */
export function CopyFacts({ task }: { task: SyncTaskDetail }) {
  const zone = useTimeZone()
  return (
    <>
      <Fact name="Source">
        <SpreadsheetLink id={task.source_ss_id}>{sourceOf(task)}</SpreadsheetLink>
      </Fact>
      <Fact name="Target">
        <SpreadsheetLink id={task.target_ss_id}>{targetOf(task)}</SpreadsheetLink>
      </Fact>
      <Fact name="Scheduled times">
        {task.scheduled_times.length > 0 ? `${task.scheduled_times.join(', ')} ${zoneLabel(zone)}` : 'None'}
      </Fact>
      {task.excluded_fields.length > 0 && (
        <Fact name="Skipped columns">{task.excluded_fields.join(', ')}</Fact>
      )}
      <Fact name="Start row">{formatNumber(task.start_row)}</Fact>
      <Fact name="Chunk size">{formatNumber(task.chunk_size)}</Fact>
    </>
  )
}

/** Whose account a task copies with. */
export const CopyAccount = ({ task }: { task: SyncTaskDetail }) => (
  <TaskAccount
    lending={{
      task,
      explanation: syncTaskMessages.confirm_own_account(
        task.name,
        sourceOf(task),
        targetOf(task),
        task.excluded_fields,
      ),
      lend: () => lendAccount(task),
    }}
  />
)
