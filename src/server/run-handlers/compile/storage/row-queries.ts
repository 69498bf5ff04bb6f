import { hasRow } from '../../../snapshots/bit-sets.ts'
import type { TakeRow } from '../../../snapshots/copied-rows.ts'
import { BYTES } from '../../../snapshots/record-blocks.ts'
import { RowSet } from '../../../snapshots/row-set.ts'
import type { CompilePlan } from '../rules/compile-plan.ts'
import { PREVIOUS_LAYOUT } from '../rules/merge.ts'
import type { PreviousRecords } from '../sources.ts'
import type { GatheredRows } from './gathered-rows.ts'
import { RowBuilder } from './row-builder.ts'

/** Rows are read in the order of their keys, whatever the database knows of the tables. */
export const READ_BY_KEY =
  'set local enable_sort = off; set local enable_seqscan = off; set local enable_bitmapscan = off'
const ROWS_OF_PIECE = 16_384

/** A query whose rows are taken one after the other. Its fields are as PostgreSQL writes them in its binary format. */
export type Reading = { query: string; take: TakeRow }

/** The rows of a source, in pieces that are read at the same time: a process of the database takes longer for a row than we do. */
export function sourceReadings(
  { snapshot_id, row_count }: CompilePlan['sources'][number],
  source: number,
  gathered: GatheredRows,
): Reading[] {
  const take: TakeRow = (bytes, places) => {
    const row_no = bytes.readInt32BE(places[0])
    gathered.take(source, row_no, bytes, places[2] ?? 0, places[3] ?? 0)
  }
  const pieces = Math.max(1, Math.ceil(row_count / ROWS_OF_PIECE))
  return Array.from({ length: pieces }, (_, n) => ({
    // Rows that should not be there are found behind the last one.
    query: `select row_no, cells from snapshot_rows where snapshot_id = ${snapshot_id} and row_no > ${n * ROWS_OF_PIECE}
      ${n + 1 < pieces ? `and row_no <= ${(n + 1) * ROWS_OF_PIECE}` : ''} order by row_no`,
    take,
  }))
}

/** The SKUs of records that stay as they are. */
export const keptReading = ({ snapshot_id, removed }: PreviousRecords, gathered: GatheredRows): Reading => ({
  query: `select first_row, skus from compiled_blocks where snapshot_id = ${snapshot_id} order by first_row`,
  take: (bytes, places) => {
    const first = bytes.readInt32BE(places[0])
    eachElement(bytes, places[2] ?? 0, (n, start, end) => {
      if (!hasRow(removed, first + n)) gathered.keep(bytes.subarray(start, end))
    })
  },
})

// Records of an earlier version have no hashes: of those the cells are read once.
const COMPARED = 'hashes, case when hashes is null then ends end, case when hashes is null then cells end'

/** What is known of the records of before but for those that a person has removed; `gone`: those that have no row any more. */
export function beforeReading(
  { snapshot_id, removed }: PreviousRecords,
  gathered: GatheredRows,
  same_fields: boolean,
): Reading & { gone: RowSet } {
  const known = Buffer.alloc(PREVIOUS_LAYOUT.bytes)
  const row = new RowBuilder()
  const gone = new RowSet()
  const take = (bytes: Buffer, places: Int32Array) => {
    const [block = 0, , skus = 0, , times = 0, , hashes = 0, , ends = 0, , cells = 0] = places
    const first = bytes.readInt32BE(block)
    let end_of_row = 0
    eachElement(bytes, skus, (n, start, end) => {
      bytes.copy(known, 0, times + n * BYTES.times, times + (n + 1) * BYTES.times)
      if (hashes >= 0)
        bytes.copy(known, PREVIOUS_LAYOUT.fingerprint, hashes + n * BYTES.hash, hashes + (n + 1) * BYTES.hash)
      else if (ends >= 0) {
        const start_of_row = end_of_row
        end_of_row = bytes.readInt32BE(ends + LIST_HEAD + n * (4 + BYTES.row) + 4)
        row.take(bytes, cells + start_of_row, cells + end_of_row)
        for (const [half, value] of row.fingerprint.entries())
          known.writeInt32BE(value, PREVIOUS_LAYOUT.fingerprint + 4 * half)
      }
      if (hasRow(removed, first + n)) return
      if (!gathered.takeBefore(first + n, bytes.subarray(start, end), known)) gone.add(first + n - 1)
    })
  }
  const query = `select first_row, skus, times, ${same_fields ? COMPARED : 'null, null, null'}
    from compiled_blocks where snapshot_id = ${snapshot_id} order by first_row`
  return { query, take, gone }
}

// Lists as PostgreSQL sends them: behind a head of so many bytes the elements, each behind its length.
const LIST_HEAD = 20
const COUNT_AT = 12

/** Calls with the place of each element of a list and where it lies. */
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
