import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import type { Db, Trx } from '../platform/db.ts'
import { type Order, ROWS_PER_PART } from './sorted-rows.ts'

const ORDERS_KEPT = 8
const SAMPLE_ROWS = 100
/** Fewer are sorted before another process has begun. */
const PARALLEL_ROWS = 20_000

/** Kinds of values by their names in JSON, in the order that they are sorted in; blanks come last. */
const Kind = z.enum(['number', 'string', 'boolean'])
type Kind = z.infer<typeof Kind>

/** What the values of a kind are sorted by. */
const keys: Record<Kind, RawBuilder<unknown>> = {
  number: sql`value::text::float8`,
  string: sql`nullif(value #>> '{}', '') collate "und-x-icu"`,
  boolean: sql`value::text::boolean`,
}

/**
 * Stores the order of a snapshot's rows by a column, unless it is stored already or the snapshot is gone: 1,000,000 rows take
 * seconds, and every page after that is as quick as an unsorted one.
 */
export async function storeSortOrder(db: Db, order: Order): Promise<void> {
  const { version, column } = order
  await db.transaction().execute(async (trx) => {
    // Whoever comes second waits here until the first has committed, and has nothing left to do.
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
        order by created_at desc, column_no offset ${ORDERS_KEPT}
      )`.execute(trx)
  })
}

/** Returns how many rows are not blank in the column. */
async function storeParts(trx: Trx, order: Order): Promise<number> {
  const { version, column, row_count } = order
  // For each process that sorts.
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

// Nothing is known of stored rows (decision 065), and a value costs a hundred times what the planner reckons, since all of its row is
// read for it: left to itself it often lets one process do everything.
const IN_PARALLEL = `set local parallel_setup_cost = 0; set local parallel_tuple_cost = 0; set local cpu_tuple_cost = 1;
  set local min_parallel_table_scan_size = 0; set local min_parallel_index_scan_size = 0`

/** The kind of most values, by a few rows spread over all. */
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
 * Sorts all rows into `order_parts`, by several processes at once: what creates a table may use them, what inserts may not. Each row
 * is taken apart once, and no row is sorted by the keys of several kinds unless it ties: the `likely` kind is compared first, its
 * values come first, and they change places as a whole with what belongs before them.
 */
async function sortIntoParts(trx: Trx, { version, column }: Order, likely: Kind): Promise<void> {
  const before = Kind.options.slice(0, Kind.options.indexOf(likely))
  const keysInTurn = [likely, ...Kind.options.filter((kind) => kind !== likely)].map((kind) => sql.id(kind))
  const counts = (counted: readonly Kind[]) =>
    sql.join([sql`0`, ...counted.map((kind) => sql`count(${sql.id(kind)})`)], sql` + `)
  const keyColumns = Kind.options.map(
    (kind) => sql`case json_typeof(value) when ${sql.lit(kind)} then ${keys[kind]} end as ${sql.id(kind)}`,
  )
  // What creates a table takes no parameters. An offset keeps PostgreSQL from computing a value wherever it is used, and one that is
  // no literal from using several processes.
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
