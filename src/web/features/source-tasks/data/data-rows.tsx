// biome-ignore-all lint/a11y/noNoninteractiveTabindex: whatever scrolls must scroll by keyboard
import { memo } from 'react'
import type { CellValue } from '../../../../contract/tables.ts'
import { cellText, onOneLine } from '../../../tasks/data/cell-text.ts'
import classes from './data-dialog.module.css'

type Row = Record<string, CellValue>
type Props = {
  page: { data: Row[]; columns: string[]; page: number; page_size: number }
  /** Another page is on its way. */
  busy: boolean
}

/** A page of rows as a table. */
export const DataRows = memo(function DataRows({ page: { data, columns, page, page_size }, busy }: Props) {
  const first = (page - 1) * page_size + 1
  return (
    // another page begins at its beginning
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
            // biome-ignore lint/suspicious/noArrayIndexKey: rows are known by their place
            <tr key={index}>
              <th scope="row">{first + index}</th>
              {columns.map((column) => (
                <Cell key={column} value={row[column]} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
})

/** Whether a column holds numbers, as far as its first cell that is not blank tells. */
const isNumeric = (rows: Row[], column: string) =>
  typeof rows.find((row) => cellText(row[column]) !== '')?.[column] === 'number'

function Cell({ value }: { value: CellValue | undefined }) {
  const text = cellText(value)
  return (
    <td data-numeric={typeof value === 'number' || undefined} title={text.length > 30 ? text : undefined}>
      {onOneLine(text)}
    </td>
  )
}
