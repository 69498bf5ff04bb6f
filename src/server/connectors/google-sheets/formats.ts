import type { ColumnFormat, NumberFormat, Row } from '../connector.ts'
import type { FormatCell } from './replies.ts'

/** Data rows whose cells decide a column's format. */
export const SAMPLE_ROWS = 50

/**
 * The format that most filled cells of each column have. `sample` and `cells` are the same rows: their values and their
 * formats. Of equally frequent formats the one that comes first wins.
 */
export function columnFormats(sample: Row[], cells: FormatCell[][]): ColumnFormat[] {
  const columns = Math.max(0, ...sample.map((row) => row.length))
  return Array.from({ length: columns }, (_, column) => {
    const counts = new Map<string, { format: NumberFormat | null; cells: number }>()
    for (const [index, row] of sample.entries()) {
      if ((row[column] ?? null) === null) continue
      const format = formatOf(cells[index]?.[column])
      const key = JSON.stringify(format)
      const known = counts.get(key)
      if (known) known.cells += 1
      else counts.set(key, { format, cells: 1 })
    }
    const [first, ...others] = [...counts.values()].sort((one, other) => other.cells - one.cells)
    return { format: first?.format ?? null, mixed: others.length > 0 }
  })
}

/** The format somebody gave the cell. Without a pattern of its own, it takes the one it is shown with: that of the source's locale. */
function formatOf(cell: FormatCell | undefined): NumberFormat | null {
  const entered = cell?.userEnteredFormat?.numberFormat
  if (!entered) return null
  const pattern = entered.pattern ?? cell?.effectiveFormat?.numberFormat?.pattern
  return pattern === undefined ? { type: entered.type } : { type: entered.type, pattern }
}
