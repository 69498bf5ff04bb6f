import { type RawBuilder, sql } from 'kysely'
import type { CellValue } from '../../contract/tables.ts'
import type { Db } from '../platform/db.ts'
import { type BitSet, hasRow } from './bit-sets.ts'

/** Maximum number of compiled records in one row of `compiled_blocks`; fewer if they are large. */
export const RECORDS_IN_BLOCK = 64
const BLOCKS_PER_QUERY = 500
/** Bytes per record in a block's lists. */
export const BYTES = { times: 16, hash: 8, row: 4 } as const
/** Flags of `found`: the source has the SKU once, more than once, as a number that its format pads with zeros. */
export const FOUND = { once: 1, more: 2, padded: 4 } as const
// PostgreSQL's binary timestamps are microseconds since 2000.
const EPOCH_MS = Date.UTC(2000, 0, 1)

/** A compiled record as it is stored. */
export type BlockRecord = {
  row_no: number
  sku: string
  /** SKU and fields. */
  cells: CellValue[]
  /** For each numbered source whether it has the SKU: flags of FOUND. */
  found: Uint8Array
  /** For each field the number of the source that fills it, counted from 1; 0: blank. */
  field_sources: Uint8Array
  /** For each numbered source its row number; 0: none. Empty: unknown. */
  source_rows: number[]
  /** The record's row in the previous version; 0: none; NaN: unknown. */
  before_row: number
  created_at: Date
  updated_at: Date
}

type Part = {
  first_row: number
  /** Position in the block of the first record that was read, counted from 1. */
  first: number
  size: number
  start: number
  skus: string[]
  ends: number[]
  cells: Buffer
  found: Buffer
  field_sources: Buffer
  source_rows: Buffer
  times: Buffer
  before_rows: Buffer
}

/** Records by row number, in the given order. Of each block only the range between the wanted records is read. Missing rows are left out. */
export async function recordsAt(db: Db, rows_of: number, row_nos: readonly number[]): Promise<BlockRecord[]> {
  const blocks = await blocksOf(db, rows_of, row_nos)
  const wanted = new Map<number, { first: number; last: number }>()
  for (const [n, first_row] of blocks.entries()) {
    const place = (row_nos[n] ?? 0) - first_row + 1
    const { first, last } = wanted.get(first_row) ?? { first: place, last: place }
    wanted.set(first_row, { first: Math.min(first, place), last: Math.max(last, place) })
  }
  const list = (numbers: Iterable<number>) => sql`${[...numbers]}::int[]`
  const firstRows = list(wanted.keys())
  const ends = [...wanted.values()]
  const of = (numbers: number[]) => sql`(${list(numbers)})[array_position(${firstRows}, first_row)]`
  const { rows } = await sql<Part>`
    select first_row, first, size, coalesce(ends[first - 1], 0) as start, skus[first:last] as skus, ends[first:last] as ends,
      substring(cells from coalesce(ends[first - 1], 0) + 1 for ends[last] - coalesce(ends[first - 1], 0)) as cells,
      found, field_sources, ${between('source_rows', sql`(length(source_rows) / size)`)},
      ${between('times', sql.lit(BYTES.times))}, ${between('before_rows', sql.lit(BYTES.row))}
    from (
      select *, ${SIZE} as size, ${of(ends.map(({ first }) => first))} as first,
        least(${of(ends.map(({ last }) => last))}, ${SIZE}) as last
      from compiled_blocks where snapshot_id = ${rows_of} and first_row = any (${firstRows}) offset 0
    ) wanted`.execute(db)
  const parts = new Map(rows.map((part) => [part.first_row, part]))
  return row_nos.flatMap((row_no, n) => {
    const part = parts.get(blocks[n] ?? 0)
    return part && row_no < part.first_row + part.size ? recordOf(part, row_no) : []
  })
}

const SIZE = sql`array_length(ends, 1)`

/** For each row the first row of its block. */
async function blocksOf(db: Db, rows_of: number, row_nos: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ first_row: number }>`
    select coalesce((${blockAt(rows_of, sql`row_no`)}), 0) as first_row
    from unnest(${row_nos}::int[]) with ordinality as wanted (row_no, place) order by place`.execute(db)
  return rows.map(({ first_row }) => first_row)
}

const blockAt = (rows_of: number, row_no: RawBuilder<unknown>) => sql`
  select first_row from compiled_blocks where snapshot_id = ${rows_of} and first_row <= ${row_no} order by first_row desc limit 1`

// The wanted records' part of a list with a fixed number of bytes per record.
const between = (list: string, bytes: RawBuilder<unknown>) =>
  sql`substring(${sql.ref(list)} from (first - 1) * ${bytes} + 1 for (last - first + 1) * ${bytes}) as ${sql.ref(list)}`

function recordOf(part: Part, row_no: number): BlockRecord {
  const place = row_no - part.first_row
  // Index among the records that were read.
  const n = place - part.first + 1
  const { size, skus, times, source_rows, before_rows } = part
  const time = (at: number) => new Date(EPOCH_MS + Number(times.readBigInt64BE(n * BYTES.times + at) / 1000n))
  const rowBytes = source_rows.length / skus.length
  return {
    row_no,
    sku: skus[n] ?? '',
    cells: cellsOf(part, n),
    found: columnOf(part.found, size, place),
    field_sources: columnOf(part.field_sources, size, place),
    source_rows: Array.from({ length: rowBytes / BYTES.row }, (_, source) =>
      source_rows.readInt32BE(n * rowBytes + source * BYTES.row),
    ),
    before_row: before_rows.length === 0 ? Number.NaN : before_rows.readInt32BE(n * BYTES.row),
    created_at: time(0),
    updated_at: time(BYTES.times / 2),
  }
}

function cellsOf(
  { start, ends, cells }: { start: number; ends: number[]; cells: Buffer },
  n: number,
): CellValue[] {
  return JSON.parse(cells.toString('utf8', (ends[n - 1] ?? start) - start, (ends[n] ?? start) - start))
}

// One record's byte of each list; a list has `size` bytes.
function columnOf(lists: Uint8Array, size: number, place: number): Uint8Array {
  const column = new Uint8Array(lists.length / size)
  for (let n = 0, at = place; n < column.length; n += 1, at += size) column[n] = lists[at] ?? 0
  return column
}

/** The cells of the records from row `first` to row `last`, without removed ones. */
export async function blockCells(
  db: Db,
  { rows_of, removed }: { rows_of: number; removed: BitSet },
  first: number,
  last: number,
): Promise<CellValue[][]> {
  const { rows: blocks } = await sql<{ first_row: number; ends: number[]; cells: Buffer }>`
    select first_row, ends, cells from compiled_blocks
    where snapshot_id = ${rows_of} and first_row >= coalesce((${blockAt(rows_of, sql`${first}`)}), 0) and first_row <= ${last}
    order by first_row`.execute(db)
  return blocks.flatMap(({ first_row, ends, cells }) =>
    ends.flatMap((_, n) => {
      const row_no = first_row + n
      if (row_no < first || row_no > last || hasRow(removed, row_no)) return []
      return [cellsOf({ start: 0, ends, cells }, n)]
    }),
  )
}

/** One byte per record in row order: `found` of a source, or `field_sources` of a field, by its number counted from 1. */
export async function bytesOfRecords(
  db: Db,
  rows_of: number,
  { list, number }: { list: 'found' | 'field_sources'; number: number },
): Promise<Uint8Array> {
  const column = sql.ref(list)
  const { rows } = await sql<{ bytes: Buffer | null }>`
    select string_agg(
      case when length(${column}) >= ${number}::int * size then substring(${column} from (${number}::int - 1) * size + 1 for size)
        else decode(repeat('00', size), 'hex') end, '' order by first_row) as bytes
    from (
      select first_row, ${column}, ${SIZE} as size from compiled_blocks where snapshot_id = ${rows_of} offset 0
    ) blocks`.execute(db)
  return rows[0]?.bytes ?? new Uint8Array()
}

/** The sources that fill the fields of a block's records: for each field one byte per record, the number of the source or 0. */
export type FieldSources = { first_row: number; size: number; field_sources: Uint8Array }

/** Field sources of all records, block by block. Served by the primary key. */
export async function* fieldSources(db: Db, rows_of: number): AsyncGenerator<FieldSources> {
  for (let after = 0; ; ) {
    const { rows } = await sql<FieldSources>`
      select first_row, ${SIZE} as size, field_sources from compiled_blocks
      where snapshot_id = ${rows_of} and first_row > ${after} order by first_row limit ${BLOCKS_PER_QUERY}`.execute(
      db,
    )
    yield* rows
    const last = rows.at(-1)
    if (last === undefined) return
    after = last.first_row
  }
}

/** The rows with exactly this SKU. There can be several only if all but one were removed. */
export async function rowsOfSku(db: Db, rows_of: number, sku: string): Promise<number[]> {
  const { rows } = await sql<{ row_no: number }>`
    select first_row - 1 + unnest(array_positions(skus, ${sku}::text)) as row_no
    from compiled_blocks where snapshot_id = ${rows_of} and ${sku}::text = any (skus)`.execute(db)
  return rows.map(({ row_no }) => row_no)
}

/**
 * The rows of the records that were merged from a row of a source (by number, counted from 1). Reads all blocks; the search for the row
 * number leaves few of them to be looked at.
 */
export async function rowsOfSourceRow(
  db: Db,
  rows_of: number,
  { number, row_no }: { number: number; row_no: number },
): Promise<number[]> {
  const { rows } = await sql<{ first_row: number; size: number; source_rows: Buffer }>`
    select first_row, ${SIZE} as size, source_rows from compiled_blocks
    where snapshot_id = ${rows_of} and position(int4send(${row_no}::int) in source_rows) > 0 order by first_row`.execute(
    db,
  )
  return rows.flatMap(({ first_row, size, source_rows }) => {
    const bytes = source_rows.length / size
    const at = (number - 1) * BYTES.row
    return Array.from({ length: size }, (_, n) => n).flatMap((n) =>
      at < bytes && source_rows.readInt32BE(n * bytes + at) === row_no ? [first_row + n] : [],
    )
  })
}
