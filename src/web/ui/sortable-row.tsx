import { useSortable } from '@dnd-kit/sortable'
import { useMergedRef } from '@mantine/hooks'
import { IconGripVertical } from '@tabler/icons-react'
import type { ReactNode, Ref } from 'react'
import { limits } from '../../contract/limits.ts'
import { frameMessages } from '../../contract/system/client-messages.ts'

import classes from './sortable-table.module.css'

/** Required fields of a row: id, and name for announcements. */
export type SortableItem = { id: number; name: string }

/** A column; `width` as in a grid. `name` is the row header; in a card, `corner` holds the actions and `number` is hidden. */
export type SortableColumn<Row> = {
  label: string
  width: string
  cell: (row: Row) => ReactNode
  place?: 'name' | 'number' | 'end' | 'corner'
}

type Props<Row> = {
  row: Row
  /** Index among all rows, from 0. */
  index: number
  /** Offset in pixels from the first row. */
  top: number
  columns: readonly SortableColumn<Row>[]
  movable: boolean
  measure: Ref<HTMLTableRowElement>
}

const transition = { duration: limits.drag_animation_ms, easing: 'ease' }

/** A positioned row, with a drag handle if rows can be moved. */
export function SortableRow<Row extends SortableItem>({
  row,
  index,
  top,
  columns,
  movable,
  measure,
}: Props<Row>) {
  const sortable = useSortable({ id: row.id, disabled: !movable, transition })
  const y = sortable.transform?.y
  return (
    <tr
      ref={useMergedRef(sortable.setNodeRef, measure)}
      className={classes.row}
      data-index={index}
      data-dragging={sortable.isDragging || undefined}
      aria-rowindex={index + 2}
      style={{
        top,
        transform: y === undefined ? undefined : `translateY(${Math.round(y)}px)`,
        transition: sortable.transition,
      }}
    >
      {columns.map(({ label, cell, place }) => {
        if (place === 'name')
          return (
            <th key={label} scope="row">
              {movable && (
                <button
                  type="button"
                  ref={sortable.setActivatorNodeRef}
                  className={classes.handle}
                  {...sortable.attributes}
                  {...sortable.listeners}
                  aria-label={frameMessages.move_row(row.name)}
                >
                  <IconGripVertical size={17} aria-hidden />
                </button>
              )}
              <span className={classes.name}>{cell(row)}</span>
            </th>
          )
        return (
          <td key={label} data-label={label} data-place={place}>
            {cell(row)}
          </td>
        )
      })}
    </tr>
  )
}
