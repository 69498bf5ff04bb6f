import { sql } from 'kysely'
import { planServerMessages as messages } from '../../../../contract/plans/server-messages.ts'
import { type RunContext, RunFailure } from '../../../engine/types.ts'
import { readSnapshot } from '../../../snapshots/snapshot.ts'
import type { CopyAttempt } from '../attempt.ts'
import { compare, type Difference } from '../compare/compare.ts'
import { differingCells } from '../ownership/target-rules.ts'
import type { ReadTables } from '../read/read-tables.ts'
import { reopenCopy } from '../read/source-copy.ts'
import type { StoredPlan } from './stored-plan.ts'

/**
 * Fails a run that writes a plan if the target is not as the plan saw it. Reads the target again to name the cells, by the same
 * comparison with the former rows. Throws RunFailure; nothing was written.
 */
export async function requireTargetAsPlanned(
  attempt: CopyAttempt,
  tables: ReadTables,
  { target_hash }: Pick<Difference, 'target_hash'>,
): Promise<void> {
  const { plan } = tables
  if (!plan || plan.target_hash === target_hash) return
  const { context } = attempt
  await context.transaction((trx) =>
    trx
      .updateTable('plans')
      .set({ outdated_at: sql<Date>`now()` })
      .where('id', '=', plan.whole_id ?? plan.id)
      .execute(),
  )
  const who = await changedBy(context, plan)
  const cells = await cellsChangedSince(attempt, tables, plan)
  const where = attempt.tab === null ? undefined : tables.target.title
  const message =
    cells === null
      ? messages.outdated_formats(who, where)
      : messages.outdated(cells.count, cells.text, who, where)
  throw new RunFailure(message, { retryable: false })
}

/** Names the cells of the target that differ from the former rows of the plan; null if none does, or if those are gone. */
async function cellsChangedSince(
  { context }: CopyAttempt,
  { target, copy, owned_columns }: ReadTables,
  { former_snapshot_id }: StoredPlan,
): Promise<{ count: number; text: string } | null> {
  const former = former_snapshot_id === null ? null : await readSnapshot(context.db, former_snapshot_id)
  if (!former) return null
  const difference = await compare({
    context,
    copy: await reopenCopy(context, former),
    target,
    // The columns that the plan saw.
    owned_columns: Math.max(copy.columns, owned_columns),
    prefetch: null,
    phase: 'Finding what has changed',
    before: null,
    finders: [],
  })
  const { cells_changed: count } = difference
  return count === 0 ? null : { count, text: differingCells(difference, target.address) }
}

/** Who has changed the target since the plan was made. */
async function changedBy({ db, run }: RunContext, { created_at }: StoredPlan): Promise<string> {
  // Index: runs_task_idx.
  const { rows } = await sql<{ id: number }>`
    select id from runs
    where task_id = ${run.task_id} and id <> ${run.id} and not is_preview and finished_at > ${created_at}
      and receipt ->> 'mode' <> 'unchanged'
    order by id desc limit 1`.execute(db)
  const [last] = rows
  return last ? messages.by.run(last.id) : messages.by.editor
}
