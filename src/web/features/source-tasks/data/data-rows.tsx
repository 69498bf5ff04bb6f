// biome-ignore-all lint/a11y/noNoninteractiveTabindex: a scroll container must be scrollable by keyboard
import { memo } from 'react'
import type { CellValue, DataColumns, DataPage, NumberFormat } from '../../../../contract/tables.ts'
import { cellText, onOneLine } from '../../../tasks/data/cell-text.ts'
import classes from './data-dialog.module.css'

type Row = Record<string, CellValue>
type Props = {
  page: Pick<DataPage, 'data' | 'cell_formats'> &
    Pick<DataColumns, 'number_formats'> & { columns: string[]; page: number; page_size: number }
  /** Another page is loading. */
  busy: boolean
}

/** One page of rows as a table. */
export const DataRows = memo(function DataRows({ page: shown, busy }: Props) {
  const { data, columns, page, page_size } = shown
  const first = (page - 1) * page_size + 1
  return (
    // The key resets the scroll position on another page.
    <section
      key={`${page} ${page_size}`}
      className={classes.frame}
      tabIndex={0}
      aria-label="Rows"
      aria-busy={busy}
    >
      <table className={classes.table} aria-label="Data">
        <thead>
          <tr>
            <th scope="col">#</th>
            {columns.map((column) => (
              <th key={column} scope="col" data-numeric={isNumeric(data, column) || undefined}>
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {data.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows are identified by their position
            <tr key={index}>
              <th scope="row">{first + index}</th>
              {columns.map((column) => (
                <Cell key={column} value={row[column]} format={formatOf(shown, column, index)} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
})

/** Whether the first non-blank cell of a column is a number. */
const isNumeric = (rows: Row[], column: string) =>
  typeof rows.find((row) => cellText(row[column]) !== '')?.[column] === 'number'

/** Number format of a cell, as on the page of all rows. */
function formatOf({ cell_formats, number_formats }: Props['page'], column: string, index: number) {
  const of_cells = cell_formats[column]
  return of_cells ? of_cells[index] : number_formats[column]
}

type CellProps = { value: CellValue | undefined; format: NumberFormat | null | undefined }

function Cell({ value, format }: CellProps) {
  const text = cellText(value, format)
  return (
    <td data-numeric={typeof value === 'number' || undefined} title={text.length > 30 ? text : undefined}>
      {onOneLine(text)}
    </td>
  )
}
