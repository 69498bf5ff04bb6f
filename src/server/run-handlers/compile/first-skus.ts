import { sql } from 'kysely'
import type { Trx } from '../../platform/db.ts'
import type { CompilePlan } from './compile-plan.ts'
import { skuOf } from './keys.ts'

/** The SKUs of the first `limit` records of a merge. Reads of each source only as far as it needs. */
export async function firstSkus(trx: Trx, { sources }: CompilePlan, limit: number): Promise<string[]> {
  const found = new Set<string>()
  for (const source of sources)
    for (let before = -1; before < found.size && found.size < limit; ) {
      before = found.size
      // Those that come more than once would take the places of others.
      const { rows } = await sql<{ sku: string }>`
        select sku from (
          select row_no, ${skuOf(source)} as sku from snapshot_rows where snapshot_id = ${source.snapshot_id} offset 0
        ) rows
        where sku <> '' and sku <> all (${[...found]}::text[]) order by row_no limit ${limit - found.size}`.execute(
        trx,
      )
      for (const { sku } of rows) found.add(sku)
    }
  return [...found]
}
