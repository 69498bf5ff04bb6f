import { type RawBuilder, sql } from 'kysely'
import type { Trx } from '../../platform/db.ts'
import type { CompilePlan } from './compile-plan.ts'

// What JavaScript trims; PostgreSQL itself takes away spaces alone.
const BLANKS = String.raw`E' \t\n\u000b\f\r\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff'`

type Sql = RawBuilder<unknown>

type Wanted = {
  into: number
  /** Records that are there already: only other SKUs are wanted. */
  after: { snapshot_id: number } | null
  /** These alone; null: all. */
  only: readonly string[] | null
  /** Which share of all SKUs, by their hash, counted from 0. */
  share: { number: number; of: number }
}

/**
 * Finds for each SKU its first row in each source and how many it has there, and its place among the rows of all sources: SKUs of the
 * master first, as they stand there, then those that only others have, source by source. Rows without a SKU have place 0. Returns
 * how many keys that makes.
 */
export async function gatherKeys(
  trx: Trx,
  { sources }: CompilePlan,
  { into, after, only, share }: Wanted,
): Promise<number> {
  const before = sources.map((_, source) =>
    sources.slice(0, source).reduce((rows, { row_count }) => rows + row_count, 0),
  )
  // Behind `offset 0` they are trimmed once.
  const rows = sql.join(
    sources.map(
      (source, n) => sql`
        select ${sql.lit(n)} as source, row_no, row_no + ${sql.lit(before[n])} as position, ctid as place,
          coalesce(${skuOf(source)}, '') as sku
        from snapshot_rows where snapshot_id = ${sql.lit(source.snapshot_id)}`,
    ),
    sql` union all `,
  )
  const each = (text: (source: number) => Sql) => sql.join(sources.map((_, source) => text(source)))
  const ofEach = (value: Sql, name: string) =>
    each(
      (source) => sql`${value} filter (where source = ${sql.lit(source)}) as ${sql.ref(`${name}_${source}`)}`,
    )
  const { numAffectedRows } = await sql`
    insert into compile_keys (snapshot_id, row_no, sku, source_rows, row_counts, source_places)
    select ${into}::int, case when sku = '' then 0 else position end, sku,
      array[${each((source) => sql`coalesce(${sql.ref(`row_${source}`)}, 0)`)}],
      array[${each((source) => sql`${sql.ref(`rows_${source}`)}::int`)}],
      array[${each((source) => placeOfFirst(sources[source]?.snapshot_id ?? 0, source))}]
    from (
      select sku, min(position) as position, ${ofEach(sql`min(row_no)`, 'row')}, ${ofEach(sql`count(*)`, 'rows')},
        ${ofEach(sql`min(place)`, 'place')}
      from (select * from (${rows}) rows offset 0) rows
      where (hashtext(sku) & 2147483647) % ${sql.lit(share.of)} = ${sql.lit(share.number)} ${among(only)}
      group by sku offset 0
    ) k where ${isNew(after)} order by position`.execute(trx)
  return Number(numAffectedRows ?? 0)
}

// Rows may lie in another order than they are numbered in.
const placeOfFirst = (snapshot_id: number, source: number): Sql => {
  const [row, rows, place] = ['row', 'rows', 'place'].map((name) => sql.ref(`${name}_${source}`))
  return sql`case when ${rows} < 2 then ${place} else (
    select ctid from snapshot_rows s where s.snapshot_id = ${sql.lit(snapshot_id)} and s.row_no = ${row}) end`
}

const among = (only: Wanted['only']): Sql =>
  only === null ? sql`` : sql`and sku = any (${[...only]}::text[])`

const isNew = (after: Wanted['after']): Sql =>
  after === null
    ? sql`true`
    : sql`(sku = '' or (
        select 1 from compiled_records r where r.snapshot_id = ${sql.lit(after.snapshot_id)} and r.sku = k.sku limit 1) is null)`

/** The SKU of a row of a source; null or blank where it has none. */
export const skuOf = ({ sku_column, sku_mappings }: CompilePlan['sources'][number]): Sql =>
  mapped(sku_mappings, sql`btrim(cells ->> ${sql.lit(sku_column)}, ${sql.raw(BLANKS)})`)

const mapped = (mappings: Record<string, string>, sku: Sql) =>
  Object.keys(mappings).length === 0
    ? sku
    : sql`coalesce(${JSON.stringify(mappings)}::jsonb ->> ${sku}, ${sku})`

/** Keys by their places, from the first to the last of a slice. */
export type Slice = { from: number; to: number; count: number }

/** What was gathered, in slices of some records, and of each source how many rows have no SKU; `keys` counts both. */
export async function readKeys(
  trx: Trx,
  { into, slice }: { into: number; slice: number },
): Promise<{ keys: number; slices: Slice[]; without_sku: number[] }> {
  const { rows: slices } = await sql<Slice>`
    select min(row_no) as from, max(row_no) as to, count(*)::int as count from (
      select row_no, (row_number() over (order by row_no) - 1) / ${slice}::int as number
      from compile_keys where snapshot_id = ${into} and row_no > 0
    ) numbered group by number order by number`.execute(trx)
  const blank = await trx
    .selectFrom('compile_keys')
    .select('row_counts')
    .where('snapshot_id', '=', into)
    .where('row_no', '=', 0)
    .executeTakeFirst()
  const keys = slices.reduce((sum, { count }) => sum + count, blank ? 1 : 0)
  return { keys, slices, without_sku: blank?.row_counts ?? [] }
}

/** Removes what a compile under way has gathered. */
export async function dropKeys(trx: Trx, snapshot_id: number): Promise<void> {
  await trx.deleteFrom('compile_keys').where('snapshot_id', '=', snapshot_id).execute()
}
