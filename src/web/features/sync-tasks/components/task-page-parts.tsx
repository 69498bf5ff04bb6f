import { lazy, Suspense } from 'react'
import { writeText } from '../../../../contract/rows/write-labels.ts'
import type { FurtherSource } from '../../../../contract/rows/write-settings.ts'
import type { SyncTaskDetail } from '../../../../contract/sync-tasks/calls.ts'
import { syncTaskMessages } from '../../../../contract/sync-tasks/client-messages.ts'
import { formatNumber } from '../../../lib/format.ts'
import { useTimeZone } from '../../../lib/session.ts'
import { zoneLabel } from '../../../lib/time-zone.ts'
import { SpreadsheetLink } from '../../../tasks/google/spreadsheet-link.tsx'
import { TaskAccount } from '../../../tasks/google/task-account.tsx'
import { Fact } from '../../../tasks/page/fact.tsx'
import { assignAccount } from '../api.ts'
import { BeyondLimitsNotice } from './beyond-limits.tsx'
import { formatReceipt, furtherSourceOf, sourceOf, targetOf } from './labels.ts'
import { Readiness } from './readiness.tsx'
import classes from './task-page-parts.module.css'

// Few tasks have one of these.
const OlderVersionNotice = lazy(async () => ({
  default: (await import('./older-version.tsx')).OlderVersionNotice,
}))
const UnownedCellsNotice = lazy(async () => ({
  default: (await import('./unowned-cells.tsx')).UnownedCellsNotice,
}))
const FoldedTabs = lazy(async () => ({
  default: (await import('../../../tasks/history/copied-tabs.tsx')).FoldedTabs,
}))

/** Ownership conflict in the target, exceeded limits, readiness of the source, and receipt of the last successful run. */
export const SourceAndReceipt = ({ task }: { task: SyncTaskDetail }) => (
  <>
    <Suspense>{task.foreign_cells && <UnownedCellsNotice task={task} />}</Suspense>
    <BeyondLimitsNotice task={task} />
    <Suspense>
      {(task.older_version || task.is_schedule_paused) && <OlderVersionNotice task={task} />}
    </Suspense>
    <Readiness task={task} className={classes.readiness} explained />
    {task.receipt && <p className={classes.receipt}>{formatReceipt(task.receipt)}</p>}
    {task.receipt?.tabs && (
      <Suspense>
        <FoldedTabs tabs={task.receipt.tabs} />
      </Suspense>
    )}
  </>
)

/** Source, target, columns and schedule of a task. */
export function CopyFacts({ task }: { task: SyncTaskDetail }) {
  const zone = useTimeZone()
  const mode = writeText(task)
  return (
    <>
      <Fact name="Source">
        <SpreadsheetLink id={task.source_ss_id}>{sourceOf(task)}</SpreadsheetLink>
      </Fact>
      {task.more_sources.length > 0 && (
        <Fact name="Further sources">
          {task.more_sources.map((source, index) => (
            <div key={furtherKey(source)}>
              <SpreadsheetLink id={source.source_ss_id}>
                {furtherSourceOf(source, task.more_source_names[index] ?? '')}
              </SpreadsheetLink>
            </div>
          ))}
        </Fact>
      )}
      <Fact name="Target">
        <SpreadsheetLink id={task.target_ss_id} tab_id={task.target_tab_id}>
          {targetOf(task)}
        </SpreadsheetLink>
      </Fact>
      {mode !== null && <Fact name="How rows are written">{mode}</Fact>}
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

const furtherKey = ({ source_ss_id, source_sheet_name, source_compiler_config_id }: FurtherSource) =>
  `${source_ss_id} ${source_sheet_name} ${source_compiler_config_id}`

/** Account of a task's runs. */
export const CopyAccount = ({ task }: { task: SyncTaskDetail }) => (
  <TaskAccount
    runAccount={{
      task,
      explanation: syncTaskMessages.confirm_own_account(
        task.name,
        sourceOf(task),
        targetOf(task),
        task.excluded_fields,
      ),
      assign: () => assignAccount(task),
    }}
  />
)
