import { sql } from 'kysely'
import { z } from 'zod'
import { taskTitle, titleText } from '../../../../contract/titles/task-title.ts'
import type { TabIdentity } from '../../../connectors/connector.ts'
import { RunFailure } from '../../../engine/types.ts'
import { violates } from '../../../platform/postgres/errors.ts'
import type { CopyAttempt } from '../attempt.ts'
import type { Binding } from './binding.ts'
import { Area, withArea } from './owned-areas.ts'

/** Where the binding of an attempt is stored: with its task, or with the tab of a split task. */
function rowOf({ context, tab }: Pick<CopyAttempt, 'context' | 'tab'>) {
  if (tab === null) return { table: sql.table('sync_tasks'), is: sql`task_id = ${context.run.task_id}` }
  if (!('id' in tab.stored)) throw new Error('A preview stores no binding.')
  return { table: sql.table('split_tabs'), is: sql`id = ${tab.stored.id}` }
}

type Bound = Pick<CopyAttempt, 'context' | 'tab'>

/** Reads the current binding, which earlier attempts of this run may have updated after its definition was frozen. */
export async function readBinding(attempt: Bound): Promise<Binding> {
  if (attempt.tab && !('id' in attempt.tab.stored)) return attempt.tab.stored
  const { table, is } = rowOf(attempt)
  const { rows } = await sql<Omit<Binding, 'intended'> & { intended: unknown }>`
    select target_place, owned_columns, owned_rows, owned_start_row, intended from ${table} where ${is}`.execute(
    attempt.context.db,
  )
  const [row] = rows
  if (!row) throw new RunFailure('The task was deleted.', { retryable: false })
  return { ...row, intended: z.array(Area).parse(row.intended) }
}

/**
 * Records the tab as the target of this task alone, before the first write. A tab other than the recorded one starts without owned
 * cells. Throws RunFailure with the name of the task that already uses the tab.
 */
export async function recordTargetTab(
  attempt: Bound,
  target_ss_id: string,
  { spreadsheet_name, sheet_name, tab_id }: TabIdentity,
): Promise<void> {
  const { context } = attempt
  const taken = (name: string | undefined, cause?: unknown) =>
    new RunFailure(
      `The tab ‘${sheet_name}’ in ‘${spreadsheet_name}’ is the target of the task ‘${name ?? 'another one'}’. Choose another target tab: two tasks would overwrite each other’s rows.`,
      { retryable: false, cause },
    )
  const { table, is } = rowOf(attempt)
  // An index makes sure that a tab is in a table once; it may be in the other one.
  const elsewhere = attempt.tab === null ? 'split_tabs' : 'sync_tasks'
  const other = await userOfTab(context, target_ss_id, { tab_id, table: elsewhere })
  if (other !== undefined) throw taken(other)
  try {
    await context.transaction((trx) =>
      sql`
        update ${table} set target_place = ${tab_id},
          owned_columns = case when target_place <> ${tab_id} then 0 else owned_columns end,
          owned_rows = case when target_place <> ${tab_id} then 0 else owned_rows end,
          owned_start_row = case when target_place <> ${tab_id} then null else owned_start_row end,
          intended = case when target_place <> ${tab_id} then '[]' else intended end
        where ${is}`.execute(trx),
    )
  } catch (error) {
    if (!violates(error, 'sync_tasks_target_sheet_key') && !violates(error, 'split_tabs_target_key'))
      throw error
    const own = attempt.tab === null ? 'sync_tasks' : 'split_tabs'
    throw taken(await userOfTab(context, target_ss_id, { tab_id, table: own }), error)
  }
}

/** Title of another task that writes the tab. */
async function userOfTab(
  { db, run }: Bound['context'],
  target_ss_id: string,
  { tab_id, table }: { tab_id: string; table: 'sync_tasks' | 'split_tabs' },
): Promise<string | undefined> {
  const { rows } = await sql<{
    id: number
    name: string
    source_sheet_name: string
    target_sheet_name: string
  }>`
    select t.id, t.name, s.source_sheet_name, s.target_sheet_name
    from tasks t join sync_tasks s on s.task_id = t.id where t.id <> ${run.task_id} and t.id in (
      select task_id from ${sql.table(table)} where target_ss_id = ${target_ss_id} and target_place = ${tab_id}
    )`.execute(db)
  const [task] = rows
  return task && titleText(taskTitle({ ...task, sheets: task }))
}

/** Records the area as owned before it is written, so that it stays owned if the run ends before it stores its result. */
export async function recordArea(attempt: Bound, area: Area): Promise<void> {
  const { table, is } = rowOf(attempt)
  await attempt.context.transaction((trx) =>
    sql`
      update ${table} set owned_columns = greatest(owned_columns, ${area.columns}), intended = ${withArea(JSON.stringify(area))}
      where ${is}`.execute(trx),
  )
}
