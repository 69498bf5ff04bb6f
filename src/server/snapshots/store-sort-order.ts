import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import type { Db, Trx } from '../platform/db.ts'
import { type Order, ROWS_PER_PART } from './sorted-rows.ts'

/** Orders stored per snapshot; the oldest makes room. */
const MAX_ORDERS = 8
const SAMPLE_ROWS = 100
/** Below this number of rows, starting parallel workers takes longer than sorting. */
const PARALLEL_ROWS = 20_000

/** JSON types of values in sort order; blanks come last. */
const Kind = z.enum(['number', 'string', 'boolean'])
type Kind = z.infer<typeof Kind>

/** Sort key of each type. */
const keys: Record<Kind, RawBuilder<unknown>> = {
  number: sql`value::text::float8`,
  string: sql`nullif(value #>> '{}', '') collate "und-x-icu"`,
  boolean: sql`value::text::boolean`,
}

/**
 * Stores the order of a snapshot's rows by a column, unless it is stored already or the snapshot is gone. 1,000,000 rows take seconds;
 * sorted pages are then as fast as unsorted ones.
 */
export async function storeSortOrder(db: Db, order: Order): Promise<void> {
  const { version, column } = order
  await db.transaction().execute(async (trx) => {
    // A concurrent call waits here until the first one has committed, then finds the order stored.
    const { rows } = await sql`
      insert into snapshot_orders (snapshot_id, column_no, filled)
      select id, ${column}::int, 0 from snapshots where id = ${version}
      on conflict do nothing returning column_no`.execute(trx)
    if (rows.length === 0) return
    const filled = await storeParts(trx, order)
    await sql`update snapshot_orders set filled = ${filled}
      where snapshot_id = ${version} and column_no = ${column}`.execute(trx)
    await sql`
      delete from snapshot_orders where snapshot_id = ${version} and column_no in (
        select column_no from snapshot_orders where snapshot_id = ${version}
        order by created_at desc, column_no offset ${MAX_ORDERS}
      )`.execute(trx)
  })
}

/** Returns the number of rows with a value in the column. */
async function storeParts(trx: Trx, order: Order): Promise<number> {
  const { version, column, row_count } = order
  // Applies to each parallel worker.
  await sql`set local work_mem = '64MB'`.execute(trx)
  if (row_count >= PARALLEL_ROWS) await sql.raw(IN_PARALLEL).execute(trx)
  await sortIntoParts(trx, order, await likelyKind(trx, order))
  const { rows } = await sql<{ filled: number }>`select filled from order_parts limit 1`.execute(trx)
  await sql`
    insert into snapshot_order_parts (snapshot_id, column_no, part_no, row_nos)
    select ${version}::int, ${column}::int, place / ${ROWS_PER_PART}::int, row_nos from order_parts`.execute(
    trx,
  )
  return rows[0]?.filled ?? 0
}

// Stored rows have no statistics (decision 025), and reading a value costs a hundred times the planner's estimate, because its whole row
// is parsed. Without these settings the planner often uses a single process.
const IN_PARALLEL = `set local parallel_setup_cost = 0; set local parallel_tuple_cost = 0; set local cpu_tuple_cost = 1;
  set local min_parallel_table_scan_size = 0; set local min_parallel_index_scan_size = 0`

/** The most frequent type of value, judged by a sample of rows. */
async function likelyKind(trx: Trx, { version, column, row_count }: Order): Promise<Kind> {
  const step = Math.max(1, Math.floor(row_count / SAMPLE_ROWS))
  const { rows } = await sql<{ kind: string }>`
    select json_typeof(value) as kind from (
      select (select cells -> ${column}::int from snapshot_rows where snapshot_id = ${version} and row_no = sample) as value
      from generate_series(1, ${row_count}::int, ${step}::int) as sample
    ) as sampled where value #>> '{}' <> '' group by 1 order by count(*) desc limit 1`.execute(trx)
  return Kind.catch('number').parse(rows[0]?.kind)
}

/**
 * Sorts all rows into the temporary table `order_parts`. CREATE TABLE AS can use parallel workers, INSERT cannot. Each row is parsed
 * once. The key of the `likely` type is compared first, so most comparisons need one key; the block of these values is then moved
 * behind the types that sort before it.
 */
async function sortIntoParts(trx: Trx, { version, column }: Order, likely: Kind): Promise<void> {
  const before = Kind.options.slice(0, Kind.options.indexOf(likely))
  const keysInTurn = [likely, ...Kind.options.filter((kind) => kind !== likely)].map((kind) => sql.id(kind))
  const counts = (counted: readonly Kind[]) =>
    sql.join([sql`0`, ...counted.map((kind) => sql`count(${sql.id(kind)})`)], sql` + `)
  const keyColumns = Kind.options.map(
    (kind) => sql`case json_typeof(value) when ${sql.lit(kind)} then ${keys[kind]} end as ${sql.id(kind)}`,
  )
  // CREATE TABLE AS takes no parameters. `offset` keeps PostgreSQL from computing a value once per use; it must be a literal, else the
  // query is not parallel.
  await sql`
    create temp table order_parts on commit drop as
    select place, row_nos[place + 1 : place + ${sql.lit(ROWS_PER_PART)}] as row_nos, filled from (
      select row_nos, filled, generate_series(0, cardinality(row_nos) - 1, ${sql.lit(ROWS_PER_PART)}) as place from (
        select filled, found[likely + 1 : likely + before] || found[1 : likely] || found[likely + before + 1 :] as row_nos from (
          select array_agg(row_no order by ${sql.join(keysInTurn)}, row_no) as found,
            (${counts([likely])})::int as likely, (${counts(before)})::int as before, (${counts(Kind.options)})::int as filled
          from (
            select row_no, ${sql.join(keyColumns)} from (
              select row_no, cells -> ${sql.lit(column)} as value from snapshot_rows
              where snapshot_id = ${sql.lit(version)} offset '0'
            ) as taken
          ) as keyed
        ) as sorted offset '0'
      ) as ordered
    ) as placed`.execute(trx)
}
