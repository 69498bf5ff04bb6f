import { sql } from 'kysely'
import { z } from 'zod'
import { FormatChange, OverwrittenCells, type PlanSummary } from '../../contract/plans/calls.ts'
import { ExceededLimit } from '../../contract/run-limits/calls.ts'
import type { Db, Trx } from '../platform/db.ts'
import { RowSet } from '../snapshots/row-set.ts'
import { readSnapshot } from '../snapshots/snapshot.ts'
import { alignColumns } from './align-columns.ts'
import { restoreNotes } from './restore-notes.ts'
import { type ChangeCounts, findRowChanges, type RowChange } from './row-changes.ts'
import { type PlanFacts, summarise } from './summary.ts'
import type { Restores } from './versions.ts'

/** The target of a plan, and the settings that decide where a task writes. */
export const PlannedTarget = z.object({
  target_provider: z.string(),
  target_ss_id: z.string(),
  /** The header row, counted from 1. */
  start_row: z.int(),
  title: z.string(),
  tab_id: z.string(),
  /** Names of the columns, such as B. */
  columns: z.array(z.string()),
  /** Columns of the wanted table by which the rows of both tables were matched; null: none. */
  key_column: z.union([z.int(), z.array(z.int()).readonly()]).nullable(),
  /** Columns by which rows are not found, see `TwoTables`. */
  ignored: z.array(z.int()).default([]),
  /** Null in plans of earlier versions, which counted them only. */
  formats: z.array(FormatChange).nullable().default(null),
  unowned: z.nullable(OverwrittenCells).default(null),
  /** The cells that may be written where rows are matched; null: all of the table. Rows count from the header row. */
  written: z
    .object({
      columns: z.array(z.int()),
      keys: z.array(z.int()),
      inserted_from: z.int().nullable(),
      /** The last row of the table before, and those of its rows that are cleared. */
      end: z.int(),
      cleared: z.array(z.int()),
    })
    .nullable()
    .default(null),
})
export type PlannedTarget = z.infer<typeof PlannedTarget>

/** What a summary needs besides the stored rows. */
type Known = Pick<PlanFacts, 'written' | 'isWritePending' | 'cost' | 'beside'> & {
  /** The version that the plan restores; null: none. */
  restores: Restores | null
}

/**
 * Finds out what happens to the rows of a stored plan, and stores this with its summary. May be called again. Returns null if its rows
 * are no longer kept.
 */
export async function completePlan(
  db: Db,
  plan_id: number,
  { restores, ...facts }: Known,
): Promise<PlanSummary | null> {
  const plan = await db
    .selectFrom('plans')
    .select(['target', 'differing', 'former_snapshot_id', 'wanted_snapshot_id', 'limits'])
    .where('id', '=', plan_id)
    .executeTakeFirstOrThrow()
  const former = plan.former_snapshot_id === null ? null : await readSnapshot(db, plan.former_snapshot_id)
  const wanted = plan.wanted_snapshot_id === null ? null : await readSnapshot(db, plan.wanted_snapshot_id)
  if (!former || !wanted) return null
  const { columns, key_column, ignored, formats, unowned } = PlannedTarget.parse(plan.target)
  const differing = RowSet.ofBits(plan.differing)
  const write = planRowWriter(db, plan_id)
  const counts: ChangeCounts = await findRowChanges(
    db,
    {
      ...{ former, wanted, differing, key_column, ignored, formats: wanted.formats },
      formerColumns: alignColumns(former.header, wanted.header),
    },
    write,
  )
  const summary = summarise({
    ...facts,
    notes: restores ? restoreNotes(restores) : [],
    former: { header: former.header, rows: former.row_count },
    wanted: { header: wanted.header, rows: wanted.row_count, columns: wanted.header.length },
    counts,
    formats: formats ?? [],
    unowned,
    columnName: (column) => columns[column] ?? String(column + 1),
    limits: z
      .array(ExceededLimit)
      .parse(plan.limits ?? [])
      .map(({ text }) => text),
  })
  await db
    .updateTable('plans')
    .set({ summary: JSON.stringify(summary) })
    .where('id', '=', plan_id)
    .execute()
  return summary
}

/** Rows in which a change may differ for its run to summarise it. A larger one is summarised when someone asks for it. */
const MAX_SUMMARISED_ROWS = 10_000

/** Summarises what a run has changed, unless that is too much to keep it waiting. */
export async function summariseSmallChange(
  db: Db,
  { run_id, rows }: { run_id: number; rows: RowSet },
  known: Pick<Known, 'written' | 'restores'>,
): Promise<void> {
  if (rows.size > MAX_SUMMARISED_ROWS) return
  // Index: plans_run_idx.
  const plan = await db
    .selectFrom('plans')
    .select('id')
    .where('run_id', '=', run_id)
    .where('expires_at', 'is', null)
    .orderBy('id', 'desc')
    .executeTakeFirst()
  if (plan) await completePlan(db, plan.id, { ...known, isWritePending: false, cost: null, beside: null })
}

/** Returns a function that stores pages of a plan's rows. */
function planRowWriter(db: Db, plan_id: number): (changes: RowChange[]) => Promise<void> {
  let last = 0
  return async (changes) => {
    const first = last + 1
    last += changes.length
    await insertPlanRows(db, plan_id, changes, first)
  }
}

const insertPlanRows = (
  db: Db | Trx,
  plan_id: number,
  changes: readonly RowChange[],
  first: number,
): Promise<unknown> =>
  sql`
    insert into plan_rows (plan_id, position, kind, old_row, new_row, cells)
    select ${plan_id}::int, ${first}::int - 1 + n, kind, old_row, new_row, cells
    from unnest(${changes.map(({ kind }) => kind)}::text[], ${changes.map(({ old_row }) => old_row)}::int[],
      ${changes.map(({ new_row }) => new_row)}::int[], ${changes.map(({ cells }) => cells)}::int[])
      with ordinality as change (kind, old_row, new_row, cells, n)
    on conflict do nothing`.execute(db)
