// biome-ignore-all lint/a11y/useSemanticElements: a table element cannot hold 100,000 rows of which 40 exist
// biome-ignore-all lint/a11y/useFocusableInteractive: focus stays on the grid, aria-activedescendant names the cell
import type { VirtualItem } from '@tanstack/react-virtual'
import { memo, type ReactNode } from 'react'
import { Cell } from './cell.tsx'
import type { Place } from './movement.ts'
import { type Band, cellIn } from './use-cells.ts'

export const rowHeight = 26
export const rowNumberWidth = 64

type GridRowProps = {
  row: number
  /** Offset from the top of the grid in pixels. */
  start: number
  width: number
  columns: readonly VirtualItem[]
  band: Band
  /** Column of the active cell if it is in this row. */
  activeColumn: number | undefined
  /** Editor of the active cell, while it is edited. */
  editor: ReactNode
}

/** One row of the grid, memoized. */
export const GridRow = memo(function GridRow(props: GridRowProps) {
  const { row, start, width, columns, band, activeColumn, editor } = props
  return (
    <div
      role="row"
      aria-rowindex={row + 2}
      className="grid-row"
      style={{ width, height: rowHeight, transform: `translateY(${start}px)` }}
    >
      <span
        role="rowheader"
        aria-colindex={1}
        className={activeColumn === undefined ? 'number' : 'number here'}
        style={{ width: rowNumberWidth }}
      >
        {row + 1}
      </span>
      {columns.map((column) => {
        const cell = cellIn(band, row, column.index)
        const isActive = column.index === activeColumn
        return (
          <Cell
            key={column.key}
            id={cellId({ row, column: column.index })}
            row={row}
            column={column.index}
            left={column.start}
            width={column.size}
            text={cell?.text}
            kind={cell?.kind ?? ' '}
            isActive={isActive}
          >
            {isActive ? editor : null}
          </Cell>
        )
      })}
    </div>
  )
})

export function cellId({ row, column }: Place): string {
  return `cell-${row}-${column}`
}
