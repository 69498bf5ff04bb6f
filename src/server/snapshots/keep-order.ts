import { sql } from 'kysely'
import type { Db, Trx } from '../platform/db.ts'
import { type Order, ROWS_PER_PART } from './sorted-rows.ts'

const ORDERS_KEPT = 8

/**
 * Stores the order of a snapshot's rows by a column, unless it is stored already or the snapshot is gone: 1,000,000 rows take
 * seconds, and every page after that is as quick as an unsorted one.
 */
export async function keepOrder(db: Db, order: Order): Promise<void> {
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
async function storeParts(trx: Trx, { version, column, row_count }: Order): Promise<number> {
  await sql`set local work_mem = '64MB'`.execute(trx)
  // Two numbers a row come back from the processes that sort; the planner reckons with much more.
  await sql`set local parallel_tuple_cost = 0`.execute(trx)
  // Each row is taken apart once, and here by several processes; what creates a table takes no parameters.
  await sql`
    create temp table order_values on commit drop as
    select row_no, cells -> ${sql.lit(column)} as value from snapshot_rows where snapshot_id = ${sql.lit(version)}`.execute(
    trx,
  )
  const counts = { numbers: 0, texts: 0, booleans: 0, blanks: 0 }
  let found = 0
  // The last kinds are the rarest: most columns are known before they are looked for.
  for (const kind of ['numbers', 'texts', 'blanks', 'booleans'] as const) {
    if (found === row_count) break
    counts[kind] = await sortKind(trx, kind)
    found += counts[kind]
  }
  const tables = kindsInOrder.filter((kind) => counts[kind] > 0)
  const places = tables.map((kind, index) => {
    const before = tables.slice(0, index).reduce((sum, other) => sum + counts[other], 0)
    return sql`select row_no, place + ${before}::int as place from ${sql.id(tableOf(kind))}`
  })
  await sql`
    insert into snapshot_order_parts (snapshot_id, column_no, part_no, row_nos)
    select ${version}::int, ${column}::int, place / ${ROWS_PER_PART}::int, array_agg(row_no order by place)
    from (${sql.join(places, sql` union all `)}) placed group by 3`.execute(trx)
  return found - counts.blanks
}

type Kind = 'numbers' | 'texts' | 'booleans' | 'blanks'

const kindsInOrder: readonly Kind[] = ['numbers', 'texts', 'booleans', 'blanks']

const tableOf = (kind: Kind) => `order_of_${kind}`

/**
 * Sorts the rows with a value of one kind into a table of their own, places from 0; answers how many they are. One plain key is
 * compared many times as fast as several.
 */
async function sortKind(trx: Trx, kind: Kind): Promise<number> {
  const text = sql`(value #>> '{}')`
  const type = sql`json_typeof(value)`
  const { which, key } = {
    numbers: { which: sql`${type} = 'number'`, key: sql`${text}::float8, row_no` },
    texts: {
      which: sql`${type} = 'string' and ${text} <> ''`,
      key: sql`${text} collate "und-x-icu", row_no`,
    },
    booleans: { which: sql`${type} = 'boolean'`, key: sql`${text}::boolean, row_no` },
    blanks: { which: sql`(${type} is null or ${type} = 'null' or ${text} = '')`, key: sql`row_no` },
  }[kind]
  const table = sql.id(tableOf(kind))
  await sql`
    create temp table ${table} on commit drop as
    select row_no, row_number() over (order by ${key}) - 1 as place
    from order_values where ${which}`.execute(trx)
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from ${table}`.execute(trx)
  return rows[0]?.count ?? 0
}
