import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { lockWaits, type TestDatabase, testDatabase } from '../../../test/fixtures/database.ts'
import { aCopy, aSyncTask } from '../../../test/fixtures/factories.ts'
import { NASTY_TEXTS } from '../../../test/fixtures/nasty-texts.ts'
import { type Plan, planningDb } from '../../../test/fixtures/plans.ts'
import type { CellValue } from '../../contract/tables.ts'
import { prune } from '../engine/prune.ts'
import { createDb } from '../platform/db.ts'
import { storeSortOrder } from './store-sort-order.ts'

/** Enough rows to be sorted by parallel workers. */
const MANY = 25_000

let database: TestDatabase
beforeEach(async () => {
  database = await testDatabase()
})

/** A version, an hour old and unreferenced, with these rows of one column or more. */
async function versionOf(rows: CellValue[][]): Promise<number> {
  const { db } = database
  const { id } = await aCopy(db, (await aSyncTask(db)).id, ['A'], rows)
  await sql`update tasks set snapshot_id = null`.execute(db)
  await sql`update snapshots set created_at = now() - interval '1 hour'`.execute(db)
  return id
}

/** The same with MANY rows. Cells are SQL expressions of the row number `n`. */
async function manyRows(cells: string): Promise<number> {
  const version = await versionOf([])
  await sql`insert into snapshot_rows (snapshot_id, row_no, cells)
    select ${version}, n, json_build_array(${sql.raw(cells)}) from generate_series(1, ${sql.lit(MANY)}) n`.execute(
    database.db,
  )
  return version
}

/** The stored order; null if there is none. */
async function stored(snapshot_id: number, column_no = 0) {
  const order = await database.db
    .selectFrom('snapshot_orders')
    .select('filled')
    .where('snapshot_id', '=', snapshot_id)
    .where('column_no', '=', column_no)
    .executeTakeFirst()
  const parts = await database.db
    .selectFrom('snapshot_order_parts')
    .select(['part_no', 'row_nos'])
    .where('snapshot_id', '=', snapshot_id)
    .where('column_no', '=', column_no)
    .orderBy('part_no')
    .execute()
  if (order === undefined) return parts.length === 0 ? null : parts
  expect(parts.map(({ part_no }) => part_no)).toEqual(parts.map((_, n) => n))
  for (const { row_nos } of parts.slice(0, -1)) expect(row_nos).toHaveLength(1_000)
  return { filled: order.filled, rows: parts.flatMap(({ row_nos }) => row_nos) }
}

/** The expected order, sorted by the keys of all types in one process. */
async function reference(version: number, column = 0) {
  const { rows } = await sql<{ filled: number; rows: number[] }>`
    select count(*) filter (where kind < 4)::int as filled, array_agg(row_no order by kind, number, text, row_no) as rows from (
      select row_no, case when json_typeof(value) = 'number' then 1 when value #>> '{}' = '' or value #>> '{}' is null then 4
          when json_typeof(value) = 'string' then 2 else 3 end as kind,
        case when json_typeof(value) = 'number' then (value #>> '{}')::float8 end as number,
        case when json_typeof(value) in ('string', 'boolean') then nullif(value #>> '{}', '') collate "und-x-icu" end as text
      from (select row_no, cells -> ${column}::int as value from snapshot_rows where snapshot_id = ${version}) taken
    ) keyed`.execute(database.db)
  return rows[0]
}

const numbers = [1e308, -1e308, 1.7976931348623157e308, 5e-324, -5e-324, 0, 2 ** 53, 2 ** 53 + 2, 1e21, 0.1]
const texts = [
  ...NASTY_TEXTS,
  ...['\\u0000', '\\ud800', '\\ud83d', '1e999', 'é', 'E', 'e', 'É', 'a b', 'ab', 'a-b'],
  ...['x'.repeat(50_000), `${'x'.repeat(50_000)}y`, 'é'.repeat(20_000)],
]
const blanks = [null, '', null]
const booleans = [true, false, true, false]

// For each type as the likely one, whose key is compared first.
test.each([
  ['numbers', [...numbers, ...numbers, ...texts.slice(0, 9), ...booleans, ...blanks]],
  ['texts', [...texts, ...numbers, ...booleans, ...blanks]],
  ['booleans', [...Array(40).fill(booleans).flat(), ...texts.slice(0, 50), ...numbers, ...blanks]],
  ['blanks', [...Array(40).fill(blanks).flat(), 'a', true, -1, false, 'A', -2]],
  ['numbers alone', numbers],
  ['texts alone', texts],
  ['booleans alone', booleans],
  ['blanks alone', blanks],
] as [string, CellValue[]][])('a column of %s is sorted as by all keys at once', async (_, values) => {
  // Types and equal values are mixed.
  const mixed = Array.from({ length: values.length * 2 }, (_, n) => values[(n * 61) % values.length] ?? null)
  const version = await versionOf(mixed.map((value) => [value]))
  await storeSortOrder(database.db, { version, column: 0, row_count: mixed.length })
  expect(await stored(version)).toEqual(await reference(version))
})

test('numbers come first, then texts, false, true, and blanks; equal values keep the order of their rows, as 0 and -0 are', async () => {
  const cells = ['"b"', '0', 'true', '""', '-0.0', 'null', '"-1"', '-1', '"B"', 'false', '0.0', '"b"']
  const version = await versionOf([])
  for (const [n, cell] of cells.entries())
    await sql`insert into snapshot_rows values (${version}, ${n + 1}, ${`[${cell}]`})`.execute(database.db)
  // A row that is too short to have the column.
  await sql`insert into snapshot_rows values (${version}, 13, '[]')`.execute(database.db)
  await storeSortOrder(database.db, { version, column: 0, row_count: 13 })
  expect(await stored(version)).toEqual({ filled: 10, rows: [8, 2, 5, 11, 7, 1, 12, 9, 10, 3, 4, 6, 13] })
})

test('many rows are sorted by several processes as by one: two columns at the same time, whatever kinds they mix', async () => {
  const version = await manyRows(`
    case n % 7 when 0 then 'null' when 1 then to_json(n * 7919 % 997) when 2 then to_json('T' || n * 7919 % 9973)
      when 3 then to_json(n % 2 = 0) when 4 then to_json(''::text) else to_json(n / 3.0) end::json,
    case when n % 5000 = 0 then to_json(n) else to_json('SKU-' || n * 7919 % 25013) end`)
  const other = createDb({ url: database.url })
  try {
    await Promise.all(
      [database.db, other].map((db, column) => storeSortOrder(db, { version, column, row_count: MANY })),
    )
  } finally {
    await other.destroy()
  }
  for (const column of [0, 1]) expect(await stored(version, column)).toEqual(await reference(version, column))
})

test('a version without rows has an order without parts', async () => {
  const version = await versionOf([])
  await storeSortOrder(database.db, { version, column: 0, row_count: 0 })
  expect(await stored(version)).toEqual({ filled: 0, rows: [] })
})

test('a version of 10,000 columns is sorted by its last one', async () => {
  const version = await versionOf(
    Array.from({ length: 5 }, (_, row) => Array.from({ length: 10_000 }, (_, n) => (n * (5 - row)) % 9_973)),
  )
  await storeSortOrder(database.db, { version, column: 9_999, row_count: 5 })
  expect(await stored(version, 9_999)).toEqual(await reference(version, 9_999))
})

test('no order is stored for a deleted version', async () => {
  const version = await versionOf([[1]])
  await database.db.deleteFrom('snapshots').where('id', '=', version).execute()
  await storeSortOrder(database.db, { version, column: 0, row_count: 1 })
  expect(await stored(version)).toBe(null)
})

/** Sorts a version on a separate connection and pauses it between sorting and storing. Returns the result of continuing. */
async function heldUp(version: number, whileHeld: (pid: number) => Promise<void>): Promise<string> {
  const sorter = createDb({ url: database.url })
  const holding = await database.db.startTransaction().execute()
  try {
    await sql`lock table snapshot_order_parts in share mode`.execute(holding)
    const ended = storeSortOrder(sorter, { version, column: 0, row_count: MANY }).then(
      () => 'stored',
      (error: Error) => error.message,
    )
    await expect.poll(() => lockWaits(database.db)).toBe(1)
    const { rows } = await sql<{ pid: number }>`select pid from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(database.db)
    await whileHeld(rows[0]?.pid ?? 0)
    await holding.commit().execute()
    return await ended
  } finally {
    if (!holding.isCommitted) await holding.rollback().execute()
    await sorter.destroy()
  }
}

const DESCENDING = `${MANY} - n`

test.each([
  ['is cancelled', 'pg_cancel_backend', /canceling statement/],
  ['loses its connection', 'pg_terminate_backend', /terminat/],
])('a sort that %s leaves nothing behind, and the next one starts over', async (_, end, error) => {
  const { db } = database
  const version = await manyRows(DESCENDING)
  const ended = await heldUp(version, async (pid) => {
    await sql`select ${sql.raw(end)}(${pid}::int)`.execute(db)
    await expect.poll(() => lockWaits(db)).toBe(0)
  })
  expect(ended).toMatch(error)
  expect(await stored(version)).toBe(null)
  await expect
    .poll(async () => (await sql`select from pg_class where relpersistence = 't'`.execute(db)).rows)
    .toEqual([])
  await storeSortOrder(db, { version, column: 0, row_count: MANY })
  expect(await stored(version)).toEqual(await reference(version))
})

test('a request for an order that another process is storing waits for it and stores none', async () => {
  const version = await manyRows(DESCENDING)
  const second = createDb({ url: database.url })
  try {
    let waiting: Promise<void> = Promise.resolve()
    const first = await heldUp(version, async () => {
      waiting = storeSortOrder(second, { version, column: 0, row_count: MANY })
      await expect.poll(() => lockWaits(database.db)).toBe(2)
    })
    expect(first).toBe('stored')
    await waiting
    expect(await stored(version)).toEqual(await reference(version))
  } finally {
    await second.destroy()
  }
})

test('a version is not pruned while it is being sorted, even if it is no longer used', async () => {
  const { db } = database
  const version = await manyRows(DESCENDING)
  await sql`update snapshots set pinned_until = now() - interval '1 hour'`.execute(db)
  expect(await heldUp(version, () => prune(db, 90))).toBe('stored')
  expect(await stored(version)).toEqual(await reference(version))
  await prune(db, 90)
  expect(await stored(version)).toBe(null)
})

describe('many rows are sorted by several processes, whatever the database knows of the table:', () => {
  test.each([
    ['nothing', 'reltuples = -1, relpages = 0'],
    ['that it is empty', 'reltuples = 0, relpages = 1'],
    ['that hardly a row is left in it', 'reltuples = 1, relpages = 100000'],
    ['more rows than there are', 'reltuples = 1e9, relpages = 1'],
  ])('%s', async (_, known) => {
    const version = await manyRows(DESCENDING)
    await database.asAdmin(`update pg_class set ${known} where relname = 'snapshot_rows'`)
    const plans: string[][] = []
    const db = planningDb(database.url, /create temp table/, ({ plan }) => plans.push([...nodes(plan)]))
    try {
      await storeSortOrder(db, { version, column: 0, row_count: MANY })
    } finally {
      await db.destroy()
    }
    expect(plans).toEqual([expect.arrayContaining([expect.stringMatching(/^Gather/)])])
  })
})

function* nodes(plan: Plan): Generator<string> {
  yield plan['Node Type']
  for (const below of plan.Plans ?? []) yield* nodes(below)
}
