import { NO_FORMAT } from '../../../connectors/connector.ts'
import type { Db } from '../../../platform/db.ts'
import type { TableFormats } from '../../../snapshots/column-format.ts'
import { arrangeFormats } from '../read/arrange-formats.ts'
import type { ColumnPlaces } from './column-places.ts'
import type { Matching } from './match-rows.ts'

/** The formats of a copy in the columns and rows in which its cells stand in the target. */
export function placedFormats(
  formats: TableFormats,
  { placeOf, header }: ColumnPlaces,
  { sourceOf, added }: Matching,
): TableFormats {
  const columns = header.map((_, place) => {
    const column = placeOf.indexOf(place)
    return column < 0 ? NO_FORMAT : { ...formats.of(column), mixed: false }
  })
  return arrangeFormats(columns, [...sourceOf.map((row) => Math.max(0, row)), ...added])
}

/** Where the cells of a stored copy are in its source. */
export type Origin = {
  columnOf: (column: number) => number | null
  rowOf: (row: number) => number
  read_snapshot_id: number | null
}

export async function readOrigin(db: Db, snapshot_id: number): Promise<Origin> {
  const { source_columns, source_rows, read_snapshot_id } = await db
    .selectFrom('snapshots')
    .select(['source_columns', 'source_rows', 'read_snapshot_id'])
    .where('id', '=', snapshot_id)
    .executeTakeFirstOrThrow()
  return {
    columnOf: (column) => (source_columns ? (source_columns[column] ?? null) : column < 0 ? null : column),
    rowOf: (row) => source_rows?.[row - 1] ?? row,
    read_snapshot_id,
  }
}
