import { sql } from 'kysely'
import { RowSettings } from '../../../../contract/rows/row-settings.ts'
import { WriteSettings } from '../../../../contract/rows/write-settings.ts'
import { NO_LIMITS, RunLimits } from '../../../../contract/run-limits/calls.ts'
import type { CsvExport } from '../../../csv-jobs/export.ts'
import type { Db } from '../../../platform/db.ts'
import { shape, toCells } from '../csv.ts'

const ROWS_AT_A_TIME = 500

/** Exports sync tasks as CSV by id. */
export const syncTaskExport: CsvExport = { type: 'sync_task', columns: shape.columns, rows }

async function* rows(db: Db, task_ids: readonly number[] | null) {
  let after = 0
  for (;;) {
    const tasks = await csvTasks(db)
      .where('t.id', '>', after)
      .where(task_ids === null ? sql<boolean>`true` : sql<boolean>`t.id = any (${[...task_ids]}::int[])`)
      .orderBy('t.id')
      .limit(ROWS_AT_A_TIME)
      .execute()
    for (const { id, type_name, limits, ...task } of tasks) {
      after = id
      yield toCells(type_name, {
        ...task,
        ...RowSettings.parse(task),
        ...WriteSettings.parse(task),
        limits: allLimits(limits),
      })
    }
    if (tasks.length < ROWS_AT_A_TIME) return
  }
}

/** Stored limits with null and empty lists for those that are the default. */
export const allLimits = (stored: unknown) => ({ ...NO_LIMITS, ...RunLimits.parse(stored) })

/** Query of sync tasks in CSV form, for further conditions. */
export const csvTasks = (db: Db) =>
  db
    .selectFrom('tasks as t')
    .innerJoin('sync_tasks as s', 's.task_id', 't.id')
    .innerJoin('task_types as y', 'y.id', 't.task_type_id')
    .leftJoin('users as u', 'u.id', 't.owner_id')
    .leftJoin('ready_by as b', 'b.task_id', 't.id')
    .select([
      't.id',
      'y.name as type_name',
      't.name',
      's.source_type',
      's.source_ss_id',
      's.source_sheet_name',
      's.target_ss_id',
      's.target_sheet_name',
      's.source_compiler_config_id',
      's.sync_preset_id',
      't.chunk_size',
      's.start_row',
      's.columns',
      's.include_new_columns',
      's.filter',
      's.sort_by',
      's.max_rows',
      's.completeness',
      's.extra_columns',
      's.write_mode',
      's.key_columns',
      's.on_missing',
      's.mark_column',
      's.mark_text',
      's.on_bad_keys',
      's.find_columns_by_header',
      's.on_cells_beside',
      's.more_sources',
      's.split_by',
      's.split_tab_name',
      's.target_csv_delimiter',
      's.target_csv_encoding',
      's.source_csv_delimiter',
      's.source_csv_encoding',
      's.source_csv_quote',
      's.limits',
      't.scheduled_times',
      't.relevant_user_accounts',
      't.sort_order',
      't.is_active',
      't.tags',
      't.notes',
      't.owner_id',
      'u.email as owner',
      'b.ready_by',
    ])
