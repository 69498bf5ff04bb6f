import { hasRow } from '../../../snapshots/bit-sets.ts'
import type { TakeRow } from '../../../snapshots/copied-rows.ts'
import { BYTES } from '../../../snapshots/record-blocks.ts'
import { RowSet } from '../../../snapshots/row-set.ts'
import type { CompilePlan } from '../rules/compile-plan.ts'
import type { GatheredRows } from './gathered-rows.ts'
import type { PreviousRecords } from './previous-records.ts'
import { RowBuilder } from './row-builder.ts'
import { PREVIOUS_LAYOUT } from './rows-by-record.ts'

/** Reads rows by their primary key. Stored rows have no statistics, so the planner would often choose another plan. */
export const READ_BY_KEY =
  'set local enable_sort = off; set local enable_seqscan = off; set local enable_bitmapscan = off'
const ROWS_PER_QUERY = 16_384

/** A query and what is done with each of its rows, which come in PostgreSQL's binary format. */
export type RowQuery = { query: string; take: TakeRow }

/** The rows of a source, in ranges: one is read while the previous one is processed. */
export function sourceQueries(
  { snapshot_id, row_count }: CompilePlan['sources'][number],
  source: number,
  gathered: GatheredRows,
): RowQuery[] {
  const take: TakeRow = (bytes, bounds) => {
    const row_no = bytes.readInt32BE(bounds[0])
    gathered.take(source, row_no, bytes, bounds[2] ?? 0, bounds[3] ?? 0)
  }
  const ranges = Math.max(1, Math.ceil(row_count / ROWS_PER_QUERY))
  return Array.from({ length: ranges }, (_, n) => ({
    // The last range has no end, so that surplus rows are noticed.
    query: `select row_no, cells from snapshot_rows where snapshot_id = ${snapshot_id} and row_no > ${n * ROWS_PER_QUERY}
      ${n + 1 < ranges ? `and row_no <= ${(n + 1) * ROWS_PER_QUERY}` : ''} order by row_no`,
    take,
  }))
}

/** The SKUs of records that are copied unchanged. */
export const unchangedQuery = (
  { snapshot_id, removed }: PreviousRecords,
  gathered: GatheredRows,
): RowQuery => ({
  query: `select first_row, skus from compiled_blocks where snapshot_id = ${snapshot_id} order by first_row`,
  take: (bytes, bounds) => {
    const first = bytes.readInt32BE(bounds[0])
    eachElement(bytes, bounds[2] ?? 0, (n, start, end) => {
      if (!hasRow(removed, first + n)) gathered.takeUnchanged(bytes.subarray(start, end))
    })
  },
})

// Records of releases without hashes: their cells are read once to compute the hash.
const COMPARED = 'hashes, case when hashes is null then ends end, case when hashes is null then cells end'

/** What is compared of previous records. */
export type Compared = {
  /** False: hashes are not read, since every record counts as changed. */
  same_fields: boolean
  /** Whether checks keep last good values. */
  with_cells: boolean
}

/**
 * SKU, times and hash of the previous records that no user has removed. `gone` collects those whose SKU no source has any more.
 */
export function previousQuery(
  { snapshot_id, removed }: PreviousRecords,
  gathered: GatheredRows,
  { same_fields, with_cells }: Compared,
): RowQuery & { gone: RowSet } {
  const known = Buffer.alloc(PREVIOUS_LAYOUT.bytes)
  const row = new RowBuilder()
  const gone = new RowSet()
  const take = (bytes: Buffer, bounds: Int32Array) => {
    const [block = 0, , skus = 0, , times = 0, , hashes = 0, , ends = 0, , cells = 0] = bounds
    const first = bytes.readInt32BE(block)
    let end_of_row = 0
    eachElement(bytes, skus, (n, start, end) => {
      bytes.copy(known, 0, times + n * BYTES.times, times + (n + 1) * BYTES.times)
      if (hashes >= 0)
        bytes.copy(known, PREVIOUS_LAYOUT.fingerprint, hashes + n * BYTES.hash, hashes + (n + 1) * BYTES.hash)
      const start_of_row = end_of_row
      if (ends >= 0) end_of_row = bytes.readInt32BE(ends + LIST_HEAD + n * (4 + BYTES.row) + 4)
      if (hashes < 0 && ends >= 0) {
        row.take(bytes, cells + start_of_row, cells + end_of_row)
        for (const [half, value] of row.fingerprint.entries())
          known.writeInt32BE(value, PREVIOUS_LAYOUT.fingerprint + 4 * half)
      }
      if (hasRow(removed, first + n)) return
      const spilled = with_cells
        ? Buffer.concat([known, bytes.subarray(cells + start_of_row, cells + end_of_row)])
        : known
      if (!gathered.takePrevious(first + n, bytes.subarray(start, end), spilled)) gone.add(first + n - 1)
    })
  }
  const query = `select first_row, skus, times, ${columnsOf({ same_fields, with_cells })}
    from compiled_blocks where snapshot_id = ${snapshot_id} order by first_row`
  return { query, take, gone }
}

const columnsOf = ({ same_fields, with_cells }: Compared) =>
  with_cells ? `${same_fields ? 'hashes' : 'null'}, ends, cells` : same_fields ? COMPARED : 'null, null, null'

// An array in PostgreSQL's binary format: a header, then each element after its length.
const LIST_HEAD = 20
const COUNT_AT = 12

function eachElement(
  bytes: Buffer,
  list: number,
  take: (n: number, start: number, end: number) => void,
): void {
  const count = bytes.readInt32BE(list + COUNT_AT)
  let at = list + LIST_HEAD
  for (let n = 0; n < count; n += 1) {
    const end = at + 4 + bytes.readInt32BE(at)
    take(n, at + 4, end)
    at = end
  }
}
