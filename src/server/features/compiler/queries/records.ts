import { sql } from 'kysely'
import type { CompiledDataQuery, CompiledRecord } from '../../../../contract/compiler-records.ts'
import type { CellValue } from '../../../../contract/tables.ts'
import type { Db } from '../../../platform/db.ts'
import { countRows, hasRow, rowNumbers } from '../../../snapshots/bit-sets.ts'
import { findRows } from './find-rows.ts'
import { notesOf } from './notes.ts'
import { type CompiledVersion, readCompiled } from './version.ts'

/** A page of a configuration's records in their order. Throws NamedError `compiler_task_not_found`. */
export async function readRecords(db: Db, query: CompiledDataQuery) {
  const { limit, offset, compiler_config_id } = query
  const version = await readCompiled(db, compiler_config_id)
  if (version === null)
    return { data: [], total_count: 0, limit, offset, has_next: false, has_prev: offset > 0 }
  const found = await findRows(db, version, query)
  const total_count = countRows(found)
  const data = await recordsAt(db, version, rowNumbers(found, { offset, limit }))
  return {
    data,
    total_count,
    limit,
    offset,
    has_next: offset + data.length < total_count,
    has_prev: offset > 0,
  }
}

/** What is stored of a record. */
export type StoredRecord = {
  row_no: number
  sku: string
  cells: CellValue[]
  found_in: number[]
  twice_in: number[]
  created_at: Date
  updated_at: Date
}

/** Records by the numbers of their rows, in that order. One look into each primary key for each row: a join could as well be planned as a walk over all of them. */
export async function recordsAt(
  db: Db,
  version: CompiledVersion,
  row_nos: readonly number[],
): Promise<CompiledRecord[]> {
  const { rows_of } = version
  const { rows } = await sql<StoredRecord>`
    select (r).row_no, (r).sku, (r).found_in, (r).twice_in, (r).created_at, (r).updated_at, cells from (
      select place,
        (select r from compiled_records r where r.snapshot_id = ${rows_of} and r.row_no = page.row_no) as r,
        (select cells from snapshot_rows s where s.snapshot_id = ${rows_of} and s.row_no = page.row_no) as cells
      from unnest(${row_nos}::int[]) with ordinality as page (row_no, place)
      offset 0
    ) page where (r).row_no is not null order by place`.execute(db)
  return rows.map((row) => present(row, version))
}

/** A record as it is read. */
export function present(row: StoredRecord, version: CompiledVersion): CompiledRecord {
  const { row_no, sku, cells, found_in, created_at, updated_at } = row
  const { fields, has_blanks, has_errors, is_duplicate, compiler_config_id } = version
  return {
    ...Object.fromEntries(fields.map((field, n) => [field, cells[n + 1] ?? null])),
    sku,
    source_count: found_in.reduce((count, word) => count + bitsOf(word), 0),
    has_blanks: hasRow(has_blanks, row_no),
    has_errors: hasRow(has_errors, row_no),
    is_duplicate: hasRow(is_duplicate, row_no),
    validation_notes: notesOf(row, version)
      .map(({ explanation }) => explanation)
      .join(' '),
    compiler_config_id,
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
  }
}

function bitsOf(word: number): number {
  let count = 0
  for (let rest = word; rest > 0; rest &= rest - 1) count += 1
  return count
}
