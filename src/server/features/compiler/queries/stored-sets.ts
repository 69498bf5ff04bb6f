import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../platform/db.ts'
import type { BitSet } from '../../../snapshots/bit-sets.ts'
import type { CompiledVersion } from './version.ts'

const SETS_KEPT = 100

type Of = Pick<CompiledVersion, 'rows_of' | 'stored_rows'>

/** Reads a stored set of compiled rows by name; null if it is missing. */
export async function knownSet(db: Db, { rows_of }: Of, name: string): Promise<BitSet | null> {
  const known = await db
    .selectFrom('compiled_sets')
    .select('rows')
    .where('snapshot_id', '=', rows_of)
    .where('name', '=', name)
    .executeTakeFirst()
  return known?.rows ?? null
}

/** Reads a stored set, or computes and stores it. */
export async function storedSet(
  db: Db,
  version: Of,
  { name, find }: { name: string; find: () => Promise<BitSet> },
): Promise<BitSet> {
  return (await knownSet(db, version, name)) ?? storeSet(db, version, { name, rows: await find() })
}

/** Stores a set under a name and evicts the oldest sets beyond the limit. */
export async function storeSet(
  db: Db,
  { rows_of }: Of,
  { name, rows }: { name: string; rows: BitSet },
): Promise<BitSet> {
  await db
    .insertInto('compiled_sets')
    .values({ snapshot_id: rows_of, name, rows: Buffer.from(rows) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await sql`delete from compiled_sets where snapshot_id = ${rows_of} and name in (
    select name from compiled_sets where snapshot_id = ${rows_of} order by created_at desc offset ${SETS_KEPT})`.execute(
    db,
  )
  return rows
}

/** Builds the set of the row numbers of a query inside the database, since there may be millions. */
export const setOf = ({ stored_rows }: Of, row_nos: RawBuilder<unknown>): RawBuilder<unknown> => sql`(
  select coalesce(decode(string_agg(lpad(to_hex(bits), 2, '0'), '' order by byte_no), 'hex'), '') from (
    select byte_no, bit_or(bits) as bits from (
      select byte_no, 0 as bits from generate_series(0, ${Math.ceil(stored_rows / 8) - 1}::int) as bytes (byte_no)
      union all
      select (row_no - 1) / 8, 1 << ((row_no - 1) % 8) from (${row_nos}) as found (row_no)
    ) each_row group by byte_no
  ) each_byte)`
