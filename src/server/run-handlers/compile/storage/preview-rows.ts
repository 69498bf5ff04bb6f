import { type RawBuilder, sql } from 'kysely'
import type { Trx } from '../../../platform/db.ts'
import type { StoredFormat } from '../../../snapshots/column-format.ts'
import { paddingOf, padsSkus, WHOLE_NUMBER } from '../../../snapshots/sku.ts'
import type { CompilePlan } from '../rules/compile-plan.ts'
import { plainMappings } from '../rules/skus.ts'

// The characters that String.trim removes; btrim alone removes spaces only.
const BLANKS = String.raw`E' \t\n\u000b\f\r\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff'`

type Source = CompilePlan['sources'][number]

/** The SKUs of the first `limit` records of a merge. Reads each source only as far as necessary. */
export async function firstSkus(trx: Trx, { sources }: CompilePlan, limit: number): Promise<string[]> {
  const found = new Set<string>()
  for (const source of sources)
    for (let before = -1; before < found.size && found.size < limit; ) {
      before = found.size
      // Repeated SKUs count against the limit, so the next query excludes those that were found.
      const { rows } = await sql<{ sku: string }>`
        select sku from (${rowsWithSkus(source)}) rows
        where sku <> '' and sku <> all (${[...found]}::text[]) order by row_no limit ${limit - found.size}`.execute(
        trx,
      )
      for (const { sku } of rows) found.add(sku)
    }
  return [...found]
}

/** The rows of a source with one of these SKUs, in order. At most two rows per SKU: the second one marks a duplicate. */
export async function rowsOf(
  trx: Trx,
  source: Source,
  skus: readonly string[],
): Promise<{ row_no: number; cells: string }[]> {
  const { rows } = await sql<{ row_no: number; cells: string }>`
    select row_no, (
      select cells::text from snapshot_rows s where s.snapshot_id = ${source.snapshot_id} and s.row_no = first.row_no
    ) as cells
    from (
      select row_no, row_number() over (partition by sku order by row_no) as nth
      from (${rowsWithSkus(source)}) rows where sku = any (${[...skus]}::text[])
    ) first
    where nth <= 2 order by row_no`.execute(trx)
  return rows
}

// `offset 0` keeps PostgreSQL from computing the SKU once per use.
const rowsWithSkus = (source: Source) => sql`
  select row_no, ${skuOf(source)} as sku from snapshot_rows where snapshot_id = ${source.snapshot_id} offset 0`

/** The SKU of a row in SQL, by the rule of snapshots/sku.ts; null or '' if the row has none. */
function skuOf({ sku_column, sku_mappings, formats }: Source): RawBuilder<unknown> {
  const sku = sql`btrim(normalize(cells ->> ${sql.lit(sku_column)}, NFC), ${sql.raw(BLANKS)})`
  const column = formats.of(sku_column)
  const number = sql`(case when json_typeof(cells -> ${sql.lit(sku_column)}) = 'number' then cells ->> ${sql.lit(sku_column)} end)`
  const padded = padsSkus(column) ? paddedSku(column, { cell: number, row_no: sql.ref('row_no') }) : null
  if (Object.keys(sku_mappings).length === 0) return padded ? sql`coalesce(${padded}, ${sku})` : sku
  const mapped = (from: RawBuilder<unknown>) =>
    sql`${JSON.stringify(plainMappings(sku_mappings))}::jsonb ->> ${from}`
  return padded
    ? sql`coalesce(${mapped(padded)}, ${mapped(sku)}, ${padded}, ${sku})`
    : sql`coalesce(${mapped(sku)}, ${sku})`
}

/** paddedSku of snapshots/sku.ts in SQL. `cell`: the cell's JSON, null for a text cell. */
function paddedSku(
  { format, runs }: StoredFormat,
  { cell, row_no }: { cell: RawBuilder<unknown>; row_no: RawBuilder<unknown> },
): RawBuilder<unknown> {
  const starts = runs?.map(({ row }) => row) ?? [1]
  const patterns = (runs ?? [{ format }]).map((run) => paddingOf(run.format))
  const pattern = sql`(${patterns}::text[])[width_bucket(${row_no}::int, ${starts}::int[])]`
  const shown = sql`to_char((${cell})::numeric, ${`FM${'9'.repeat(15)}`} || ${pattern})`
  return sql`case when ${cell} ~ ${WHOLE_NUMBER.source} and ${pattern} is not null then ${shown} end`
}
