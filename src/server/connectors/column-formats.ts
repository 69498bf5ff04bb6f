import type { NumberFormat, Row } from '../../contract/tables.ts'
import type { ColumnFormat } from './connector.ts'

/**
 * The format that most filled cells of each column have in the rows of `sample`; `formatAt` answers that of a cell of it. Of equally
 * frequent formats the one that comes first wins.
 */
export function columnFormats(
  sample: Row[],
  formatAt: (index: number, column: number) => NumberFormat | null,
): ColumnFormat[] {
  const columns = Math.max(0, ...sample.map((row) => row.length))
  return Array.from({ length: columns }, (_, column) => {
    const counts = new Map<string, { format: NumberFormat | null; cells: number }>()
    for (const [index, row] of sample.entries()) {
      if ((row[column] ?? null) === null) continue
      const format = formatAt(index, column)
      const key = JSON.stringify(format)
      const known = counts.get(key)
      if (known) known.cells += 1
      else counts.set(key, { format, cells: 1 })
    }
    const [first, ...others] = [...counts.values()].sort((one, other) => other.cells - one.cells)
    return { format: first?.format ?? null, mixed: others.length > 0 }
  })
}
