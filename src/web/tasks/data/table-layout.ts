import type { NumberFormat } from '../../../contract/tables.ts'
import { cellText } from './cell-text.ts'
import { type DataRow, shownFormat } from './data-queries.ts'

/** Layout of a column: width in pixels, alignment, and number format. */
export type TableColumn = {
  column: string
  width: number
  numeric: boolean
  number_format: NumberFormat | undefined
}

/** Layout of the columns, based on the first rows. */
export function layoutOf(
  columns: string[],
  rows: readonly Pick<DataRow, 'cells' | 'formats'>[],
  number_formats: Record<string, NumberFormat>,
): TableColumn[] {
  const sample = rows.slice(0, 100)
  return columns.map((column) => {
    const number_format = number_formats[column]
    const filled = sample.filter(({ cells }) => (cells[column] ?? null) !== null)
    const values = filled.map(({ cells }) => cells[column])
    const texts = filled.map(
      (row) => cellText(row.cells[column], shownFormat(row, column, number_format)).length,
    )
    const longest = Math.max(column.length + 3, ...texts)
    const numbers = values.filter((value) => typeof value === 'number').length
    return {
      column,
      width: Math.min(320, Math.max(120, longest * 8.4 + 26)),
      numeric: numbers * 2 > values.length,
      number_format,
    }
  })
}
