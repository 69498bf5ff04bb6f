import { sql } from 'kysely'
import type { Db } from '../../../platform/db.ts'
import { type BitSet, hasRow } from '../../../snapshots/bit-sets.ts'
import type { CompiledVersion } from './version.ts'

/** Findings of a compile about records; one set of rows is stored for each. */
export const FLAGS = ['has_blanks', 'has_errors', 'is_duplicate'] as const
type Flag = (typeof FLAGS)[number]

/** The flags of one record, and the numbers of the checks that it fails. */
export type RecordFlags = Record<Flag, boolean> & { failed_checks: number[] }

type Sets = Record<Flag, Buffer>
type Of = Pick<CompiledVersion, 'snapshot_id'>

/** Reads the set of rows for each flag. */
export async function flagSets(
  db: Db,
  { snapshot_id }: Of,
  flags: readonly Flag[],
): Promise<{ flag: Flag; set: BitSet }[]> {
  if (flags.length === 0) return []
  const { rows } = await sql<Sets>`
    select ${sql.join(flags.map((flag) => sql.ref(flag)))} from compiled_versions where snapshot_id = ${snapshot_id}`.execute(
    db,
  )
  return flags.map((flag) => ({ flag, set: rows[0]?.[flag] ?? Buffer.alloc(0) }))
}

/** Reads the rows that a compile added or changed, or the rows of the previous version that it removed. */
export async function versionSet(
  db: Db,
  { snapshot_id }: Of,
  name: 'added_rows' | 'changed_rows' | 'gone_rows',
): Promise<BitSet> {
  const version = await db
    .selectFrom('compiled_versions')
    .select(name)
    .where('snapshot_id', '=', snapshot_id)
    .executeTakeFirst()
  return version?.[name] ?? new Uint8Array()
}

/** Reads the records that fail a check of the version. Unknown checks have none. */
export async function failedSet(db: Db, { snapshot_id }: Of, check_no: number): Promise<BitSet> {
  const failures = await db
    .selectFrom('compiled_failures')
    .select('rows')
    .where('snapshot_id', '=', snapshot_id)
    .where('check_no', '=', check_no)
    .executeTakeFirst()
  return failures?.rows ?? new Uint8Array()
}

/** Reads the flags of rows, given in ascending order. Only the part of the sets between the first and the last row is read. */
export async function flagsOf(
  db: Db,
  { snapshot_id }: Of,
  row_nos: readonly number[],
): Promise<(row_no: number) => RecordFlags> {
  const first = ((row_nos[0] ?? 1) - 1) >> 3
  const bytes = (((row_nos.at(-1) ?? 1) - 1) >> 3) - first + 1
  const parts = FLAGS.map(
    (flag) => sql`substring(${sql.ref(flag)} from ${first + 1}::int for ${bytes}::int) as ${sql.ref(flag)}`,
  )
  const { rows } = await sql<Sets>`
    select ${sql.join(parts)} from compiled_versions where snapshot_id = ${snapshot_id}`.execute(db)
  const failures = await sql<{ check_no: number; rows: Buffer }>`
    select check_no, substring(rows from ${first + 1}::int for ${bytes}::int) as rows
    from compiled_failures where snapshot_id = ${snapshot_id} order by check_no`.execute(db)
  const has = (flag: Flag, row_no: number) => hasRow(rows[0]?.[flag] ?? Buffer.alloc(0), row_no - first * 8)
  return (row_no) => ({
    has_blanks: has('has_blanks', row_no),
    has_errors: has('has_errors', row_no),
    is_duplicate: has('is_duplicate', row_no),
    failed_checks: failures.rows.flatMap(({ check_no, rows: failed }) =>
      hasRow(failed, row_no - first * 8) ? [check_no] : [],
    ),
  })
}
