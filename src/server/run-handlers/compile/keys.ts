import { type RawBuilder, sql } from 'kysely'
import type { Trx } from '../../platform/db.ts'
import type { CompilePlan } from './compile-plan.ts'

// What JavaScript trims; PostgreSQL itself takes away spaces alone.
const BLANKS = String.raw`E' \t\n\u000b\f\r\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff'`

type Sql = RawBuilder<unknown>

/** Which rows of which sources belong together: how many records there are, and of each source how many rows have no SKU. */
export type Keys = { records: number; without_sku: number[] }

type Wanted = {
  into: number
  /** Records that are there already: the others follow them. */
  after: { snapshot_id: number; records: number } | null
}

/**
 * Gives each SKU its place among the records of a version: SKUs of the master first, as they stand there, then those that only
 * others have, source by source.
 */
export async function gatherKeys(trx: Trx, { sources }: CompilePlan, { into, after }: Wanted): Promise<Keys> {
  // Behind `offset 0` they are trimmed once.
  const rows = sql.join(
    sources.map(
      ({ snapshot_id, sku_column, sku_mappings }, source) => sql`
        select ${sql.lit(source)} as source, row_no, ${mapped(
          sku_mappings,
          sql`btrim(cells ->> ${sql.lit(sku_column)}, ${sql.raw(BLANKS)})`,
        )} as sku
        from snapshot_rows where snapshot_id = ${sql.lit(snapshot_id)}`,
    ),
    sql` union all `,
  )
  const each = (text: (source: number) => Sql) => sql.join(sources.map((_, source) => text(source)))
  const known =
    after === null
      ? sql`false`
      : sql`exists (select from compiled_records r where r.snapshot_id = ${sql.lit(after.snapshot_id)} and r.sku = k.sku)`
  const { rows: counts } = await sql<{ records: number; with_sku: number[] }>`
    with keys as materialized (
      select k.*, ${known} as known from (
        select sku, min((source::bigint << 32) + row_no) as place,
          ${each((source) => sql`min(row_no) filter (where source = ${sql.lit(source)}) as ${sql.ref(`row_${source}`)}`)},
          ${each((source) => sql`(count(*) filter (where source = ${sql.lit(source)}))::int as ${sql.ref(`rows_${source}`)}`)}
        from (select * from (${rows}) rows offset 0) rows where sku <> '' group by sku
      ) k
    ), stored as (
      insert into compile_keys (snapshot_id, row_no, sku, source_rows, row_counts)
      select ${into}::int, row_number() over (order by place)::int + ${after?.records ?? 0}::int, sku,
        array[${each((source) => sql`coalesce(${sql.ref(`row_${source}`)}, 0)`)}],
        array[${each((source) => sql`${sql.ref(`rows_${source}`)}`)}]
      from keys where not known
    )
    select (count(*) filter (where not known))::int as records,
      array[${each((source) => sql`coalesce(sum(${sql.ref(`rows_${source}`)}), 0)::int`)}] as with_sku
    from keys`.execute(trx)
  const [{ records, with_sku } = { records: 0, with_sku: [] }] = counts
  return { records, without_sku: sources.map(({ row_count }, source) => row_count - (with_sku[source] ?? 0)) }
}

const mapped = (mappings: Record<string, string>, sku: Sql) =>
  Object.keys(mappings).length === 0
    ? sku
    : sql`coalesce(${JSON.stringify(mappings)}::jsonb ->> ${sku}, ${sku})`

/** Removes what a compile under way has gathered. */
export async function dropKeys(trx: Trx, snapshot_id: number): Promise<void> {
  await trx.deleteFrom('compile_keys').where('snapshot_id', '=', snapshot_id).execute()
}
