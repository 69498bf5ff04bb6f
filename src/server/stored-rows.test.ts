import { globSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Kysely, sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { aPlan, nothing } from '../../test/fixtures/copy-plans.ts'
import { type TestDatabase, testDatabase } from '../../test/fixtures/database.ts'
import { aConfig, aRun, aSourceTask, aSyncTask, aUser } from '../../test/fixtures/factories.ts'
import { type Planned, planningDb, problems } from '../../test/fixtures/plans.ts'
import type { CompiledDataQuery } from '../contract/compiler/records.ts'
import { prune } from './engine/prune.ts'
import { removeRecord } from './features/compiler/commands/remove.ts'
import { readCells } from './features/compiler/queries/override-cells.ts'
import { readQuality } from './features/compiler/queries/quality.ts'
import { readRecord } from './features/compiler/queries/record.ts'
import { readRecords } from './features/compiler/queries/records.ts'
import { readUnmatched } from './features/compiler/queries/unmatched.ts'
import { readCompiled } from './features/compiler/queries/version.ts'
import { readPlanRows } from './features/plans/queries/rows.ts'
import type { Database } from './platform/schema.ts'
import { firstRecords } from './run-handlers/compile/preview.ts'
import { planCompile } from './run-handlers/compile/rules/plan.ts'
import { readCheckLists } from './run-handlers/compile/storage/check-lists.ts'
import { GatheredRows } from './run-handlers/compile/storage/gathered-rows.ts'
import { PartitionedSpillFile } from './run-handlers/compile/storage/partitioned-spill-file.ts'
import { copyUnchangedRecords } from './run-handlers/compile/storage/previous-records.ts'
import {
  previousQuery,
  READ_BY_KEY,
  sourceQueries,
  unchangedQuery,
} from './run-handlers/compile/storage/row-queries.ts'
import { Totals } from './run-handlers/compile/totals.ts'
import { TableFormats } from './snapshots/column-format.ts'
import { RECORDS_IN_BLOCK, rowsOfSourceRow } from './snapshots/record-blocks.ts'
import { RowSet } from './snapshots/row-set.ts'
import {
  countRowsNotIn,
  dropSnapshot,
  fillFrom,
  measureSnapshots,
  replaceRows,
  snapshotRows,
  takeRows,
  textsByNumber,
  textsOfRows,
} from './snapshots/snapshot.ts'
import { storeSortOrder } from './snapshots/store-sort-order.ts'
import { readDataPage } from './tasks/run/stored-rows.ts'

const STORED = /\b(?:snapshot_rows|snapshot_order_parts|compiled_blocks)\b/
const USE =
  /(?:from|into|join|using|update|copy) (?:snapshot_rows|snapshot_order_parts|compiled_blocks)\b|(?:From|Into|Join|Table)\('(?:snapshot_rows|snapshot_order_parts|compiled_blocks)'\)/g

/** How often each file names the tables of stored rows in a statement. A new statement must also be added to `all` below. */
const uses = {
  'features/compiler/queries/override-cells.ts': 2,
  'features/compiler/queries/sku-parts.ts': 2,
  'features/compiler/queries/record.ts': 1,
  'features/plans/queries/rows.ts': 2,
  'run-handlers/compile/storage/check-lists.ts': 1,
  'run-handlers/compile/storage/preview-rows.ts': 2,
  'run-handlers/compile/storage/previous-records.ts': 2,
  'run-handlers/compile/storage/row-queries.ts': 3,
  'run-handlers/compile/storage/record-writer.ts': 1,
  'snapshots/store-sort-order.ts': 3,
  'run-handlers/copy/split/tab-snapshot.ts': 2,
  'snapshots/pages.ts': 2,
  'snapshots/record-blocks.ts': 7,
  'snapshots/found-rows.ts': 2,
  'snapshots/snapshot.ts': 12,
  'snapshots/snapshot-writer.ts': 1,
  'snapshots/sorted-rows.ts': 1,
}
/** The number of statements includes those of pruning for two tables; the writer's COPY has no plan. */
const STATEMENTS = 33
const [NUMBERED, SNAPSHOTS] = [2_000, 40]

let database: TestDatabase
let task = 0
beforeAll(async () => {
  database = await testDatabase()
  task = (await aSyncTask(database.db)).id
  for (const table of ['snapshot_rows', 'snapshot_order_parts', 'compiled_blocks'])
    await sql`alter table ${sql.table(table)} set (autovacuum_enabled = false)`.execute(database.db)
})

test('the plans of all statements on stored rows are checked', () => {
  const folder = import.meta.dirname
  const files = globSync('**/*.ts', { cwd: folder, exclude: (name) => name.endsWith('.test.ts') })
  const found = files.flatMap((file) => {
    const text = readFileSync(join(folder, file), 'utf8')
    const count = [...text.matchAll(USE)].length
    return count > 0 ? [[file, count] as const] : []
  })
  expect(Object.fromEntries(found)).toEqual(uses)
})

// In sequence, so that each sees the table as the previous ones left it.
describe('statements on stored rows follow the primary key, whatever the database knows of the table:', () => {
  test('nothing, and the rows have just come', async () => {
    await fill()
    await expectKeysOnly()
  })

  test('what it was when it was empty', async () => {
    await sql`truncate snapshot_rows, snapshot_orders, snapshot_order_parts`.execute(database.db)
    await sql`analyze snapshot_rows, snapshot_order_parts`.execute(database.db)
    await fill()
    await expectKeysOnly()
  })

  test('what it was when it held five rows of the one copy that is asked for', async () => {
    await sql`delete from snapshot_rows where snapshot_id <> ${await current()} or row_no > 5`.execute(
      database.db,
    )
    await sql`vacuum analyze snapshot_rows, snapshot_order_parts`.execute(database.db)
    await fill()
    await expectKeysOnly()
  })

  test('what it is', async () => {
    await sql`vacuum analyze snapshot_rows, snapshot_order_parts`.execute(database.db)
    await expectKeysOnly()
    expect(await known()).toEqual([])
  })

  test.each([1, 1_000_000_000])('a number of rows that is not true: %i', async (count) => {
    await database.asAdmin(`update pg_class set reltuples = ${count} where relname = 'snapshot_rows'`)
    await expectKeysOnly()
  })
})

test('the migration deletes the statistics of stored rows, and no row', async () => {
  const { db } = database
  for (const [table, column] of [
    ['snapshot_rows', 'snapshot_id'],
    ['snapshot_rows', 'cells'],
    ['snapshot_order_parts', 'snapshot_id'],
  ] as const)
    await sql`alter table ${sql.table(table)} alter column ${sql.id(column)} set statistics -1`.execute(db)
  await sql`analyze snapshot_rows, snapshot_order_parts`.execute(db)
  expect(await known()).not.toEqual([])
  const rows = () => db.selectFrom('snapshot_rows').select(sql<string>`count(*)`.as('count')).execute()
  const before = await rows()
  const migration = readFileSync(
    join(import.meta.dirname, '../../sql/0015_stored_rows_without_statistics.sql'),
    'utf8',
  )
  await sql.raw(migration).execute(db)
  await sql`analyze snapshot_rows, snapshot_order_parts`.execute(db)
  expect(await known()).toEqual([])
  expect(await rows()).toEqual(before)
})

/** Columns of stored rows that have statistics. */
async function known(): Promise<unknown[]> {
  const { rows } = await sql`
    select attname from pg_stats where tablename in ('snapshot_rows', 'snapshot_order_parts')`.execute(
    database.db,
  )
  return rows
}

const current = async () => {
  const { snapshot_id } = await database.db
    .selectFrom('tasks')
    .select('snapshot_id')
    .where('id', '=', task)
    .executeTakeFirstOrThrow()
  return snapshot_id ?? 0
}

/** Adds a copy to the task, and so many rows to the table that a sequential scan is never right. */
async function fill(): Promise<void> {
  const { db } = database
  for (let n = 0; n < SNAPSHOTS; n += 1) {
    const { id } = await db
      .insertInto('snapshots')
      .values({
        task_id: task,
        kind: 'copy',
        row_count: NUMBERED,
        columns: JSON.stringify(['A', 'B']),
        completed_at: new Date(),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await sql`
      insert into snapshot_rows (snapshot_id, row_no, cells)
      select ${id}::int, n, jsonb_build_array(n, 'Bolt ' || n) from generate_series(1, ${NUMBERED}::int) n
      on conflict do nothing`.execute(db)
    // A part is about as large as one of a thousand rows.
    await sql`
      with ordered as (
        insert into snapshot_orders (snapshot_id, column_no, filled) values (${id}, 1, ${NUMBERED}) returning *
      )
      insert into snapshot_order_parts (snapshot_id, column_no, part_no, row_nos)
      select ${id}::int, 1, part, array(select n + part from generate_series(1, 300) n)
      from generate_series(1, 50) part where exists (select from ordered)`.execute(db)
    await db.updateTable('tasks').set({ snapshot_id: id }).where('id', '=', task).execute()
  }
}

async function expectKeysOnly(): Promise<void> {
  const planned: Planned[] = []
  const db = planningDb(database.url, STORED, (one) => planned.push(one))
  try {
    await all(db, await current())
  } finally {
    await db.destroy()
  }
  const texts = new Set(planned.map(({ text }) => text.replace(/snapshot_id = \d+ and .*$/g, '')))
  expect(texts.size).toBeGreaterThanOrEqual(STATEMENTS)
  for (const { text, plan } of planned) expect(problems(plan, STORED), text).toEqual([])
}

/** Every operation on stored rows. */
async function all(db: Kysely<Database>, id: number): Promise<void> {
  for await (const rows of snapshotRows(db, id, 1, 500)) expect(rows).toHaveLength(499)
  expect((await textsByNumber(db, id, [3, 4, 1_999])).get(1_999)).toContain('"Bolt 1999"')
  expect((await textsOfRows(db, id, [1_999, 4])).get(4)).toContain('"Bolt 4"')
  await db.updateTable('snapshots').set({ bytes: null }).where('id', '=', id).execute()
  await measureSnapshots(db, [id])
  await plan(db, id)
  const other = await db
    .insertInto('snapshots')
    .values({ kind: 'before', created_at: sql`now() - interval '1 hour'` })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db.transaction().execute(async (trx) => {
    const present = RowSet.from(Array.from({ length: 900 }, (_, n) => n * 2 + 2))
    await fillFrom(trx, { into: other.id, other: id, last: 1_900, present })
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from snapshot_rows where snapshot_id = ${other.id}`.execute(trx)
    expect(rows).toEqual([{ count: 1_000 }])
    expect(await countRowsNotIn(trx, { id, row_count: 1_900 }, { id: other.id, row_count: 1_900 })).toBe(900)
    await dropSnapshot(trx, other.id)
    await takeRows(trx, id, other.id, 1_000)
    await replaceRows(trx, other.id, { id, row_count: 1_000, hash: null })
    await dropSnapshot(trx, other.id)
  })
  await compile(db, id)
  const query = { offset: 1_000, limit: 500, order: 'asc' as const }
  const page = (sort: object) =>
    readDataPage(db, { category: 'sync', id: task }, { ...query, ...sort }, new AbortController().signal)
  expect(await page({})).toMatchObject({ data: { length: 500 } })
  // For few rows, and for so many that PostgreSQL uses parallel workers.
  for (const row_count of [NUMBERED, 1_000_000]) {
    await db.deleteFrom('snapshot_orders').where('column_no', '=', 0).execute()
    await storeSortOrder(db, { version: id, column: 0, row_count })
  }
  expect(await page({ sort: 'A' })).toMatchObject({ data: { length: 500, 0: { A: 1_001 } } })
  expect(await page({ search: 'bolt 19', offset: 0 })).toMatchObject({ data: { length: 111 } })
  expect(await page({ search: 'bolt 19', offset: 0, sort: 'A' })).toMatchObject({ data: { length: 111 } })
  await db.insertInto('snapshot_rows').values({ snapshot_id: 999_999, row_no: 1, cells: '[1]' }).execute()
  await prune(db, 90)
}

/** Reads the rows of a plan that changes every row into itself. */
async function plan(db: Kysely<Database>, id: number): Promise<void> {
  const run = await aRun(db, task)
  const summary = JSON.stringify({ ...nothing, rows: { ...nothing.rows, changed: NUMBERED } })
  await aPlan(db, { id: run.id, task_id: task }, { summary })
  const { id: plan_id, hash } = await db
    .updateTable('plans')
    .set({ former_snapshot_id: id, wanted_snapshot_id: id })
    .where('run_id', '=', run.id)
    .returning(['id', 'hash'])
    .executeTakeFirstOrThrow()
  await sql`
    insert into plan_rows (plan_id, position, kind, old_row, new_row, cells)
    select ${plan_id}::int, n, 'changed', n, n, 1 from generate_series(1, ${NUMBERED}::int) n`.execute(db)
  const rows = (query: object) => readPlanRows(db, hash, { after: 0, limit: 100, ...query })
  expect(await rows({})).toMatchObject({ total: NUMBERED, rows: { length: 100 } })
  expect(await rows({ search: 'BOLT 19', kind: 'changed' })).toMatchObject({ total: 111 })
  await db.deleteFrom('runs').where('id', '=', run.id).execute()
}

/** Compiles the rows with themselves, twice, and reads the records. */
async function compile(db: Kysely<Database>, id: number): Promise<void> {
  const config = await aConfig(db)
  const { id: into } = await db
    .insertInto('snapshots')
    .values({ kind: 'compiled', columns: '["SKU","B"]', row_count: NUMBERED, completed_at: new Date() })
    .returning('id')
    .executeTakeFirstOrThrow()
  const source = {
    ...{ name: 'Bolts', snapshot_id: id, columns: ['SKU', 'B'], formats: new TableFormats([]) },
    ...{ row_count: NUMBERED, sku_mappings: {} },
  }
  const settings = {
    required_fields: [],
    field_groups: [],
    field_priorities: [],
    column_names: [],
    field_checks: [],
    field_rules: [],
  }
  const listed = await aSourceTask(db)
  await db.updateTable('tasks').set({ snapshot_id: id }).where('id', '=', listed.id).execute()
  const check = { kind: 'one_of_column', field: 'B', severity: 'error', keep_out: 'none' } as const
  await readCheckLists(db, [{ ...check, source_task_id: listed.id, column: 'B' }])
  const versions = [1, 2].map((task_id) => ({ ...source, task_id }))
  const plan = planCompile(versions, settings)
  await db
    .insertInto('compiled_versions')
    .values({ snapshot_id: into, compiler_config_id: config.id, sources: JSON.stringify(plan.numbered) })
    .execute()
  const kept = {
    ...{ version_id: into, snapshot_id: into, merged_from: null, without_sku: [] },
    ...{ removed: Buffer.alloc(0), records: NUMBERED, fields: ['B'], numbered: plan.numbered },
  }
  await db.transaction().execute(async (trx) => {
    expect(await firstRecords(trx, plan, tmpdir())).toMatchObject({ length: 20, 19: { sku: '20' } })
    await sql.raw(READ_BY_KEY).execute(trx)
    const gathered = new GatheredRows(plan, new PartitionedSpillFile(tmpdir()))
    const sources = plan.sources.flatMap((one, n) => sourceQueries(one, n, gathered))
    // They are read by COPY, whose plan cannot be inspected.
    for (const { query } of [
      ...sources,
      unchangedQuery(kept, gathered),
      previousQuery(kept, gathered, { same_fields: true, with_cells: true }),
    ])
      await sql.raw(query).execute(trx)
    await sql`
      insert into compiled_blocks (snapshot_id, first_row, skus, ends, cells, found, field_sources, source_rows, times, before_rows)
      select ${into}, (n - 1) / ${RECORDS_IN_BLOCK} * ${RECORDS_IN_BLOCK} + 1, array_agg(n::text order by n), array_agg(10 * (1 + (n - 1) % ${RECORDS_IN_BLOCK}) order by n),
        string_agg(convert_to(rpad('["' || n || '",1]', 10), 'UTF8'), '' order by n), decode(repeat('01', 2 * count(*)::int), 'hex'),
        decode(repeat('01', count(*)::int), 'hex'), '', decode(repeat('00', 16 * count(*)::int), 'hex'), string_agg(int4send(n), '' order by n)
      from generate_series(1, ${NUMBERED}) n group by 2`.execute(trx)
    await copyUnchangedRecords(trx, kept, 0)
    await Totals.after(trx, kept, [])
    await sql`delete from compiled_blocks where snapshot_id = 0`.execute(trx)
  })
  await db.updateTable('tasks').set({ snapshot_id: into }).where('id', '=', config.task_id).execute()
  const query = { compiler_config_id: config.id, limit: 20, offset: 0 }
  const page = async (filters: Partial<CompiledDataQuery>) => {
    const { fields, items } = await readRecords(db, { ...query, ...filters })
    for await (const batch of items) expect(batch.length).toBeLessThanOrEqual(20)
    return fields.total_count
  }
  expect(await page({})).toBe(NUMBERED)
  expect(await page({ sku_search: '199' })).toBe(12)
  expect(await page({ not_in_master: 'true' })).toBe(NUMBERED)
  const unmatched = await readUnmatched(db, query)
  expect(unmatched).toMatchObject({ total_count: NUMBERED, data: { length: 20 } })
  expect(await page({ blank_field: 'B', filled_by: 1, field: 'B' })).toBe(0)
  await db.updateTable('tasks').set({ before_snapshot_id: into }).where('id', '=', config.task_id).execute()
  expect(await page({ change: 'gone' })).toBe(0)
  await db
    .updateTable('compiled_versions')
    .set({ changed_rows: Buffer.alloc(NUMBERED / 8, 0xff) })
    .where('snapshot_id', '=', into)
    .execute()
  expect(await readQuality(db, config.id)).toMatchObject({
    since_last: { changed: NUMBERED, moves_of: NUMBERED },
  })
  expect(await rowsOfSourceRow(db, into, { number: 1, row_no: 5 })).toEqual([])
  const one = { compiler_config_id: config.id, sku: '199' }
  expect(await readRecord(db, one)).toMatchObject({ record: { sku: '199' } })
  const version = await readCompiled(db, config.id)
  expect(version && (await readCells(db, version, [{ sku: '199', field: 0 }]))).toMatchObject([{ value: 1 }])
  await removeRecord(db, await aUser(db), one)
  expect(await page({})).toBe(NUMBERED - 1)
}
