import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { databaseBefore } from '../../../../../test/fixtures/earlier-database.ts'

test('0044: a task that has filled its target owns it from its header row on; the areas of other tasks are not known yet', async () => {
  const { db, upgrade } = await databaseBefore(44)
  await sql`insert into task_types (category, name, chunk_size, sort_order) values ('sync', 'Prices', 500, 1)`.execute(
    db,
  )
  await sql`insert into tasks (category, task_type_id, name, sort_order) values ('sync', 1, 'Filled', 1), ('sync', 1, 'New', 2)`.execute(
    db,
  )
  await sql`insert into sync_tasks (task_id, source_type, source_ss_id, target_ss_id, target_sheet_name, start_row, owned_columns, owned_rows)
    select id, 'sheet', 'source', 'target-' || id, 'Shop', 3, id % 2 * 5, id % 2 * 4 from tasks`.execute(db)
  await upgrade()
  const { rows } =
    await sql`select owned_start_row, intended, foreign_cells from sync_tasks order by task_id`.execute(db)
  expect(rows).toEqual([
    { owned_start_row: 3, intended: [], foreign_cells: null },
    { owned_start_row: null, intended: [], foreign_cells: null },
  ])
})
