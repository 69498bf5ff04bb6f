import { sql } from 'kysely'
import { z } from 'zod'
import type { Bound } from '../../../connectors/connector.ts'
import { type RunContext, RunFailure } from '../../../engine/types.ts'
import type { Db } from '../../../platform/db.ts'
import { violates } from '../../../platform/postgres/errors.ts'
import { Area } from './owned-areas.ts'

/** Stored state of a task's target tab. `owned_rows` is 0 until a run has filled it. */
export type Binding = {
  target_place: string | null
  owned_columns: number
  owned_rows: number
  owned_start_row: number | null
  /** Areas recorded for writing since the last successful run. */
  intended: Area[]
}

/** Reads the current binding, which earlier attempts of this run may have updated after its definition was frozen. */
export async function readBinding(db: Db, task_id: number): Promise<Binding> {
  const { intended, ...binding } = await db
    .selectFrom('sync_tasks')
    .select(['target_place', 'owned_columns', 'owned_rows', 'owned_start_row', 'intended'])
    .where('task_id', '=', task_id)
    .executeTakeFirstOrThrow()
  return { ...binding, intended: z.array(Area).parse(intended) }
}

/** Number of target columns to read: the owned columns and one more; 0 means all, if the task owns none. */
export function columnsWanted({ owned_columns, intended }: Binding): number {
  const owned = Math.max(owned_columns, ...intended.map(({ columns }) => columns))
  return owned === 0 ? 0 : owned + 1
}

/**
 * Records the tab as the target of this task alone, before the first write. A tab other than the recorded one starts without owned
 * cells. Throws RunFailure with the name of the task that already uses the tab.
 */
export async function recordTargetTab(
  context: RunContext,
  target_ss_id: string,
  { spreadsheet_name, sheet_name, place }: Bound,
): Promise<void> {
  const { task_id } = context.run
  const kept = (column: 'owned_columns' | 'owned_rows') =>
    sql<number>`case when target_place <> ${place} then 0 else ${sql.ref(column)} end`
  try {
    await context.transaction((trx) =>
      trx
        .updateTable('sync_tasks')
        .set({
          target_place: place,
          owned_columns: kept('owned_columns'),
          owned_rows: kept('owned_rows'),
          owned_start_row: sql<
            number | null
          >`case when target_place <> ${place} then null else owned_start_row end`,
          intended: sql<string>`case when target_place <> ${place} then '[]' else intended end`,
        })
        .where('task_id', '=', task_id)
        .execute(),
    )
  } catch (error) {
    if (!violates(error, 'sync_tasks_target_sheet_key')) throw error
    const other = await context.db
      .selectFrom('sync_tasks')
      .innerJoin('tasks', 'tasks.id', 'sync_tasks.task_id')
      .select('tasks.name')
      .where('target_ss_id', '=', target_ss_id)
      .where('target_place', '=', place)
      .executeTakeFirst()
    throw new RunFailure(
      `The tab ‘${sheet_name}’ in ‘${spreadsheet_name}’ is the target of the task ‘${other?.name ?? 'another one'}’. Choose another target tab: two tasks would overwrite each other’s rows.`,
      { retryable: false, cause: error },
    )
  }
}
