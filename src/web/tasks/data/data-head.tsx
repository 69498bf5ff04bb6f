// biome-ignore-all lint/a11y/useSemanticElements: virtualized cells cannot be laid out by a table
// biome-ignore-all lint/a11y/useFocusableInteractive: the button in the header takes the focus
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { lineageMessages as messages } from '../../../contract/lineage/client-messages.ts'
import type { PlacedColumn } from './data-row.tsx'
import classes from './data-table.module.css'
import type { TableView } from './table-view.ts'

type Props = {
  columns: readonly PlacedColumn[]
  view: TableView
  /** Of all columns, in pixels. */
  width: number
  onSort: (column: string) => void
}

/** Headers of the visible columns; an arrow marks the sorted one. */
export function DataHead({ columns, view, width, onSort }: Props) {
  const Icon = view.order === 'asc' ? IconArrowUp : IconArrowDown
  return (
    <div role="rowgroup" className={classes.head} style={{ width }}>
      <div role="row" aria-rowindex={1}>
        <span className={classes.number} aria-hidden>
          {messages.rows_head}
        </span>
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
