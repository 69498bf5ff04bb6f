import { type RawBuilder, sql } from 'kysely'
import { taskTitle, titleText } from '../../../../contract/titles/task-title.ts'
import type { Db } from '../../../platform/db.ts'

/** A sync task with its target, its source, and its last successful run. */
export type TargetTask = {
  task_id: number
  /** Its title in one text. */
  name: string
  snapshot_id: number | null
  provider: string
  spreadsheet_id: string
  spreadsheet_name: string
  sheet_name: string
  /** Null: no run has opened the tab yet. */
  tab_id: string | null
  /** The header row of what was written last, counted from 1. */
  start_row: number
  owned_columns: number
  /** It writes a tab per value; each is described by `tabsOfRow`. */
  is_split: boolean
  source_ss_id: string
  source_ss_name: string
  source_sheet_name: string
  source_place: string | null
  /** Its sources behind the first one. */
  further: Pick<TargetTask, 'source_ss_id' | 'source_ss_name' | 'source_sheet_name' | 'source_place'>[]
  account_user_id: number | null
  relevant_user_accounts: string[]
  run_id: number | null
  run_at: Date | null
  definition: unknown
  /** The version that the last successful run restored; null: the target holds the source's rows. */
  older_version: unknown
}

async function select(
  db: Db,
  condition: RawBuilder<unknown>,
  limit: number | null = null,
): Promise<TargetTask[]> {
  const { rows } = await sql<TargetTask>`
  select s.task_id, t.name, t.snapshot_id, s.target_provider as provider, s.target_ss_id as spreadsheet_id,
    s.target_ss_name as spreadsheet_name, s.target_sheet_name as sheet_name, s.target_place as tab_id,
    coalesce(s.owned_start_row, s.start_row) as start_row, s.owned_columns,
    s.split_by is not null as is_split, s.source_ss_id, s.source_ss_name, s.source_sheet_name,
    s.source_place, s.older_version, t.account_user_id, t.relevant_user_accounts, r.id as run_id, r.finished_at as run_at, r.definition,
    (
      select coalesce(jsonb_agg(to_jsonb(f) order by f.place), '[]') from further_sources f where f.task_id = s.task_id
    ) as further
  from sync_tasks s join tasks t on t.id = s.task_id left join runs r on r.id = t.last_success_run_id
  where ${condition} order by s.task_id limit ${limit}`.execute(db)
  return rows.map(({ source_sheet_name, sheet_name: target_sheet_name, ...row }) => ({
    ...row,
    source_sheet_name,
    sheet_name: target_sheet_name,
    name: titleText(
      taskTitle({ id: row.task_id, name: row.name, sheets: { source_sheet_name, target_sheet_name } }),
    ),
  }))
}

/** The task that writes a tab, with what it wrote there; null: none. Indexes: sync_tasks_target_sheet_key, split_tabs_target_key. */
export async function taskOfTab(db: Db, spreadsheet_id: string, tab_id: string): Promise<TargetTask | null> {
  // A task that writes a tab per value may know the tab that it wrote before.
  const [task] = await select(
    db,
    sql`s.target_ss_id = ${spreadsheet_id} and s.target_place = ${tab_id} and s.split_by is null`,
  )
  if (task) return task
  const tab = await selectTabs(db)
    .where('b.target_ss_id', '=', spreadsheet_id)
    .where('b.target_place', '=', tab_id)
    .executeTakeFirst()
  const split = tab ? await syncTask(db, tab.task_id) : null
  return tab === undefined || split === null ? null : withTab(split, tab)
}

/** A row of a target. `task`: with the tab of the row as its only one. `row_no` 0: the header. */
export type RowOfTarget = { task: TargetTask; row_no: number }

/**
 * The tabs of a split task that have a data row of its source, and where; row 0: the header, which all have. None: the run that read `copy`
 * has left the row out, or has not written its tab.
 */
export async function tabsOfRow(
  db: Db,
  task: TargetTask,
  copy: { run_id: number | null },
  row_no: number,
): Promise<RowOfTarget[]> {
  const place = sql<number | null>`array_position(n.source_rows, ${row_no}::int)`
  const tabs = await selectTabs(db)
    .innerJoin('snapshots as n', 'n.id', 'b.snapshot_id')
    .select(row_no === 0 ? sql<number | null>`0`.as('row_no') : place.as('row_no'))
    .where('b.task_id', '=', task.task_id)
    .where('b.target_ss_id', '=', task.spreadsheet_id)
    .where('n.run_id', 'is not distinct from', copy.run_id)
    .where(sql<boolean>`(${row_no}::int = 0 or ${place} is not null)`)
    .orderBy('b.id')
    .execute()
  return tabs.flatMap(({ row_no, ...tab }) => (row_no === null ? [] : { task: withTab(task, tab), row_no }))
}

const selectTabs = (db: Db) =>
  db
    .selectFrom('split_tabs as b')
    .select(['b.task_id', 'b.target_sheet_name', 'b.target_place', 'b.snapshot_id'])
    .select(['b.owned_columns', 'b.owned_start_row'])

type Tab = Awaited<ReturnType<ReturnType<typeof selectTabs>['execute']>>[number]

const withTab = (task: TargetTask, tab: Tab): TargetTask => ({
  ...task,
  snapshot_id: tab.snapshot_id,
  sheet_name: tab.target_sheet_name,
  tab_id: tab.target_place,
  start_row: tab.owned_start_row ?? task.start_row,
  owned_columns: tab.owned_columns,
})

/** A sync task by its id; null: there is none. */
export async function syncTask(db: Db, id: number): Promise<TargetTask | null> {
  const [task] = await select(db, sql`s.task_id = ${id}`)
  return task ?? null
}

/** Sync tasks that copy from a tab, up to `limit`. Indexes: sync_tasks_source_target_key, further_sources_tab_idx. */
export const tasksFromTab = (
  db: Db,
  { spreadsheet_id, tab_id, limit }: { spreadsheet_id: string; tab_id: string; limit: number },
): Promise<TargetTask[]> =>
  select(
    db,
    sql`(s.source_type = 'sheet' and s.source_ss_id = ${spreadsheet_id} and s.source_place = ${tab_id} or s.task_id in (
      select task_id from further_sources
      where source_type = 'sheet' and source_ss_id = ${spreadsheet_id} and source_place = ${tab_id}
    ))`,
    limit,
  )

/** Sync tasks that copy the records of a configuration, up to `limit`. */
export const tasksOfConfig = (db: Db, config_id: number, limit: number): Promise<TargetTask[]> =>
  select(
    db,
    sql`(s.source_type = 'internal' and s.source_compiler_config_id = ${config_id} or s.task_id in (
      select task_id from further_sources where source_type = 'internal' and source_compiler_config_id = ${config_id}
    ))`,
    limit,
  )
