import { sql } from 'kysely'
import type { Db, Trx } from '../../../engine/types.ts'
import { readCopy } from '../queries/data-copy.ts'
import { placed, ROWS_PER_PART } from '../queries/sorted-rows.ts'

// So many rows are sorted in less time than a person notices.
const SORTED_EACH_TIME = 20_000
const ORDERS_KEPT = 8

/**
 * Stores the order of a task's copied rows by a column before the first page of it is read, where there are too many of
 * them to sort for every page: 1,000,000 rows take seconds, once. Columns that are not there are left to the reading.
 */
export async function keepOrder(db: Db, taskId: number, column_name: string | undefined): Promise<void> {
  if (column_name === undefined) return
  const { version, names, row_count } = await readCopy(db, taskId)
  const column_no = names.indexOf(column_name)
  if (version === null || column_no < 0 || row_count <= SORTED_EACH_TIME) return
  await db.transaction().execute((trx) => store(trx, version, column_no))
}

async function store(trx: Trx, snapshotId: number, column: number): Promise<void> {
  // Whoever comes second waits here until the first has committed, and has nothing left to do.
  const { rows } = await sql`
    insert into snapshot_orders (snapshot_id, column_no, filled)
    select id, ${column}::int, 0 from snapshots where id = ${snapshotId}
    on conflict do nothing returning column_no`.execute(trx)
  if (rows.length === 0) return
  await sql`set local work_mem = '128MB'`.execute(trx)
  await sql`
    with sorted as materialized (${placed(snapshotId, column, 'asc')}),
    parts as (
      insert into snapshot_order_parts (snapshot_id, column_no, part_no, row_nos)
      select ${snapshotId}::int, ${column}::int, (place - 1) / ${ROWS_PER_PART}::int, array_agg(row_no order by place)
      from sorted group by 3
    )
    update snapshot_orders set filled = (select count(*) from sorted where not blank)
    where snapshot_id = ${snapshotId} and column_no = ${column}`.execute(trx)
  await sql`
    delete from snapshot_orders where snapshot_id = ${snapshotId} and column_no in (
      select column_no from snapshot_orders where snapshot_id = ${snapshotId}
      order by created_at desc, column_no offset ${ORDERS_KEPT}
    )`.execute(trx)
}
