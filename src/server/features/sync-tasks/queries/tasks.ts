import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import type { QueryOf } from '../../../../contract/calls.ts'
import { limits } from '../../../../contract/limits.ts'
import { CopyReceipt } from '../../../../contract/runs/receipts.ts'
import {
  type SyncTask,
  type SyncTaskDetail,
  type SyncTaskState,
  syncTaskState,
  type syncTasks,
} from '../../../../contract/sync-tasks/calls.ts'
import type { TaskState } from '../../../../contract/tasks/schemas.ts'
import type { Db } from '../../../platform/db.ts'
import { NamedError } from '../../../platform/errors.ts'
import { prepared } from '../../../platform/postgres/client.ts'
import { ownerOfTask, ownershipOfTask, readNotes } from '../../../tasks/list/ownership.ts'
import {
  accountOfTask,
  placedInSectionsOf,
  placedTasks,
  positionActions,
} from '../../../tasks/list/placed-tasks.ts'
import { taskStates } from '../../../tasks/list/task-states.ts'
import { stateOfTask } from '../../../tasks/list/type-states.ts'
import { readLogs } from '../../../tasks/run/logs.ts'
import { readReceipt } from '../../../tasks/run/receipt.ts'
import { readBeyondLimits } from './beyond-limits.ts'
import { readUnownedCells } from './unowned-cells.ts'

type Row = Omit<
  SyncTask,
  keyof SyncTaskState | 'task_type' | 'position_actions' | 'created_at' | 'updated_at'
> & {
  id: number
  type_name: string
  type_chunk_size: number
  position: number
  total_of_type: number
  total: number
  created_at: Date
  updated_at: Date
}

/** Lists a page of the sync tasks that meet all filters, by type order and own order. `page` starts at 1. Two queries in total. */
export async function listSyncTasks(
  db: Db,
  { page, limit, zone, ...filters }: QueryOf<typeof syncTasks.list> & { zone: string },
) {
  const shown = shownBy(filters)
  const rows = await read(db, {
    placed: placedTasks('sync'),
    shown,
    slice: sql`limit ${limit} offset ${(page - 1) * limit}`,
  })
  const total = rows[0]?.total ?? (page > 1 ? await countSyncTasks(db, shown) : 0)
  const tasks = await withStates(db, rows, zone)
  return { syncTasks: tasks, totalPages: Math.max(1, Math.ceil(total / limit)), total, page }
}

/** Reads sync tasks by id in no particular order. Deleted tasks are skipped. */
export async function readSyncTasks(db: Db, ids: readonly number[], zone: string): Promise<SyncTask[]> {
  if (ids.length === 0) return []
  const rows = await read(db, {
    placed: placedInSectionsOf('sync', ids),
    shown: sql`id = any (${[...ids]}::int[])`,
    slice: sql``,
  })
  return withStates(db, rows, zone)
}

/** Reads one sync task. Throws NamedError `sync_task_not_found`. */
export async function readSyncTask(db: Db, id: number, zone: string): Promise<SyncTask> {
  const [task] = await readSyncTasks(db, [id], zone)
  if (task === undefined) throw new NamedError('sync_task_not_found')
  return task
}

/** Reads one sync task with its newest log entries and receipt. Throws NamedError `sync_task_not_found`. */
export async function readSyncTaskDetail(db: Db, id: number, zone: string): Promise<SyncTaskDetail> {
  const task = await readSyncTask(db, id, zone)
  const logs = await readLogs(db, id, { limit: limits.logs_page_size }, zone)
  const receipt = z.nullable(CopyReceipt).parse(await readReceipt(db, id))
  const { foreign } = await readUnownedCells(db, id)
  const bound = await db
    .selectFrom('sync_tasks')
    .select('target_place')
    .where('task_id', '=', id)
    .executeTakeFirst()
  const target_tab_id = bound?.target_place ?? null
  const notes = await readNotes(db, id)
  const beyond_limits = await readBeyondLimits(db, id)
  return { ...task, notes, logs, receipt, foreign_cells: foreign, beyond_limits, target_tab_id }
}

async function countSyncTasks(db: Db, shown: Part): Promise<number> {
  const { total } = await db
    .selectFrom('tasks')
    .select(sql<number>`count(*)::int`.as('total'))
    .where('category', '=', 'sync')
    .where(sql<boolean>`${shown}`)
    .executeTakeFirstOrThrow()
  return total
}

type Filters = Pick<QueryOf<typeof syncTasks.list>, 'state' | 'is_active' | 'search'>

// Without filters no other table is read. With them: one scan of the tasks, with primary key lookups of their last runs.
function shownBy({ state, is_active, search }: Filters): Part {
  const text = search?.trim()
  const conditions = [
    state !== undefined && sql`${stateOfTask} = any (${state}::text[])`,
    is_active !== undefined && sql`t.is_active = ${is_active === 'true'}`,
    text !== undefined && sql`(strpos(lower(t.name), lower(${text})) > 0 or t.id::text = ${text})`,
  ].filter((condition) => condition !== false)
  if (conditions.length === 0) return sql`true`
  return sql`id in (
    select t.id from tasks t left join runs r on r.id = t.last_run_id
    where t.category = 'sync' and ${sql.join(conditions, sql` and `)})`
}

type Part = RawBuilder<unknown>

// Joins wide columns only for the rows of the page.
async function read(db: Db, { placed, shown, slice }: { placed: Part; shown: Part; slice: Part }) {
  const { rows } = await sql<Row>`${prepared}
    with placed as (${placed}), shown as (
      select *, count(*) over ()::int as total from placed where ${shown}
      order by type_place, sort_order, id ${slice}
    )
    select t.id, t.name, t.task_type_id as sync_task_type_id, t.sort_order, t.is_active, t.is_schedule_paused, t.created_at, t.updated_at,
      s.source_type, s.source_provider, s.source_ss_id, s.source_ss_name, s.source_sheet_name,
      s.target_provider, s.target_ss_id, s.target_ss_name, s.target_sheet_name,
      s.source_compiler_config_id, k.name as source_compiler_config_name, s.sync_preset_id,
      coalesce(p.excluded_fields, '{}') as excluded_fields, s.start_row,
      s.columns, s.include_new_columns, s.filter, s.sort_by, s.max_rows, s.extra_columns, s.completeness, s.limits,
      s.write_mode, s.key_columns, s.on_missing, s.mark_column, s.mark_text, s.on_bad_keys, s.find_columns_by_header,
      s.on_cells_beside, s.more_sources, s.split_by, s.split_tab_name,
      s.target_csv_delimiter, s.target_csv_encoding, s.source_csv_delimiter, s.source_csv_encoding, s.source_csv_quote,
      (
        select coalesce(jsonb_agg(coalesce(n.name, f.source_ss_name) order by f.place), '[]') from further_sources f
        left join compiler_configs m on m.id = f.source_compiler_config_id left join tasks n on n.id = m.task_id
        where f.task_id = t.id
      ) as more_source_names,
      t.chunk_size, t.scheduled_times, t.relevant_user_accounts, s.older_version,
      ${accountOfTask} as account, ${ownershipOfTask},
      y.name as type_name, y.chunk_size as type_chunk_size, y.allowed_concurrent_tasks as max_concurrent_tasks,
      shown.position, shown.total_of_type, shown.total
    from shown
    join tasks t on t.id = shown.id
    join sync_tasks s on s.task_id = t.id
    join task_types y on y.id = t.task_type_id
    left join compiler_configs c on c.id = s.source_compiler_config_id
    left join tasks k on k.id = c.task_id
    left join sync_presets p on p.id = s.sync_preset_id
    ${ownerOfTask}
    left join users u on u.id = t.account_user_id
    left join grants g on g.user_id = u.id
    order by shown.type_place, t.sort_order, t.id`.execute(db)
  return rows
}

async function withStates(db: Db, rows: Row[], zone: string): Promise<SyncTask[]> {
  if (rows.length === 0) return []
  const states = await taskStates(
    db,
    rows.map(({ id }) => id),
    zone,
  )
  // Skips tasks that were deleted between the two queries.
  return rows.flatMap((row) => {
    const state = states.get(row.id)
    return state ? [present(row, state)] : []
  })
}

function present(row: Row, state: TaskState): SyncTask {
  const {
    type_name,
    type_chunk_size,
    position,
    total_of_type,
    total: _,
    created_at,
    updated_at,
    ...task
  } = row
  return {
    ...task,
    ...syncTaskState(state),
    task_type: {
      id: row.sync_task_type_id,
      name: type_name,
      chunk_size: type_chunk_size,
      allowed_concurrent_tasks: row.max_concurrent_tasks,
    },
    position_actions: positionActions({ position, total_of_type }),
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
  }
}
