import { sql } from 'kysely'
import { z } from 'zod'
import type { CellValue, Row } from '../../contract/tables.ts'
import type { Db, Trx } from '../platform/db.ts'
import type { Database } from '../platform/schema.ts'
import { type BitSet, rowOutside } from './bit-sets.ts'
import { TableFormats } from './column-format.ts'
import { type CellPlaces, parseCells, storedCells } from './formula-cells.ts'
import { pinSnapshot } from './pin.ts'
import { type BlockRecord, blockCells, recordsAt } from './record-blocks.ts'
import { RowSet } from './row-set.ts'

const ROWS_PER_PAGE = 1_000

/** The rows of one of several sources in a copy. */
export const SourcePart = z.object({
  /** Place of the source, counted from 0. */
  source: z.int(),
  /** Its first data row among those of all, counted from 1. */
  first_row: z.int(),
  rows: z.int(),
  /** Column of the source by column of all sources; null: it has none. */
  columns: z.array(z.nullable(z.int())),
  /** Its stored version that was read; null: the source is outside. */
  snapshot_id: z.nullable(z.int()),
})
export type SourcePart = z.infer<typeof SourcePart>

/** Begins a version of a task's rows and returns its id. Readers ignore it until it is completed. */
export async function beginSnapshot(
  trx: Trx,
  owner: { task_id: number; run_id: number; kind: 'copy' | 'before' | 'source' | 'compiled' },
): Promise<number> {
  const { id } = await trx.insertInto('snapshots').values(owner).returning('id').executeTakeFirstOrThrow()
  return id
}

/** Completes a snapshot. It becomes current when the task's pointer is moved to it. */
export async function completeSnapshot(
  trx: Trx,
  id: number,
  {
    header,
    formats,
    row_count,
    hash,
    removed = Buffer.alloc(0),
    rows_of = null,
    source_columns = null,
    source_rows = null,
    read_snapshot_id = null,
    source_parts = null,
    formulas = [],
  }: {
    header: Row
    formats: TableFormats
    row_count: number
    hash: string | null
    /** Bit set of stored rows that do not belong to the version; `row_count` excludes them. */
    removed?: Buffer
    /** The snapshot whose rows this version shares; null: it has its own rows. */
    rows_of?: number | null
    /** For each column its column in the source, counted from 0; null: the source does not have it. Null: not known. */
    source_columns?: (number | null)[] | null
    /** For each data row its data row in the source, both counted from 1; null: the same rows. */
    source_rows?: number[] | null
    /** The stored version that was read; null: the source was another one. */
    read_snapshot_id?: number | null
    /** The rows of each source; null: there is one. */
    source_parts?: readonly SourcePart[] | null
    /** Cells that are formulas, whose text is stored; null: unknown. */
    formulas?: CellPlaces | null
  },
): Promise<void> {
  const { stored } = formats
  await trx
    .updateTable('snapshots')
    .set({
      columns: JSON.stringify(header.map((cell) => String(cell ?? ''))),
      header: JSON.stringify(header),
      formats: JSON.stringify(stored.formats),
      format_runs: JSON.stringify(stored.format_runs),
      row_count,
      hash,
      removed,
      rows_of,
      source_columns,
      source_rows,
      read_snapshot_id,
      source_parts: source_parts && JSON.stringify(z.array(SourcePart).parse(source_parts)),
      formulas: formulas && JSON.stringify(storedCells(formulas)),
      completed_at: sql<Date>`now()`,
    })
    .where('id', '=', id)
    .execute()
}

/** A completed snapshot, without its rows. */
export type StoredSnapshot = {
  id: number
  header: Row
  formats: TableFormats
  /** Data rows. */
  row_count: number
  /** Null: it has none, or one of an older release with another algorithm. */
  hash: string | null
  /** Cells that are formulas, whose text is stored; null: unknown. */
  formulas: CellPlaces | null
}

/** Null if the snapshot is gone or was not completed. */
export async function readSnapshot(db: Db, id: number): Promise<StoredSnapshot | null> {
  const snapshot = await db
    .selectFrom('snapshots')
    .select(['id', 'header', 'formats', 'format_runs', 'row_count', 'hash', 'formulas'])
    .where('id', '=', id)
    .where('completed_at', 'is not', null)
    .executeTakeFirst()
  if (!snapshot) return null
  const { formats, format_runs, formulas, ...rest } = snapshot
  return {
    ...rest,
    formats: TableFormats.parse({ formats, format_runs }),
    formulas: formulas === null ? null : parseCells(formulas),
  }
}

/**
 * Data rows from `first` up to, not including, `end`, page by page. Records that a user removed are left out and not counted. The rows
 * are pinned with each page; throws if they were pruned, which needs ten minutes without a read. Served by the primary key.
 */
export async function* snapshotRows(
  db: Db,
  id: number,
  first: number,
  end: number,
): AsyncGenerator<CellValue[][]> {
  const shared = await readShared(db, id)
  const { kind, removed } = shared
  for await (const { from, to } of pinnedPages(db, id, first, end)) {
    yield kind === 'compiled'
      ? await blockCells(db, shared, rowOutside(removed, from), rowOutside(removed, to - 1))
      : (await textsOf(db, id, from, to)).map((text) => JSON.parse(text))
  }
}

/** The same for a version that is not compiled, each row as its stored JSON text. */
export async function* snapshotTexts(
  db: Db,
  id: number,
  first: number,
  end: number,
): AsyncGenerator<string[]> {
  for await (const { from, to } of pinnedPages(db, id, first, end)) yield textsOf(db, id, from, to)
}

async function* pinnedPages(db: Db, id: number, first: number, end: number) {
  for (let from = first; from < end; from += ROWS_PER_PAGE) {
    if (!(await pinSnapshot(db, id))) throw gone(id)
    yield { from, to: Math.min(end, from + ROWS_PER_PAGE) }
  }
}

async function textsOf(db: Db, id: number, from: number, to: number): Promise<string[]> {
  const rows = await db
    .selectFrom('snapshot_rows')
    .select(sql<string>`cells::text`.as('text'))
    .where('snapshot_id', '=', id)
    .where('row_no', '>=', from)
    .where('row_no', '<', to)
    .orderBy('row_no')
    .execute()
  return rows.map(({ text }) => text)
}

/** Compiled records by position, in ascending order, counted from 1 without removed records; null if the version is not compiled. */
export async function recordsInPlaces(
  db: Db,
  id: number,
  places: readonly number[],
): Promise<BlockRecord[] | null> {
  const { kind, rows_of, removed } = await readShared(db, id)
  if (kind !== 'compiled') return null
  return recordsAt(
    db,
    rows_of,
    places.map((place) => rowOutside(removed, place)),
  )
}

type Shared = { kind: Database['snapshots']['kind']; rows_of: number; removed: BitSet }

/** The snapshot that has a version's rows, and the rows that the version leaves out. Only compiled versions share rows. */
async function readShared(db: Db, id: number): Promise<Shared> {
  const snapshot = await db
    .selectFrom('snapshots')
    .select(['kind', 'rows_of', 'removed'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (snapshot === undefined) throw gone(id)
  return { ...snapshot, rows_of: snapshot.rows_of ?? id }
}

const gone = (id: number) => new Error(`The rows of snapshot ${id} are gone.`)

/** The stored JSON of data rows by row number. `numbers` are ascending; the range from the first to the last is scanned. */
export async function textsByNumber(db: Db, id: number, numbers: number[]): Promise<Map<number, string>> {
  const first = numbers[0] ?? 0
  const last = numbers.at(-1) ?? -1
  const { bits } = RowSet.from(numbers, first)
  const { rows } = await sql<{ row_no: number; text: string }>`
    select row_no, cells::text as text from snapshot_rows
    where snapshot_id = ${id} and row_no >= ${first} and row_no <= ${last}
      and get_bit(${bits}::bytea, row_no - ${first}::int) = 1`.execute(db)
  return new Map(rows.map(({ row_no, text }) => [row_no, text]))
}

/** The stored JSON of some data rows by row number, in any order. Rows that are not stored are left out. */
export async function textsOfRows(
  db: Db,
  id: number,
  numbers: readonly number[],
): Promise<Map<number, string>> {
  if (numbers.length === 0) return new Map()
  const { rows } = await sql<{ row_no: number; text: string }>`
    select row_no, cells::text as text from snapshot_rows
    where snapshot_id = ${id} and row_no = any (${[...numbers]}::int[])`.execute(db)
  return new Map(rows.map(({ row_no, text }) => [row_no, text]))
}

/** A snapshot that is not compiled, by its first data rows. */
type Rows = { id: number; row_count: number }

/** Number of data rows of a snapshot that the other one has nowhere, with the same bytes; each of its rows counts for one. */
export async function countRowsNotIn(db: Db, one: Rows, other: Rows): Promise<number> {
  // Hashes of 64 bits keep the sets small; equal ones of different rows are too rare to matter.
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select hashtextextended(cells::text, 0) from snapshot_rows
      where snapshot_id = ${one.id} and row_no >= 1 and row_no <= ${one.row_count}
      except all
      select hashtextextended(cells::text, 0) from snapshot_rows
      where snapshot_id = ${other.id} and row_no >= 1 and row_no <= ${other.row_count}
    ) as gone`.execute(db)
  return rows[0]?.count ?? 0
}

/** Copies the rows up to `last` that a snapshot does not have (`present`) from another snapshot, in one scan of it. */
export async function fillFrom(
  trx: Trx,
  { into, other, last, present }: { into: number; other: number; last: number; present: RowSet },
): Promise<void> {
  const { bits } = present
  await sql`
    insert into snapshot_rows (snapshot_id, row_no, cells)
    select ${into}::int, row_no, cells from snapshot_rows
    where snapshot_id = ${other} and row_no <= ${last}
      and case when row_no < ${bits.length * 8}::int then get_bit(${bits}::bytea, row_no) = 0 else true end
  `.execute(trx)
}

/** Copies the first `rows` rows of a snapshot into another one. */
export async function takeRows(trx: Trx, from: number, into: number, rows: number): Promise<void> {
  await sql`
    insert into snapshot_rows (snapshot_id, row_no, cells)
    select ${into}::int, row_no, cells from snapshot_rows where snapshot_id = ${from} and row_no <= ${rows}
  `.execute(trx)
}

/** Bytes that a row takes in the database besides its cells. */
const ROW_BYTES = 64

/** Replaces the rows of a completed snapshot by those of another one. */
export async function replaceRows(
  trx: Trx,
  id: number,
  other: { id: number; row_count: number; hash: string | null },
): Promise<void> {
  await trx.deleteFrom('snapshot_rows').where('snapshot_id', '=', id).execute()
  await takeRows(trx, other.id, id, other.row_count)
  await trx.updateTable('snapshots').set({ hash: other.hash }).where('id', '=', id).execute()
}

/** Stores how much space the rows of snapshots take in the database, unless it is known. */
export async function measureSnapshots(db: Db, ids: readonly number[]): Promise<void> {
  for (const id of ids)
    await sql`
      update snapshots set bytes = (
        select coalesce(sum(pg_column_size(cells) + ${ROW_BYTES}::int), 0) from snapshot_rows where snapshot_id = ${id}
      ) where id = ${id} and bytes is null`.execute(db)
}

/** Deletes a version to which nothing refers. */
export async function dropSnapshot(trx: Trx, id: number): Promise<void> {
  await trx.deleteFrom('snapshot_rows').where('snapshot_id', '=', id).execute()
  await trx.deleteFrom('snapshots').where('id', '=', id).execute()
}
