import { isDeepStrictEqual } from 'node:util'
import type { ColumnFormat } from '../../../connectors/connector.ts'
import {
  type FormatRuns,
  formatAt,
  MAX_FORMAT_RUNS,
  type StoredFormat,
  TableFormats,
} from '../../../snapshots/column-format.ts'

/**
 * The formats of a copy whose rows were chosen or sorted, from those of the source. `rowNumbers`: the data row of the source for each
 * data row of the copy, both counted from 1; null: the same rows. Columns with too many changes get the format of most cells.
 */
export function arrangeFormats(
  columns: readonly ColumnFormat[],
  rowNumbers: readonly number[] | null,
): TableFormats {
  let left = MAX_FORMAT_RUNS
  return new TableFormats(
    columns.map(({ format, runs }) => {
      if (runs === null || rowNumbers === null) return { format, runs }
      const arranged = runsOf({ format, runs }, rowNumbers, left)
      left -= arranged?.length ?? 0
      return { format, runs: arranged }
    }),
  )
}

/** Null if there are more than `most`. */
function runsOf(column: StoredFormat, rowNumbers: readonly number[], most: number): FormatRuns | null {
  const runs: FormatRuns = []
  for (const [index, number] of rowNumbers.entries()) {
    const format = formatAt(column, number)
    const last = runs.at(-1)
    if (last && isDeepStrictEqual(last.format, format)) continue
    runs.push({ row: index + 1, format })
    if (runs.length > most) return null
  }
  return runs
}
