import type { Row } from '../../../../contract/tables.ts'
import { parseRowBytes } from '../../../connectors/row-json.ts'
import { keyReader } from '../../../snapshots/row-key.ts'
import { plainRow } from '../../plain-row.ts'
import type { CopyAttempt } from '../attempt.ts'
import { wholeTable } from '../compare/change.ts'
import { type Definition, selfChangingColumns } from '../definition.ts'
import type { SourceCopy } from '../read/source-copy.ts'
import type { ColumnPlaces } from './column-places.ts'
import { firstCells, type TargetRows } from './target-rows.ts'

/** A copy and the target whose rows are matched. */
export type MatchedTable = {
  copy: SourceCopy
  held: TargetRows
  columns: ColumnPlaces
  definition: Definition
}

/**
 * Keys of the rows of both tables; `end`: the last row of the target's. Where rows are only added and have no key columns, all cells are
 * the key.
 */
export async function readKeys(
  { context }: CopyAttempt,
  { copy, held, columns, definition, end }: MatchedTable & { end: number },
) {
  const usesAll = columns.keys.length === 0
  const ignored = new Set(selfChangingColumns(definition, copy.header))
  const key = usesAll ? copy.header.flatMap((_, column) => (ignored.has(column) ? [] : column)) : columns.keys
  const placeOf = (column: number) => columns.placeOf[column] ?? column
  const ofCopy = keyReader(
    key.map((column) => ({ column, formatOf: column })),
    copy.formats,
  )
  const ofTarget = keyReader(
    key.map((column) => ({ column: placeOf(column), formatOf: column })),
    copy.formats,
  )
  const own = (row: Row) => (columns.placeOf.every((place) => (row[place] ?? null) === null) ? [] : row)
  const ends = { source: 1 + Math.max(0, ...key), target: 1 + Math.max(0, ...key.map(placeOf)) }
  const source: (string | null | undefined)[] = []
  for await (const page of wholeTable(context.db, copy, 1))
    for (const { json } of page) {
      const key = plainRow(json) && ofCopy(firstCells(json, ends.source))
      source.push(key ?? ofCopy(parseRowBytes(json)))
    }
  const target = Array.from(
    { length: end },
    (_, index) => ofTarget(held.firstCells(index + 1, ends.target)) ?? ofTarget(own(held.row(index + 1))),
  )
  return { source, target }
}

export type Keys = Awaited<ReturnType<typeof readKeys>>
