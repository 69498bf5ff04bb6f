import type { Db } from '../../platform/db.ts'
import { readFieldFormats } from '../../snapshots/field-formats.ts'
import { recordsInPlaces, type StoredSnapshot } from '../../snapshots/snapshot.ts'
import type { SampleRow } from '../../snapshots/spread-sample.ts'
import { columnFormats } from '../column-formats.ts'
import type { ColumnFormat } from '../connector.ts'

/**
 * The number formats of stored columns: those that they were stored with, or, of compiled records, whose fields are filled by several
 * sources, the one that most of the sample's numbers have in their sources. A field without a number in the sample has
 * that of the first source that has one.
 */
export async function formatsOf(
  db: Db,
  { id, header, formats }: StoredSnapshot,
  sample: readonly SampleRow[],
): Promise<ColumnFormat[]> {
  const records = await recordsInPlaces(
    db,
    id,
    sample.map(({ row }) => row),
  )
  if (records === null) return formats.map((format) => ({ format, mixed: false }))
  const of = await readFieldFormats(db, id)
  const numbers = records.map(({ cells }) => cells.map((cell) => (typeof cell === 'number' ? cell : null)))
  const judged = columnFormats(numbers, (index, column) =>
    of.of(column - 1, records[index]?.field_sources[column - 1] ?? 0),
  )
  return header.map((_, column) =>
    numbers.some((cells) => (cells[column] ?? null) !== null)
      ? (judged[column] ?? { format: null, mixed: false })
      : { format: of.first(column - 1), mixed: false },
  )
}
