// biome-ignore-all lint/a11y/useSemanticElements: cells that come and go with the scrolling cannot be laid out by a table
// biome-ignore-all lint/a11y/useFocusableInteractive: the button in it is what is operated
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import type { PlacedColumn } from './data-row.tsx'
import classes from './data-table.module.css'
import type { TableView } from './table-view.ts'

type Props = {
  columns: readonly PlacedColumn[]
  view: TableView
  /** Of all columns together, in pixels. */
  width: number
  onSort: (column: string) => void
}

/** The names of the columns in sight; the one sorted by carries an arrow. */
export function DataHead({ columns, view, width, onSort }: Props) {
  const Icon = view.order === 'asc' ? IconArrowUp : IconArrowDown
  return (
    <div role="rowgroup" className={classes.head} style={{ width }}>
      <div role="row" aria-rowindex={1}>
        {columns.map(({ column, index, start, width, numeric }) => {
          const sorted = view.sort === column
          return (
            <span
              key={column}
              role="columnheader"
              aria-colindex={index + 1}
              aria-sort={sorted ? (view.order === 'asc' ? 'ascending' : 'descending') : 'none'}
              className={classes.cell}
              data-numeric={numeric || undefined}
              style={{ left: start, width }}
            >
              <button type="button" onClick={() => onSort(column)} title={`Sort by ${column}`}>
                <span>{column}</span>
                {sorted && <Icon size={14} aria-hidden />}
              </button>
            </span>
          )
        })}
      </div>
    </div>
  )
}
