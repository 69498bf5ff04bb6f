import type { Db } from '../../platform/db.ts'
import { type FieldFormats, readFieldFormats } from '../../snapshots/field-formats.ts'
import { pinSnapshot } from '../../snapshots/pin.ts'
import { recordsInPlaces, type StoredSnapshot } from '../../snapshots/snapshot.ts'
import { FormatCollector, formatKey, withinRunLimit } from '../column-formats.ts'
import { type ColumnFormat, type FormatSample, type JudgedFormats, NO_FORMAT } from '../connector.ts'

const RECORDS_AT_A_TIME = 1_000

/**
 * Number formats of stored columns. Fields of compiled records come from several sources, so their formats are those
 * of their numbers in the sources' rows; a field without numbers has the format of the first source that has one.
 */
export async function formatsOf(
  db: Db,
  { id, header, formats }: StoredSnapshot,
  { rows, isExcluded = () => false }: Omit<FormatSample, 'sample'>,
): Promise<JudgedFormats> {
  const kept = (columns: ColumnFormat[]): JudgedFormats => ({
    columns: withinRunLimit(columns.map((format, n) => (isExcluded(n) ? NO_FORMAT : format))),
    sample_rows: null,
  })
  if ((await recordsInPlaces(db, id, [])) === null)
    return kept(formats.columns.map((format) => ({ ...format, mixed: format.runs !== null })))
  const of = await readFieldFormats(db, id)
  // The first column is the SKU.
  const mixed = header.flatMap((_, n) => (n > 0 && !isExcluded(n) && of.isMixed(n - 1) ? n : []))
  const judged = await judge(db, { id, rows, mixed }, of)
  return kept(header.map((_, n) => judged.get(n) ?? { ...NO_FORMAT, format: n > 0 ? of.first(n - 1) : null }))
}

/** Formats of compiled columns by their numbers; columns without numbers are omitted. */
async function judge(
  db: Db,
  { id, rows, mixed }: { id: number; rows: number; mixed: number[] },
  of: FieldFormats,
): Promise<Map<number, ColumnFormat>> {
  const collectors = new Map(mixed.map((column) => [column, new FormatCollector()]))
  for (let first = 1; first <= rows && mixed.length > 0; first += RECORDS_AT_A_TIME) {
    await pinSnapshot(db, id)
    const count = Math.min(RECORDS_AT_A_TIME, rows - first + 1)
    const places = Array.from({ length: count }, (_, n) => first + n)
    for (const [n, record] of ((await recordsInPlaces(db, id, places)) ?? []).entries())
      for (const [column, collector] of collectors)
        if (typeof record.cells[column] === 'number')
          collector.add(first + n, formatKey(of.ofField(column - 1, record)))
  }
  return new Map(
    [...collectors].flatMap(([column, collector]) => (collector.isEmpty ? [] : [[column, collector.column]])),
  )
}
