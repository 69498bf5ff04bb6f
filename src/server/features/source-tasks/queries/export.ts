import { sql } from 'kysely'
import type { CsvExport } from '../../../csv-jobs/export.ts'
import type { Db } from '../../../platform/db.ts'
import { placedTasks } from '../../../tasks/list/placed-tasks.ts'
import { type CsvTask, shape, toCells } from '../csv.ts'
import { identifierOf, originsOf } from './tasks.ts'

const ROWS_AT_A_TIME = 500

/** Exports source tasks as CSV in list order, which an import preserves. */
export const sourceTaskExport: CsvExport = { type: 'source_task', columns: shape.columns, rows }

async function* rows(db: Db, task_ids: readonly number[] | null) {
  const { rows: placed } = await sql<{ id: number }>`
    select id from (${placedTasks('source')}) placed
    where ${task_ids === null ? sql`true` : sql`id = any (${[...task_ids]}::int[])`} order by type_place, sort_order, id`.execute(
    db,
  )
  for (let from = 0; from < placed.length; from += ROWS_AT_A_TIME) {
    const ids = placed.slice(from, from + ROWS_AT_A_TIME).map(({ id }) => id)
    const tasks = await readCsvTasks(db, ids)
    for (const id of ids) {
      const task = tasks.get(id)
      if (task) yield toCells(task.type_name, task.said)
    }
  }
}

type OwnedCsvTask = CsvTask & {
  owner_id: number | null
  owner: string | null
  ready_by: string | null
}

/** Reads source tasks in CSV form by id. */
export async function readCsvTasks(
  db: Db,
  ids: readonly number[],
): Promise<Map<number, { type_name: string | null; said: OwnedCsvTask }>> {
  const { rows } = await sql<OwnedCsvTask & { id: number; type_name: string | null }>`
    select t.id, y.name as type_name, t.name, s.source_type, ${identifierOf} as source_identifier, s.spreadsheet_id,
      s.sheet_name, s.start_row, t.chunk_size, t.is_active, s.is_master_catalog, s.description, s.min_rows_percent, s.max_rows,
      s.csv_delimiter, s.csv_encoding, s.csv_quote, s.file_expected_hours,
      t.relevant_user_accounts, t.tags, t.notes, t.owner_id, u.email as owner, b.ready_by
    from tasks t
    join source_tasks s on s.task_id = t.id
    ${originsOf}
    left join task_types y on y.id = t.task_type_id
    left join users u on u.id = t.owner_id
    left join ready_by b on b.task_id = t.id
    where t.id = any(${[...ids]}::int[])`.execute(db)
  return new Map(rows.map(({ id, type_name, ...said }) => [id, { type_name, said }]))
}
