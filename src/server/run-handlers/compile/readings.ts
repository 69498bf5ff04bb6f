import { hasRow } from '../../snapshots/bit-sets.ts'
import type { TakeRow } from '../../snapshots/copied-rows.ts'
import type { CompilePlan } from './compile-plan.ts'
import type { GatheredRows } from './gathered-rows.ts'
import type { CurrentRecords } from './sources.ts'

/** Rows are read in the order of their keys, whatever the database knows of the tables. */
export const READ_BY_KEY =
  'set local enable_sort = off; set local enable_seqscan = off; set local enable_bitmapscan = off'
// COPY writes the number of their format before cells.
const FORMAT_BYTES = 1

/** A query whose rows are taken one after the other. Its fields are as PostgreSQL writes them in its binary format. */
export type Reading = { query: string; take: TakeRow }

/** The rows of a source; `rows` is how many have been taken. */
export function sourceReading(
  { snapshot_id }: CompilePlan['sources'][number],
  source: number,
  gathered: GatheredRows,
): Reading & { rows: number } {
  const reading = {
    query: `select row_no, cells from snapshot_rows where snapshot_id = ${snapshot_id} order by row_no`,
    rows: 0,
    take: (bytes: Buffer, places: Int32Array) => {
      const row_no = bytes.readInt32BE(places[0])
      gathered.take(source, row_no, bytes, (places[2] ?? 0) + FORMAT_BYTES, places[3] ?? 0)
      reading.rows += 1
    },
  }
  return reading
}

/** The SKUs of records that stay as they are. */
export const keptReading = ({ snapshot_id }: CurrentRecords, gathered: GatheredRows): Reading => ({
  query: `select sku from compiled_records where snapshot_id = ${snapshot_id} order by row_no`,
  take: (bytes, places) => gathered.keep(bytes.subarray(places[0], places[1])),
})

/** What is known of the records of before but for those that a person has removed; `gone`: how many of them have no row any more. */
export function beforeReading(
  { snapshot_id, removed }: CurrentRecords,
  gathered: GatheredRows,
  same_fields: boolean,
): Reading & { gone: number } {
  const cells = `(select cells from snapshot_rows s where s.snapshot_id = ${snapshot_id} and s.row_no = r.row_no)`
  const compared = `fingerprint, case when fingerprint is null then ${cells} end`
  const reading = {
    query: `select row_no, sku, created_at, updated_at, ${same_fields ? compared : 'null, null'}
      from compiled_records r where snapshot_id = ${snapshot_id} order by row_no`,
    gone: 0,
    take: (bytes: Buffer, places: Int32Array) => {
      if (hasRow(removed, bytes.readInt32BE(places[0]))) return
      const sku = bytes.subarray(places[2], places[3])
      if (!gathered.takeBefore(sku, bytes, places[4] ?? 0, places[11] ?? 0)) reading.gone += 1
    },
  }
  return reading
}
