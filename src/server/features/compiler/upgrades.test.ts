import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { databaseBefore } from '../../../../test/earlier-database.ts'
import type { Db } from '../../platform/db.ts'
import { rowNumbers } from '../../snapshots/bit-sets.ts'
import { snapshotRows } from '../../snapshots/snapshot.ts'
import { findRecords } from './queries/find-rows.ts'

/** A configuration whose current version, with the number 1, has so many records. */
async function aVersion(db: Db, records: number): Promise<void> {
  await sql`insert into snapshots (kind, columns, row_count, completed_at) values ('compiled', '["SKU"]', ${records}, now())`.execute(
    db,
  )
  await sql`insert into tasks (category, name, sort_order, snapshot_id) values ('compiler', 'Shop', 1, 1)`.execute(
    db,
  )
  await sql`insert into compiler_configs (task_id) select id from tasks`.execute(db)
  await sql`insert into compiled_versions (snapshot_id, compiler_config_id, sources) select 1, id, '[]' from compiler_configs`.execute(
    db,
  )
}

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

test('0037: versions from before read their own rows, all of them, and do not know what they were merged from', async () => {
  const { db, upgrade } = await databaseBefore(37)
  await aVersion(db, 1)
  await sql`insert into snapshot_rows (snapshot_id, row_no, cells) values (1, 1, '["007"]')`.execute(db)
  await upgrade()
  const snapshot = await db.selectFrom('snapshots').select(['rows_of', 'removed']).executeTakeFirst()
  expect(snapshot).toEqual({ rows_of: null, removed: Buffer.alloc(0) })
  const version = await db.selectFrom('compiled_versions').select('source_versions').executeTakeFirst()
  expect(version).toEqual({ source_versions: [] })
  expect((await snapshotRows(db, 1, 1, 2).next()).value).toEqual([['007']])
})

test('0056: versions from before are searched as those from after', async () => {
  const { db, upgrade } = await databaseBefore(56)
  await aVersion(db, 2)
  await sql`insert into compiled_records (snapshot_id, row_no, sku, found_in, twice_in, field_sources, created_at, updated_at)
    values (1, 1, '007', '{1}', '{0}', '{1}', now(), now()), (1, 2, '008', '{1}', '{0}', '{1}', now(), now())`.execute(
    db,
  )
  await sql`insert into compiled_sku_parts (snapshot_id, part_no, skus) values (1, 0, ${'007\u0001008\u0001'})`.execute(
    db,
  )
  await upgrade()
  const { id: compiler_config_id } = await db
    .selectFrom('compiler_configs')
    .select('id')
    .executeTakeFirstOrThrow()
  const found = await findRecords(db, { compiler_config_id, sku_search: '08' })
  expect(found && rowNumbers(found.rows, { offset: 0, limit: 9 })).toEqual([2])
})
