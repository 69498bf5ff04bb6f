import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import type { QueryOf } from '../../../../contract/calls.ts'
import { limits } from '../../../../contract/limits.ts'
import { IngestReceipt } from '../../../../contract/runs/receipts.ts'
import {
  type SourceTask,
  type SourceTaskDetail,
  type SourceTaskState,
  sourceTaskState,
  type sourceTasks,
} from '../../../../contract/source-tasks/calls.ts'
import type { Db } from '../../../platform/db.ts'
import { NamedError } from '../../../platform/errors.ts'
import { jsonMoment } from '../../../platform/json-moment.ts'
import { isReason } from '../../../tasks/approvals/pending-approvals.ts'
import { readNextRuns } from '../../../tasks/list/next-runs.ts'
import { ownerOfTask, ownershipOfTask, readNotes } from '../../../tasks/list/ownership.ts'
import {
  accountOfTask,
  placedInSectionsOf,
  placedTasks,
  positionActions,
} from '../../../tasks/list/placed-tasks.ts'
import { errorOf, taskStates } from '../../../tasks/list/task-states.ts'
import { readLogs } from '../../../tasks/run/logs.ts'
import { readReceipt } from '../../../tasks/run/receipt.ts'

type Moments = 'last_run_time' | 'pulled_at' | 'changed_at'
type Row = Omit<
  SourceTask,
  keyof SourceTaskState | Moments | 'next_run_time' | 'position_actions' | 'created_at' | 'updated_at'
> & {
  [Name in Moments]: Date | null
} & { id: number; position: number; total_of_type: number; created_at: Date; updated_at: Date }

/** Lists source tasks by type and order, tasks without a type last. Three queries in total, and two more if tasks are queued. */
export async function listSourceTasks(
  db: Db,
  { running_status, ...filter }: QueryOf<typeof sourceTasks.list>,
  zone: string,
): Promise<SourceTask[]> {
  const { source_task_type_id, source_type, is_active, search } = filter
  const conditions = [
    source_task_type_id === undefined ? undefined : sql`t.task_type_id = ${source_task_type_id}`,
    source_type === undefined ? undefined : sql`s.source_type = ${source_type}`,
    is_active === undefined ? undefined : sql`t.is_active = ${is_active === 'true'}`,
    search === undefined
      ? undefined
      : sql`(strpos(lower(t.name), ${search.trim().toLowerCase()}) > 0 or t.id::text = ${search.trim()})`,
  ].filter((condition) => condition !== undefined)
  const shown = conditions.length > 0 ? sql`${sql.join(conditions, sql` and `)}` : sql`true`
  const tasks = await read(db, { placed: placedTasks('source'), shown }, zone)
  return running_status === undefined ? tasks : tasks.filter((task) => task.running_status === running_status)
}

/** Reads source tasks by id in list order. Deleted tasks are skipped. */
export async function readSourceTasks(db: Db, ids: readonly number[], zone: string): Promise<SourceTask[]> {
  if (ids.length === 0) return []
  const shown = sql`t.id = any (${[...ids]}::int[])`
  return read(db, { placed: placedInSectionsOf('source', ids), shown }, zone)
}

/** Reads one source task. Throws NamedError `source_task_not_found`. */
export async function readSourceTask(db: Db, id: number, zone: string): Promise<SourceTask> {
  const [task] = await readSourceTasks(db, [id], zone)
  if (task === undefined) throw new NamedError('source_task_not_found')
  return task
}

/** Reads one source task with its newest log entries and receipt. Throws NamedError `source_task_not_found`. */
export async function readSourceTaskDetail(db: Db, id: number, zone: string): Promise<SourceTaskDetail> {
  const task = await readSourceTask(db, id, zone)
  const logs = await readLogs(db, id, { limit: limits.logs_page_size }, zone)
  const notes = await readNotes(db, id)
  return { ...task, notes, logs, receipt: z.nullable(IngestReceipt).parse(await readReceipt(db, id)) }
}

/** The origin as an identifier: the current name of the connection or task. */
export const identifierOf = sql<string>`
  coalesce(connection.name, case origin.category
    when 'source' then 'task-' || origin.id when 'compiler' then 'config-' || origin_config.id end, s.source_identifier)`

/** Joins that identifierOf requires for source task `s`. */
export const originsOf = sql`
  left join connections connection on connection.id = s.connection_id
  left join tasks origin on origin.id = s.origin_task_id
  left join compiler_configs origin_config on origin_config.task_id = s.origin_task_id`

type Part = RawBuilder<unknown>

async function read(db: Db, { placed, shown }: { placed: Part; shown: Part }, zone: string) {
  const { rows } = await sql<Row>`
    with placed as (${placed})
    select t.id, t.name, t.task_type_id as source_task_type_id, y.name as source_task_type_name, t.sort_order,
      t.is_active, t.chunk_size, t.relevant_user_accounts, t.created_at, t.updated_at,
      s.source_type, ${identifierOf} as source_identifier,
      coalesce(connection.name, origin.name, '') as origin_name, s.provider as source_provider, s.spreadsheet_id, s.spreadsheet_name, s.sheet_name, s.start_row,
      s.is_master_catalog, s.description, s.min_rows_percent, s.max_rows,
      s.csv_delimiter, s.csv_encoding, s.csv_quote, s.file_expected_hours, s.pulled_at, s.changed_at,
      case when s.source_type = 'sheet' then ${accountOfTask} end as account, ${ownershipOfTask},
      coalesce(last.started_at, last.queued_at) as last_run_time,
      ${errorOf('last')} as last_error,
      current.row_count, ${waitingRows} as waiting, placed.position, placed.total_of_type
    from placed
    join tasks t on t.id = placed.id
    join source_tasks s on s.task_id = t.id
    ${originsOf}
    left join task_types y on y.id = t.task_type_id
    left join runs last on last.id = t.last_run_id
    left join snapshots current on current.id = t.snapshot_id
    left join snapshots waiting on waiting.id = t.waiting_snapshot_id
    ${ownerOfTask}
    left join users u on u.id = t.account_user_id
    left join grants g on g.user_id = u.id
    where ${shown}
    order by placed.type_place, t.sort_order, t.id`.execute(db)
  return withStates(db, rows, zone)
}

// The warnings of the run that read the rows state why they need approval.
const waitingRows = sql`
  case when waiting.id is not null then jsonb_build_object(
    'snapshot_id', waiting.id, 'row_count', waiting.row_count,
    'fetched_at', ${jsonMoment(sql`waiting.completed_at`)},
    'reasons', coalesce((
      select jsonb_agg(w.warning ->> 'message' order by w.place)
      from runs r cross join jsonb_array_elements(r.warnings) with ordinality as w (warning, place)
      where r.id = waiting.run_id and ${isReason(sql`w.warning`)}
    ), '[]'), 'column_changes', coalesce(waiting.column_changes, '[]')) end`

async function withStates(db: Db, rows: Row[], zone: string): Promise<SourceTask[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const states = await taskStates(db, ids, zone)
  const runs = await readNextRuns(db, { category: 'source', ids, zone, limit: ids.length })
  const next = new Map(runs.map(({ task_id, at }) => [task_id, at.toISOString()]))
  // Skips tasks that were deleted between the queries.
  return rows.flatMap((row) => {
    const state = states.get(row.id)
    return state ? [present(row, sourceTaskState(state), next.get(row.id) ?? null)] : []
  })
}

function present(row: Row, state: SourceTaskState, next_run_time: string | null): SourceTask {
  const { position, total_of_type, ...task } = row
  return {
    ...task,
    ...state,
    next_run_time,
    last_run_time: row.last_run_time?.toISOString() ?? null,
    pulled_at: row.pulled_at?.toISOString() ?? null,
    changed_at: row.changed_at?.toISOString() ?? null,
    position_actions: positionActions({ position, total_of_type }),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}
