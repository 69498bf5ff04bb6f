import { sql } from 'kysely'
import { isBlankValue } from '../../../../contract/field-checks/field-rules.ts'
import type { CellValue } from '../../../../contract/tables.ts'
import type { Db } from '../../../platform/db.ts'
import { hasRow } from '../../../snapshots/bit-sets.ts'
import { recordsAt } from '../../../snapshots/record-blocks.ts'
import type { CompiledVersion } from './version.ts'

const RECORDS_AT_A_TIME = 2000

/** A field of a SKU, by the field's position. */
type Cell = { sku: string; field: number }

/** What a record has in a field. `accepted`: values of the sources by the id of their task; null: unknown. */
type KnownCell = { value: CellValue; accepted: Record<string, CellValue> | null }

type Merged = { snapshot_id: number; columns: (number | null)[] } | null

/** What the current records and their sources have in these cells, in the same order; null: no record has the SKU. */
export async function readCells(
  db: Db,
  version: CompiledVersion,
  cells: readonly Cell[],
): Promise<(KnownCell | null)[]> {
  const rowOf = await rowsOfSkus(db, version, [...new Set(cells.map(({ sku }) => sku))])
  const merged = await mergedOf(db, version)
  const known = new Map<number, (field: number) => KnownCell>()
  const row_nos = [...rowOf.values()]
  for (let first = 0; first < row_nos.length; first += RECORDS_AT_A_TIME) {
    const records = await recordsAt(db, version.rows_of, row_nos.slice(first, first + RECORDS_AT_A_TIME))
    const rows = await Promise.all(
      merged.map((source, n) =>
        sourceRows(
          db,
          source,
          records.map(({ source_rows }) => source_rows[n] ?? 0),
        ),
      ),
    )
    for (const { row_no, cells: record, source_rows } of records)
      known.set(row_no, (field) => ({
        value: record[field + 1] ?? null,
        accepted: acceptedOf({ version, merged, rows, source_rows }, field),
      }))
  }
  return cells.map(({ sku, field }) => known.get(rowOf.get(sku) ?? 0)?.(field) ?? null)
}

type Read = {
  version: CompiledVersion
  merged: readonly Merged[]
  rows: readonly ReadonlyMap<number, CellValue[]>[]
  source_rows: readonly number[]
}

function acceptedOf({ version, merged, rows, source_rows }: Read, field: number): KnownCell['accepted'] {
  // A compile that keeps existing records does not store their source rows.
  if (source_rows.length === 0) return null
  const accepted: Record<string, CellValue> = {}
  for (const [n, source] of merged.entries()) {
    const column = source?.columns[field] ?? null
    const row_no = source_rows[n] ?? 0
    if (column === null || row_no === 0) continue
    const cells = rows[n]?.get(row_no)
    if (cells === undefined) return null
    const value = cells[column] ?? null
    if (!isBlankValue(value)) accepted[version.sources[n]?.task_id ?? 0] = value
  }
  return accepted
}

async function mergedOf(db: Db, { snapshot_id }: CompiledVersion): Promise<Merged[]> {
  const version = await db
    .selectFrom('compiled_versions')
    .select('source_versions')
    .where('snapshot_id', '=', snapshot_id)
    .executeTakeFirst()
  return version?.source_versions ?? []
}

async function sourceRows(
  db: Db,
  source: Merged,
  row_nos: readonly number[],
): Promise<ReadonlyMap<number, CellValue[]>> {
  const wanted = row_nos.filter((row_no) => row_no > 0)
  if (source === null || wanted.length === 0) return new Map()
  const { rows } = await sql<{ row_no: number; cells: CellValue[] }>`
    select row_no, cells from snapshot_rows
    where snapshot_id = ${source.snapshot_id} and row_no = any (${wanted}::int[])`.execute(db)
  return new Map(rows.map(({ row_no, cells }) => [row_no, cells]))
}

/** The row of each SKU that has a record. */
async function rowsOfSkus(
  db: Db,
  { rows_of, removed }: CompiledVersion,
  skus: readonly string[],
): Promise<Map<string, number>> {
  const { rows } = await sql<{ sku: string; row_no: number }>`
    select sku, first_row - 1 + place as row_no from (
      select first_row, unnest(skus) as sku, generate_subscripts(skus, 1) as place
      from compiled_blocks where snapshot_id = ${rows_of}
    ) s where sku = any (${[...skus]}::text[])`.execute(db)
  return new Map(
    rows.filter(({ row_no }) => !hasRow(removed, row_no)).map(({ sku, row_no }) => [sku, row_no]),
  )
}
