// biome-ignore-all lint/a11y/useSemanticElements: cells that come and go with the scrolling cannot be laid out by a table
// biome-ignore-all lint/a11y/useFocusableInteractive: rows and cells are read, not operated
import { memo } from 'react'
import type { CellValue } from '../../../contract/tables.ts'
import { cellText, onOneLine } from './cell-text.ts'
import { type DataRow as StoredRow, shownFormat } from './data-queries.ts'
import classes from './data-table.module.css'
import type { TableColumn } from './table-layout.ts'

/** A column that is in sight: its place from 0, and where it begins and how wide it is, in pixels. */
export type PlacedColumn = TableColumn & { index: number; start: number }

type Props = {
  row: StoredRow | undefined
  /** From 0. */
  index: number
  columns: readonly PlacedColumn[]
}

/** One row of copied data, grey bars while it is being loaded. Drawn again only when it, or what is in sight of it, changes. */
export const DataRow = memo(function DataRow({ row, index, columns }: Props) {
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      className={classes.row}
      data-even={index % 2 === 1 || undefined}
      data-pending={row === undefined || undefined}
    >
      {columns.map(({ column, index, start, width, numeric, number_format }) => {
        const value = row?.cells[column]
        const text = cellText(value, row && shownFormat(row, column, number_format))
        const line = onOneLine(text)
        return (
          <span
            key={column}
            role="cell"
            aria-colindex={index + 1}
            className={classes.cell}
            data-numeric={numeric || undefined}
            style={{ left: start, width }}
            title={titleOf(value, text, line)}
          >
            {line}
          </span>
        )
      })}
    </div>
  )
})

// what a format hides, what the row is too low for and the column too narrow
function titleOf(value: CellValue | undefined, text: string, line: string): string | undefined {
  if (typeof value === 'number' && text !== String(value)) return String(value)
  return text.length > 30 || text !== line ? text : undefined
}
