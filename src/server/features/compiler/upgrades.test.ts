import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { databaseBefore } from '../../../../test/earlier-database.ts'

test('0035: configurations and records from before have no settings of a merge, and remember no rows of their sources', async () => {
  const { db, upgrade } = await databaseBefore(35)
  await sql`insert into tasks (category, name, sort_order) values ('compiler', 'Shop', 1)`.execute(db)
  await sql`insert into compiler_configs (task_id) select id from tasks`.execute(db)
  await sql`insert into compiled_records (snapshot_id, row_no, sku, found_in, twice_in, field_sources, created_at, updated_at)
    values (1, 1, '007', '{1}', '{0}', '{1}', now(), now())`.execute(db)
  await upgrade()
  const config = await db.selectFrom('compiler_configs').selectAll().executeTakeFirst()
  expect(config).toMatchObject({
    required_fields: [],
    field_groups: [],
    field_priorities: [],
    column_names: [],
  })
  const record = await db.selectFrom('compiled_records').selectAll().executeTakeFirst()
  expect(record).toMatchObject({ sku: '007', source_rows: [] })
})
