import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { databaseBefore } from '../../../../test/fixtures/earlier-database.ts'
import type { Db } from '../../platform/db.ts'
import { countRows } from '../../snapshots/bit-sets.ts'
import { recordsAt } from '../../snapshots/record-blocks.ts'
import { snapshotRows } from '../../snapshots/snapshot.ts'
import { findRecords } from './queries/find-rows.ts'
import { readQuality } from './queries/quality.ts'
import { readRecord } from './queries/record.ts'

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

test('0035: older configurations and records have no merge settings and no source rows', async () => {
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
  const { rows } = await sql`select sku, source_rows from compiled_records`.execute(db)
  expect(rows).toEqual([{ sku: '007', source_rows: [] }])
})

test('0037: older versions read all of their own rows and have no merge origin', async () => {
  const { db, upgrade } = await databaseBefore(37)
  await aVersion(db, 1)
  await sql`insert into snapshot_rows (snapshot_id, row_no, cells) values (1, 1, '["007"]')`.execute(db)
  await upgrade()
  const snapshot = await db.selectFrom('snapshots').select(['rows_of', 'removed']).executeTakeFirst()
  expect(snapshot).toEqual({ rows_of: null, removed: Buffer.alloc(0) })
  const version = await db.selectFrom('compiled_versions').select('source_versions').executeTakeFirst()
  expect(version).toEqual({ source_versions: [] })
  const rows = await db.selectFrom('snapshot_rows').select('cells').where('snapshot_id', '=', 1).execute()
  expect(rows).toEqual([{ cells: ['007'] }])
})

test('0056: older versions are searched like newer ones', async () => {
  const { db, upgrade } = await databaseBefore(56)
  await sql`insert into compiled_sku_parts (snapshot_id, part_no, skus) values (1, 0, ${'007\u0001008\u0001'})`.execute(
    db,
  )
  await upgrade()
  // Written by the first search.
  expect(await db.selectFrom('compiled_sku_texts').selectAll().execute()).toEqual([])
})

test('0060: older records and versions have no hash and no rows without a SKU', async () => {
  const { db, upgrade } = await databaseBefore(60)
  await aVersion(db, 1)
  await sql`insert into compiled_records (snapshot_id, row_no, sku, found_in, twice_in, field_sources, created_at, updated_at)
    values (1, 1, '007', '{1}', '{0}', '{1}', now(), now())`.execute(db)
  await upgrade()
  const { rows } = await sql`select sku, fingerprint from compiled_records`.execute(db)
  expect(rows).toEqual([{ sku: '007', fingerprint: null }])
  expect(await db.selectFrom('compiled_versions').select(['merged_from', 'without_sku']).execute()).toEqual([
    { merged_from: null, without_sku: [] },
  ])
})

const RECORDS = 150
const BEGAN = '2026-03-01T08:00:00.000Z'
const EARLIER = '2026-01-01T08:00:00.123Z'

/**
 * A configuration that was compiled twice, of 33 sources of which the last one has each third SKU, twice each ninth: of the version
 * before, number 1, the SKUs 1 to 150, of the current one, number 3, which shares the rows of number 2, the SKUs 3 to 152; a person
 * has removed 5. Each second record has changed.
 */
async function twoVersions(db: Db): Promise<number> {
  const sources = JSON.stringify(
    Array.from({ length: 33 }, (_, n) => ({ task_id: n + 1, name: `Source ${n + 1}` })),
  )
  const removed = Buffer.alloc(1, 0b100)
  await sql`insert into snapshots (kind, columns, header, row_count, created_at, completed_at, rows_of, removed) values
    ('compiled', '["SKU","Größe"]', '["SKU","Größe"]', ${RECORDS}, ${EARLIER}, now(), null, ''),
    ('compiled', '["SKU","Größe"]', '["SKU","Größe"]', ${RECORDS}, ${BEGAN}, now(), null, ''),
    ('compiled', '["SKU","Größe"]', '["SKU","Größe"]', ${RECORDS - 1}, ${BEGAN}, now(), 2, ${removed})`.execute(
    db,
  )
  await sql`insert into tasks (category, name, sort_order, snapshot_id, before_snapshot_id) values ('compiler', 'Shop', 1, 3, 1)`.execute(
    db,
  )
  await sql`insert into compiler_configs (task_id) select id from tasks`.execute(db)
  await sql`insert into compiled_versions (snapshot_id, compiler_config_id, sources, added, changed, gone)
    select n, id, ${sources}, 2, 74, 2 from compiler_configs, generate_series(1, 3) n`.execute(db)
  await sql`insert into snapshot_rows (snapshot_id, row_no, cells)
    select v, n, jsonb_build_array('S-' || n + 2 * (v - 1), case when n % 5 = 0 then null else n * v + 0.50 end)
    from generate_series(1, 2) v, generate_series(1, ${RECORDS}::int) n`.execute(db)
  await sql`insert into compiled_records (snapshot_id, row_no, sku, found_in, twice_in, field_sources, source_rows, created_at, updated_at)
    select v, n, 'S-' || n + 2 * (v - 1), array[1, case when n % 3 = 0 then 4 else 0 end], array[0, case when n % 9 = 0 then 4 else 0 end],
      array[case when n % 5 = 0 then 0 else 33 end], array[n] || array_fill(0, array[31]) || array[n * 2],
      case when v = 2 and n > ${RECORDS - 2} then ${BEGAN}::timestamptz else ${EARLIER}::timestamptz end,
      case when v = 2 and n % 2 = 0 then ${BEGAN}::timestamptz else ${EARLIER}::timestamptz end
    from generate_series(1, 2) v, generate_series(1, ${RECORDS}::int) n where not (v = 2 and n = 3)`.execute(
    db,
  )
  const { rows } = await sql<{ id: number }>`select id from compiler_configs`.execute(db)
  return rows[0]?.id ?? 0
}

test('0063: older records are unchanged with all their details, in whatever partition', async () => {
  const { db, upgradeAll } = await databaseBefore(63)
  const compiler_config_id = await twoVersions(db)
  await upgradeAll()
  const skus = Array.from({ length: RECORDS }, (_, n) => `S-${n + 3}`).filter((sku) => sku !== 'S-5')
  for await (const rows of snapshotRows(db, 3, 1, RECORDS)) expect(rows.map(([sku]) => sku)).toEqual(skus)
  const blocks = await db
    .selectFrom('compiled_blocks')
    .select(['snapshot_id', 'first_row', 'hashes'])
    .execute()
  expect(blocks).toHaveLength(6)
  expect(new Set(blocks.map(({ hashes }) => hashes))).toEqual(new Set([null]))
  const [first, other] = await recordsAt(db, 2, [63, 70])
  expect(first).toEqual({
    ...{
      row_no: 63,
      sku: 'S-65',
      cells: ['S-65', 126.5],
      source_rows: [63, ...Array(31).fill(0), 126],
      before_row: 65,
    },
    ...{ found: Uint8Array.of(1, ...Array(31).fill(0), 2), field_sources: Uint8Array.of(33) },
    ...{ created_at: new Date(EARLIER), updated_at: new Date(EARLIER) },
  })
  expect(other).toMatchObject({ sku: 'S-72', cells: ['S-72', null], updated_at: new Date(BEGAN) })
  const count = async (filters: object) => {
    const found = await findRecords(db, { compiler_config_id, ...filters })
    return found ? countRows(found.rows) : 0
  }
  expect(await count({})).toBe(RECORDS - 1)
  expect(await count({ change: 'added' })).toBe(2)
  expect(await count({ change: 'changed' })).toBe(74)
  expect(await count({ change: 'gone' })).toBe(3)
  expect(await count({ blank_field: 'Größe' })).toBe(30)
  expect(await count({ sku_search: 's-15' })).toBe(4)
  const { since_last } = await readQuality(db, compiler_config_id)
  expect(since_last).toMatchObject({ added: 2, changed: 74, gone: 3, moves_of: 74 })
  expect(since_last?.moves).toHaveLength(3)
  expect(await readRecord(db, { compiler_config_id, sku: 'S-65' })).toMatchObject({
    record: { source_count: 2 },
  })
  await expect(readRecord(db, { compiler_config_id, sku: 'S-5' })).rejects.toThrow(/no compiled record/)
})
