import { sql } from 'kysely'
import { z } from 'zod'
import { FormatChange, OverwrittenCells, PlanSummary } from '../../contract/plans/calls.ts'
import { ExceededLimit } from '../../contract/run-limits/calls.ts'
import type { Db, Trx } from '../platform/db.ts'
import { RowSet } from '../snapshots/row-set.ts'
import { readSnapshot } from '../snapshots/snapshot.ts'
import { alignColumns } from './align-columns.ts'
import { type PlanPart, readParts } from './parts.ts'
import { restoreNotes } from './restore-notes.ts'
import { type ChangeCounts, findRowChanges, type RowChange } from './row-changes.ts'
import { type PlanFacts, summarise, summariseTabs, type TabSummary } from './summary.ts'
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
  /** Of the tab of a split task: its name, and whether it is new or emptied because its value is gone. */
  sheet_name: z.string().default(''),
  is_new: z.boolean().default(false),
  is_cleared: z.boolean().default(false),
  /** Of all tabs of a split task: names of those that stay as they are although their values are gone. */
  kept: z.array(z.string()).default([]),
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

/** The same of a tab. */
export type KnownOfTab = Pick<Known, 'written' | 'beside'>

/**
 * Finds out what happens to the rows of a stored plan, and stores this with its summary. May be called again. `ofTab`: what is known of each
 * tab of a split task, by its value; tabs that have a summary keep it. Returns null if its rows are no longer kept.
 */
export async function completePlan(
  db: Db,
  plan_id: number,
  known: Known,
  ofTab: (value: string) => KnownOfTab = () => ({ written: 0, beside: null }),
): Promise<PlanSummary | null> {
  const { target, limits, is_split } = await db
    .selectFrom('plans')
    .select(['target', 'limits', 'is_split'])
    .where('id', '=', plan_id)
    .executeTakeFirstOrThrow()
  const exceeded = z
    .array(ExceededLimit)
    .parse(limits ?? [])
    .map(({ text }) => text)
  const facts = { ...known, limits: exceeded, notes: known.restores ? restoreNotes(known.restores) : [] }
  const tabs: TabSummary[] = []
  for (const part of await readParts(db, plan_id)) {
    const about = is_split
      ? {
          ...{ ...ofTab(part.split_value ?? ''), isWritePending: false, cost: null },
          ...{ limits: [], notes: [] },
        }
      : facts
    const stored = is_split && part.summary !== null ? PlanSummary.parse(part.summary) : null
    const planned = PlannedTarget.parse(part.target)
    const summary = stored ?? (await completePart(db, part, planned, about))
    if (!summary) return null
    if (!is_split) return summary
    tabs.push({ ...planned, summary })
  }
  if (tabs.length === 0) return null
  const summary = summariseTabs(tabs, { ...facts, kept: PlannedTarget.parse(target).kept })
  await saveSummary(db, plan_id, summary)
  return summary
}

const saveSummary = (db: Db, plan_id: number, summary: PlanSummary): Promise<unknown> =>
  db
    .updateTable('plans')
    .set({ summary: JSON.stringify(summary) })
    .where('id', '=', plan_id)
    .execute()

type FactsOfPart = Omit<PlanFacts, 'former' | 'wanted' | 'counts' | 'formats' | 'unowned' | 'columnName'>

/** Null: the rows of the part are no longer kept. */
async function completePart(
  db: Db,
  { id, former_snapshot_id, wanted_snapshot_id }: PlanPart,
  { columns, key_column, ignored, formats, unowned }: PlannedTarget,
  facts: FactsOfPart,
): Promise<PlanSummary | null> {
  const former = former_snapshot_id === null ? null : await readSnapshot(db, former_snapshot_id)
  const wanted = wanted_snapshot_id === null ? null : await readSnapshot(db, wanted_snapshot_id)
  if (!former || !wanted) return null
  const { differing } = await db
    .selectFrom('plans')
    .select('differing')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const counts: ChangeCounts = await findRowChanges(
    db,
    {
      ...{ former, wanted, differing: RowSet.ofBits(differing), key_column, ignored },
      ...{ formats: wanted.formats, formerColumns: alignColumns(former.header, wanted.header) },
    },
    planRowWriter(db, id),
  )
  const summary = summarise({
    ...facts,
    former: { header: former.header, rows: former.row_count },
    wanted: { header: wanted.header, rows: wanted.row_count, columns: wanted.header.length },
    counts,
    formats: formats ?? [],
    unowned,
    columnName: (column) => columns[column] ?? String(column + 1),
  })
  await saveSummary(db, id, summary)
  return summary
}

/** Rows in which a change may differ for its run to summarise it. A larger one is summarised when someone asks for it. */
const MAX_SUMMARISED_ROWS = 10_000

/**
 * Summarises what a run has changed in its target, or in the tab of a value, unless that is too much to keep it waiting.
 */
export async function summariseSmallChange(
  db: Db,
  { run_id, split_value, rows }: { run_id: number; split_value: string | null; rows: RowSet },
  known: Pick<Known, 'written' | 'restores'>,
): Promise<void> {
  if (rows.size > MAX_SUMMARISED_ROWS) return
  // Index: plans_run_idx.
  const plan = await db
    .selectFrom('plans')
    .select('id')
    .where('run_id', '=', run_id)
    .where('expires_at', 'is', null)
    .where('is_split', '=', false)
    .where('split_value', 'is not distinct from', split_value)
    .orderBy('id', 'desc')
    .executeTakeFirst()
  if (plan) await completePlan(db, plan.id, { ...known, isWritePending: false, cost: null, beside: null })
}

/** Summarises what a run has changed in all tabs of a split task, if each of them is summarised. */
export async function summariseSmallTabs(
  db: Db,
  run_id: number,
  { restores }: Pick<Known, 'restores'>,
): Promise<void> {
  // Index: plans_run_idx.
  const plan = await db
    .selectFrom('plans')
    .select('id')
    .where('run_id', '=', run_id)
    .where('is_split', '=', true)
    .executeTakeFirst()
  if (!plan) return
  const parts = await readParts(db, plan.id)
  if (parts.every(({ summary }) => summary !== null))
    await completePlan(db, plan.id, {
      ...{ written: 0, isWritePending: false, cost: null, beside: null },
      restores,
    })
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
