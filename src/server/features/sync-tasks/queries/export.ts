import type { CsvExport } from '../../../csv-jobs/export.ts'
import type { Db } from '../../../platform/db.ts'
import { shape, toCells } from '../csv.ts'

const ROWS_AT_A_TIME = 500

/** Exports all sync tasks as CSV by id. */
export const syncTaskExport: CsvExport = { type: 'sync_task', columns: shape.columns, rows }

async function* rows(db: Db) {
  let after = 0
  for (;;) {
    const tasks = await csvTasks(db).where('t.id', '>', after).orderBy('t.id').limit(ROWS_AT_A_TIME).execute()
    for (const { id, type_name, ...task } of tasks) {
      after = id
      yield toCells(type_name, task)
    }
    if (tasks.length < ROWS_AT_A_TIME) return
  }
}

/** Query of sync tasks in CSV form, for further conditions. */
export const csvTasks = (db: Db) =>
  db
    .selectFrom('tasks as t')
    .innerJoin('sync_tasks as s', 's.task_id', 't.id')
    .innerJoin('task_types as y', 'y.id', 't.task_type_id')
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
      't.scheduled_times',
      't.relevant_user_accounts',
      't.sort_order',
      't.is_active',
    ])
