import { sql } from 'kysely'
import type { z } from 'zod'
import type {
  CompiledDataQuery,
  CompiledRecord,
  compilerRecords,
} from '../../../../contract/compiler-records.ts'
import type { CellValue } from '../../../../contract/tables.ts'
import type { Db } from '../../../platform/db.ts'
import { NamedError } from '../../../platform/errors.ts'
import { StreamedReply } from '../../../platform/http/streamed-reply.ts'
import { countRows, rowNumbers } from '../../../snapshots/bit-sets.ts'
import { pinSnapshot } from '../../../snapshots/pin.ts'
import { type Found, findRecords } from './find-rows.ts'
import { flagsOf, type RecordFlags } from './flags.ts'
import { notesOf } from './notes.ts'
import type { CompiledVersion } from './version.ts'

const RECORDS_AT_A_TIME = 500

type Page = z.infer<typeof compilerRecords.data.reply>

/** A page of a configuration's records in their order, read while it is sent. Throws NamedError `compiler_task_not_found`. */
export async function readRecords(db: Db, query: CompiledDataQuery): Promise<StreamedReply<Page>> {
  const { limit, offset } = query
  const found = await findRecords(db, query)
  const total_count = found === null ? 0 : countRows(found.rows)
  const has_next = offset + limit < total_count
  return new StreamedReply<Page>(
    { total_count, limit, offset, has_next, has_prev: offset > 0 },
    'data',
    eachBatch(db, found, { offset, limit }),
  )
}

/** Records that were found, as many as are wanted, some at a time; they stay while they are taken, however slowly. */
export async function* eachBatch(
  db: Db,
  found: Found | null,
  { offset, limit }: { offset: number; limit: number },
): AsyncGenerator<CompiledRecord[]> {
  if (found === null) return
  const { version, rows } = found
  const numbers = rowNumbers(rows, { offset, limit })
  for (let first = 0; first < numbers.length; first += RECORDS_AT_A_TIME) {
    if (!(await pinSnapshot(db, version.snapshot_id))) throw new NamedError('version_gone')
    yield await recordsAt(db, version, numbers.slice(first, first + RECORDS_AT_A_TIME))
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
async function recordsAt(
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
  const flags = await flagsOf(db, version, row_nos)
  return rows.map((row) => present(row, version, flags(row.row_no)))
}

/** A record as it is read. */
export function present(row: StoredRecord, version: CompiledVersion, flags: RecordFlags): CompiledRecord {
  const { created_at, updated_at } = row
  return {
    ...shown(row, version, flags),
    compiler_config_id: version.compiler_config_id,
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
  }
}

/** The same without what only a record that is kept has. */
export function shown(
  row: Pick<StoredRecord, 'sku' | 'cells' | 'found_in' | 'twice_in'>,
  version: Parameters<typeof notesOf>[1],
  { has_blanks, has_errors, is_duplicate }: RecordFlags,
) {
  const { sku, cells, found_in } = row
  return {
    ...Object.fromEntries(version.fields.map((field, n) => [field, cells[n + 1] ?? null])),
    sku,
    source_count: found_in.reduce((count, word) => count + bitsOf(word), 0),
    has_blanks,
    has_errors,
    is_duplicate,
    validation_notes: notesOf(row, version)
      .map(({ explanation }) => explanation)
      .join(' '),
  }
}

function bitsOf(word: number): number {
  let count = 0
  for (let rest = word; rest > 0; rest &= rest - 1) count += 1
  return count
}
