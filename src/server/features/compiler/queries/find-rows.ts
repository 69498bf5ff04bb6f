import { sql } from 'kysely'
import type { CompiledFilters } from '../../../../contract/compiler-records.ts'
import type { Db } from '../../../platform/db.ts'
import { type BitSet, matchingRows } from '../../../snapshots/bit-sets.ts'
import { RowSet } from '../../../snapshots/row-set.ts'
import type { CompiledVersion } from './version.ts'

const FLAGS = ['has_blanks', 'has_errors', 'is_duplicate'] as const

/** The rows of the records for which all that the filters say holds. */
export async function findRows(db: Db, version: CompiledVersion, filters: CompiledFilters): Promise<BitSet> {
  const conditions = [{ set: version.removed, wanted: false }] as { set: BitSet; wanted: boolean }[]
  for (const flag of FLAGS)
    if (filters[flag] !== undefined) conditions.push({ set: version[flag], wanted: filters[flag] === 'true' })
  if (filters.sku_search)
    conditions.push({ set: await searchRows(db, version, filters.sku_search), wanted: true })
  return matchingRows(version.stored_rows, conditions)
}

async function searchRows(db: Db, { rows_of }: CompiledVersion, text: string): Promise<BitSet> {
  const like = `%${text.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)}%`
  const { rows } = await sql<{ row_nos: number[] }>`
    select array(select row_no from compiled_records where snapshot_id = ${rows_of} and sku ilike ${like}) as row_nos`.execute(
    db,
  )
  return RowSet.from(rows[0]?.row_nos ?? [], 1).bits
}
