import { sql } from 'kysely'
import { runLimitMessages as messages } from '../../../../contract/run-limits/server-messages.ts'
import { formatMoment } from '../../../engine/log-entries.ts'
import { type RunContext, RunFailure } from '../../../engine/types.ts'
import type { KeyColumn } from '../../../plans/row-changes.ts'
import { completePlan } from '../../../plans/stored-plan.ts'
import type { CopyAttempt } from '../attempt.ts'
import type { Comparison } from '../compare/compare-tables.ts'
import { keyOfRows } from '../key-of-rows.ts'
import { type FoundBeside, findCellsBeside } from '../plan/cells-beside.ts'
import { savePlan } from '../plan/save-plan.ts'
import type { Tables } from '../read/read-tables.ts'
import { besideExcess } from './beside-excess.ts'
import { checkedTab } from './checked-tab.ts'
import { exceededLimits } from './exceeded-limits.ts'
import { type Excess, limitSentence } from './excess.ts'

/**
 * Fails a run that would exceed a limit of its task, or leave cells beside another row, and stores its plan, which can be applied as that
 * of a preview. A run that applies a plan passes, because a user has reviewed it. Returns the key by which rows are matched. Throws
 * RunFailure; nothing was written. The tabs of a split task are checked together, see `split/check-tabs.ts`.
 */
export async function requireWithinLimits(
  attempt: CopyAttempt,
  tables: Tables,
  comparison: Comparison,
): Promise<KeyColumn> {
  const { context, definition } = attempt
  const { difference, before } = comparison
  // Once the former rows are stored for the commit, an earlier worker has checked the limits.
  if (tables.plan) return tables.plan.key_column
  if (before === null || attempt.tab !== null) return keyOfRows(definition, tables.copy.header)
  const beside = await besideOf(attempt, tables, comparison)
  const excess = besideExcess(attempt, comparison, beside)
  const tab = checkedTab(tables, comparison)
  const checked = await exceededLimits(attempt, [tab], tab.copy)
  const exceeded = [...checked.exceeded, ...excess]
  if (exceeded.length === 0) {
    if (beside) await warnOfCellsBeside(attempt, tables.target.title, beside)
    return checked.key_column
  }
  return failBeyondLimits(attempt, exceeded, async () => {
    const former_snapshot_id = await before.complete(difference, tables.copy)
    const { id } = await savePlan(attempt, tables, comparison, {
      former_snapshot_id,
      isPreview: true,
      ...checked,
      exceeded,
    })
    await context.assertLease()
    await completePlan(context.db, id, {
      written: difference.cells_changed,
      isWritePending: false,
      cost: null,
      beside: beside && { cells: beside.cells, rows: beside.rows, columns: beside.columns },
      restores: null,
    })
  })
}

/** Fails a run because of limits, after `storePlan` has stored its plan. */
export async function failBeyondLimits(
  { context, settings }: CopyAttempt,
  exceeded: readonly Excess[],
  storePlan: () => Promise<void>,
): Promise<never> {
  await context.progress({ phase: 'Storing the plan' })
  const since = await exceededSince(context, exceeded)
  await storePlan()
  const sentences = [limitSentence(exceeded), messages.nothing_written]
  if (exceeded.some(({ kind }) => kind === 'cells_beside')) sentences.push(messages.ways_beside)
  if (since) sentences.push(messages.since(formatMoment(since, settings.zone ?? 'UTC')))
  throw new RunFailure(sentences.join(' '), { retryable: false })
}

/** Cells that would end up beside another row; none before the first run onto a target. */
export const besideOf = async (
  attempt: CopyAttempt,
  tables: Tables,
  comparison: Comparison,
): Promise<FoundBeside | null> => (comparison.isFirst ? null : findCellsBeside(attempt, tables, comparison))

export const warnOfCellsBeside = (
  { context }: Pick<CopyAttempt, 'context'>,
  subject: string,
  { cells, example }: FoundBeside,
) => context.warn({ kind: 'cells_beside', subject, message: messages.left_beside(cells, example) })

/** When a run first met one of these limits since the last success of the task; null: none has. */
async function exceededSince({ db, run }: RunContext, exceeded: readonly Excess[]): Promise<Date | null> {
  const kinds = exceeded.map(({ kind }) => JSON.stringify([{ kind }]))
  // Index: plans_task_idx.
  const { rows } = await sql<{ since: Date | null }>`
    select min(r.finished_at) as since
    from plans p join runs r on r.id = p.run_id join tasks t on t.id = p.task_id
    where p.task_id = ${run.task_id} and p.limits @> any (${kinds}::jsonb[])
      and r.id <> ${run.id} and not r.is_preview and r.id > coalesce(t.last_success_run_id, 0)`.execute(db)
  return rows[0]?.since ?? null
}
