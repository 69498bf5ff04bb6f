// biome-ignore-all lint/a11y/useSemanticElements: virtualized cells cannot be laid out by a table
// biome-ignore-all lint/a11y/useFocusableInteractive: rows and cells are read-only
import { memo } from 'react'
import { Link } from 'react-router'
import { lineageMessages as messages } from '../../../contract/lineage/client-messages.ts'
import type { CellValue } from '../../../contract/tables.ts'
import { formatNumber } from '../../lib/format.ts'
import { Marked } from '../../ui/linked-text.tsx'
import { cellText, onOneLine } from './cell-text.ts'
import { type DataRow as StoredRow, shownFormat } from './data-queries.ts'
import classes from './data-table.module.css'
import type { TableColumn } from './table-layout.ts'

/** A visible column: its index from 0, and its left edge and width in pixels. */
export type PlacedColumn = TableColumn & { index: number; start: number }

type Props = {
  row: StoredRow | undefined
  /** Row index from 0. */
  index: number
  columns: readonly PlacedColumn[]
  /** Marked in cells; lower case. */
  search: string
  /** Where the cells of a row come from. */
  lineageOf: (row_no: number) => string
}

/** One row of stored data, with placeholders while it is loading. Re-rendered only if the row or its visible columns change. */
export const DataRow = memo(function DataRow({ row, index, columns, search, lineageOf }: Props) {
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      className={classes.row}
      data-even={index % 2 === 1 || undefined}
      data-pending={row === undefined || undefined}
    >
      <span role="rowheader" className={classes.number}>
        {row && (
          <Link to={lineageOf(row.row_no)} title={messages.row_link(row.row_no)}>
            {formatNumber(row.row_no)}
          </Link>
        )}
      </span>
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
            <Marked text={line} search={search} />
          </span>
        )
      })}
    </div>
  )
})

// The tooltip has what the format, the row height or the column width hide.
function titleOf(value: CellValue | undefined, text: string, line: string): string | undefined {
  if (typeof value === 'number' && text !== String(value)) return String(value)
  return text.length > 30 || text !== line ? text : undefined
}
