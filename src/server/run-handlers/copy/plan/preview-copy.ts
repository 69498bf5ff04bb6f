import { sql } from 'kysely'
import type { CellsBeside } from '../../../../contract/plans/calls.ts'
import { planServerMessages as messages } from '../../../../contract/plans/server-messages.ts'
import type { CopyReceipt } from '../../../../contract/runs/receipts.ts'
import type { RunContext, RunResult } from '../../../engine/types.ts'
import { completePlan } from '../../../plans/stored-plan.ts'
import type { CopyAttempt } from '../attempt.ts'
import { type Comparison, compareTables } from '../compare/compare-tables.ts'
import { besideExcess } from '../limits/beside-excess.ts'
import { checkedTab } from '../limits/checked-tab.ts'
import { exceededLimits } from '../limits/exceeded-limits.ts'
import { type ReadTables, readForPreview } from '../read/read-tables.ts'
import { receiptOf } from '../result/copy-result.ts'
import { type FoundBeside, findCellsBeside } from './cells-beside.ts'
import { savePlan } from './save-plan.ts'

/** Runs from which the cost of a run is estimated. */
const RECENT_RUNS = 10

/**
 * Executes one attempt at a preview: reads and compares as a copy does, stores the plan, and writes nothing to the target. Throws as
 * `executeCopy`.
 */
export async function previewCopy(attempt: CopyAttempt): Promise<RunResult> {
  const tables = await readForPreview(attempt)
  try {
    const comparison = await compareTables(attempt, tables)
    const { hash } = await makePlan(attempt, tables, comparison)
    const { target, copy, accountsUsed } = tables
    const { cells_changed, target_hash } = comparison.difference
    const receipt: CopyReceipt = {
      ...receiptOf(attempt.keeper, copy, { target_hash, account: accountsUsed() }),
      mode: 'preview',
      cells_changed,
      plan: hash,
      ...(tables.matched?.by_key && { by_key: tables.matched.by_key }),
    }
    const message = comparison.isUpToDate
      ? messages.nothing(target.title)
      : messages.would_change(target.title, cells_changed)
    return { message, receipt }
  } finally {
    await tables.close()
  }
}

/** Stores the former rows and the plan with its rows and its summary. */
async function makePlan(
  attempt: CopyAttempt,
  tables: ReadTables,
  comparison: Comparison,
): Promise<{ hash: string }> {
  const { context } = attempt
  const { former_snapshot_id, beside } = await formerRows(attempt, tables, comparison)
  const tab = checkedTab(tables, comparison)
  const checked = await exceededLimits(attempt, [tab], tab.copy)
  const { id, hash } = await savePlan(attempt, tables, comparison, {
    former_snapshot_id,
    isPreview: true,
    ...checked,
    exceeded: [...checked.exceeded, ...besideExcess(attempt, comparison, beside)],
  })
  await context.assertLease()
  await completePlan(context.db, id, {
    written: comparison.difference.cells_changed,
    isWritePending: await tables.target.isWritePending(),
    cost: await usualCost(context),
    beside: namedBeside(beside),
    restores: tables.restores,
  })
  return { hash }
}

/** Stores the former rows of a target, and finds cells that would end up beside another row. */
export async function formerRows(attempt: CopyAttempt, tables: ReadTables, comparison: Comparison) {
  const { difference, before } = comparison
  if (!before) throw new Error('A preview has no earlier attempt that stored the former rows.')
  await attempt.context.progress({ phase: 'Storing the plan' })
  const former_snapshot_id = await before.complete(difference, tables.copy)
  return { former_snapshot_id, beside: await findCellsBeside(attempt, tables, comparison) }
}

/** Cells beside the table as a plan names them. */
export const namedBeside = (beside: FoundBeside | null): CellsBeside | null =>
  beside && { cells: beside.cells, rows: beside.rows, columns: beside.columns }

/** Requests and seconds of the last runs that changed the target, or else of any that succeeded; null if there is none. */
export async function usualCost({
  db,
  run,
}: RunContext): Promise<{ requests: number; seconds: number } | null> {
  // Index: runs_task_idx.
  const { rows } = await sql<{ requests: number | null; seconds: number | null }>`
    with recent as (
      select receipt ->> 'mode' <> 'unchanged' as has_written,
        (receipt ->> 'reads')::float8 + (receipt ->> 'writes')::float8 as requests,
        (receipt ->> 'duration_ms')::float8 / 1000 as seconds
      from runs
      where task_id = ${run.task_id} and state in ('success', 'warning') and not is_preview and receipt is not null
      order by id desc limit ${RECENT_RUNS}
    )
    select round(percentile_cont(0.5) within group (order by requests))::float8 as requests,
      percentile_cont(0.5) within group (order by seconds) as seconds
    from recent where has_written or not exists (select from recent where has_written)`.execute(db)
  const { requests = null, seconds = null } = rows[0] ?? {}
  return requests === null || seconds === null ? null : { requests, seconds }
}
