import { sql } from 'kysely'
import { z } from 'zod'
import { type CellValue, NumberFormat } from '../../../contract/sync-tasks.ts'
import type { Row } from '../../connectors/connector.ts'
import type { Db, Trx } from '../../engine/types.ts'

const ROWS_PER_PAGE = 1_000

/** Begins a version of a task's rows, which nobody sees before it is completed. Answers its id. */
export async function beginSnapshot(
  trx: Trx,
  owner: { task_id: number; run_id: number; kind: 'copy' | 'before' },
): Promise<number> {
  const { id } = await trx.insertInto('snapshots').values(owner).returning('id').executeTakeFirstOrThrow()
  return id
}

/** Says what the rows of a snapshot are. It becomes visible with the pointer that a task keeps to it. */
export async function completeSnapshot(
  trx: Trx,
  id: number,
  {
    header,
    formats,
    row_count,
    hash,
  }: { header: Row; formats: (NumberFormat | null)[]; row_count: number; hash: string },
): Promise<void> {
  await trx
    .updateTable('snapshots')
    .set({
      columns: JSON.stringify(header.map((cell) => String(cell ?? ''))),
      header: JSON.stringify(header),
      formats: JSON.stringify(formats),
      row_count,
      hash,
      completed_at: sql<Date>`now()`,
    })
    .where('id', '=', id)
    .execute()
}

const Formats = z.array(NumberFormat.nullable())

/** Header, formats and number of data rows of a completed snapshot; null when it is gone or was never completed. */
export async function readSnapshot(db: Db, id: number) {
  const snapshot = await db
    .selectFrom('snapshots')
    .select(['header', 'formats', 'row_count'])
    .where('id', '=', id)
    .where('completed_at', 'is not', null)
    .executeTakeFirst()
  return snapshot ? { ...snapshot, formats: Formats.parse(snapshot.formats) } : null
}

/** Data rows from `first` up to, not including, `end`, page by page. Served by the primary key. */
export async function* snapshotRows(
  db: Db,
  id: number,
  first: number,
  end: number,
): AsyncGenerator<CellValue[][]> {
  for (let from = first; from < end; from += ROWS_PER_PAGE) {
    const rows = await db
      .selectFrom('snapshot_rows')
      .select('cells')
      .where('snapshot_id', '=', id)
      .where('row_no', '>=', from)
      .where('row_no', '<', Math.min(end, from + ROWS_PER_PAGE))
      .orderBy('row_no')
      .execute()
    yield rows.map(({ cells }) => cells)
  }
}

/** The cells of some data rows by row number. */
export async function rowsByNumber(db: Db, id: number, numbers: number[]): Promise<Map<number, CellValue[]>> {
  const rows = await db
    .selectFrom('snapshot_rows')
    .select(['row_no', 'cells'])
    .where('snapshot_id', '=', id)
    .where(sql<boolean>`row_no = any(${numbers}::int[])`)
    .execute()
  return new Map(rows.map(({ row_no, cells }) => [row_no, cells]))
}

/** Fills the rows up to `last` that `into` does not have with those of another snapshot. */
export async function fillFrom(trx: Trx, into: number, other: number, last: number): Promise<void> {
  await sql`
    insert into snapshot_rows (snapshot_id, row_no, cells)
    select ${into}::int, row_no, cells from snapshot_rows theirs
    where snapshot_id = ${other} and row_no <= ${last}
      and not exists (
        select from snapshot_rows ours where ours.snapshot_id = ${into} and ours.row_no = theirs.row_no
      )`.execute(trx)
}

/** Removes a version that nobody refers to. */
export async function dropSnapshot(trx: Trx, id: number): Promise<void> {
  await trx.deleteFrom('snapshot_rows').where('snapshot_id', '=', id).execute()
  await trx.deleteFrom('snapshots').where('id', '=', id).execute()
}
