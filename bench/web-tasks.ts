import { type Kysely, sql } from 'kysely'
import type { Database } from '../src/server/platform/schema.ts'

/** Adds tasks `first` to `last` to eight types, each with a successful run and three log entries. */
export async function addTasks(db: Kysely<Database>, first: number, last: number): Promise<void> {
  if (first === 1)
    await sql`
      insert into task_types (category, name, chunk_size)
      select 'sync', 'Type ' || n, 1000 from generate_series(1, 8) n`.execute(db)
  await sql`
    with types as (select id, row_number() over (order by id) - 1 as place from task_types where name like 'Type %'),
    task as (
      insert into tasks (category, task_type_id, name, sort_order, chunk_size, scheduled_times)
      select 'sync', types.id, 'Products ' || n, n, 1000, '{04:00,23:00}' from generate_series(${first}::int, ${last}::int) n
      join types on types.place = n % 8 returning id, name, task_type_id
    ), definition as (
      insert into sync_tasks (task_id, source_type, source_ss_id, source_ss_name, source_sheet_name, target_ss_id,
        target_ss_name, target_sheet_name)
      select id, 'sheet', 'spreadsheet-source-' || id, 'Catalogue ' || id % 100, name, 'spreadsheet-target-' || id,
        'Shop ' || id % 10, name from task
    ), run as (
      insert into runs (task_id, task_type_id, category, task_name, state, trigger, trigger_label, definition,
        started_at, finished_at)
      select id, task_type_id, 'sync', name, 'success', 'manual', 'ada@example.com', '{}', now(), now() from task
      returning id, task_id
    )
    insert into log_entries (task_id, run_id, level, message)
    select task_id, id, 'INFO', 'Read 20,000 rows' from run, generate_series(1, 3)`.execute(db)
  await sql`update tasks set last_run_id = r.id, last_success_run_id = r.id from runs r where r.task_id = tasks.id`.execute(
    db,
  )
  await sql`vacuum analyze`.execute(db)
}
