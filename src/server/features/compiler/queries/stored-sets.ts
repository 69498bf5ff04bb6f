import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../platform/db.ts'
import type { BitSet } from '../../../snapshots/bit-sets.ts'
import { RowSet } from '../../../snapshots/row-set.ts'

const SETS_KEPT = 100

type Wanted = {
  /** Whose rows. */
  rows_of: number
  /** Under which it is found again. */
  name: string
  /** What holds for a row of compiled_records, which is called r. */
  condition: RawBuilder<boolean>
}

/** The compiled rows for which something holds: found once, by a walk over all of them, and kept with them. */
export async function storedSet(db: Db, { rows_of, name, condition }: Wanted): Promise<BitSet> {
  const known = await db
    .selectFrom('compiled_sets')
    .select('rows')
    .where('snapshot_id', '=', rows_of)
    .where('name', '=', name)
    .executeTakeFirst()
  if (known) return known.rows
  const { rows } = await sql<{ row_nos: number[] }>`
    select array(select row_no from compiled_records r where r.snapshot_id = ${rows_of} and ${condition}) as row_nos`.execute(
    db,
  )
  return keepSet(db, { rows_of, name }, rows[0]?.row_nos ?? [])
}

/** Keeps a set under its name; of many, those that were kept last. */
export async function keepSet(
  db: Db,
  { rows_of, name }: Pick<Wanted, 'rows_of' | 'name'>,
  row_nos: readonly number[],
): Promise<BitSet> {
  const last = row_nos.reduce((most, row_no) => Math.max(most, row_no), 0)
  const set = RowSet.from(row_nos, 1).bits.subarray(0, Math.ceil(last / 8))
  await db
    .insertInto('compiled_sets')
    .values({ snapshot_id: rows_of, name, rows: set })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await sql`delete from compiled_sets where snapshot_id = ${rows_of} and name in (
    select name from compiled_sets where snapshot_id = ${rows_of} order by created_at desc offset ${SETS_KEPT})`.execute(
    db,
  )
  return set
}
