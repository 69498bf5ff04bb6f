import type { ReactNode } from 'react'
import classes from './card-table.module.css'
import { useShowMore } from './show-more.tsx'

/** A column. The first one is the row header. In a card, `corner` holds the actions and `wide` takes the full width. */
export type Column<Row> = { label: string; cell: (row: Row) => ReactNode; place?: 'end' | 'corner' | 'wide' }

type Props<Row> = {
  label: string
  columns: readonly [Column<Row>, ...Column<Row>[]]
  rows: readonly Row[]
  keyOf: (row: Row) => string | number
}

const STEP = 200

/** A table on wide screens, cards on narrow ones; each row is one Tab stop; long tables have a button that shows more rows. */
export function CardTable<Row>({ label, columns, rows, keyOf }: Props<Row>) {
  const [name, ...others] = columns
  const [shown, more] = useShowMore(rows, STEP)
  return (
    <>
      <table className={classes.table} aria-label={label} aria-rowcount={rows.length + 1}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.label} scope="col" data-place={column.place}>
                {column.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((row) => (
            <tr key={keyOf(row)} data-roving>
              <th scope="row">{name.cell(row)}</th>
              {others.map((column) => (
                <td key={column.label} data-label={column.label} data-place={column.place}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {more}
    </>
  )
}
