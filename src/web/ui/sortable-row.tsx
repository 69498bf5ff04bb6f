import { useSortable } from '@dnd-kit/sortable'
import { useMergedRef } from '@mantine/hooks'
import { IconGripVertical } from '@tabler/icons-react'
import type { ReactNode, Ref } from 'react'
import { limits } from '../../contract/limits.ts'
import { frameMessages } from '../../contract/system/client-messages.ts'

import classes from './sortable-table.module.css'

/** What a row must have: its id and what it is called. */
export type SortableItem = { id: number; name: string }

/** A column by its title and its width as a grid has it; the one at `name` names its row, `corner` is where a card has its actions, a card has no `number`. */
export type SortableColumn<Row> = {
  label: string
  width: string
  cell: (row: Row) => ReactNode
  place?: 'name' | 'number' | 'end' | 'corner'
}

type Props<Row> = {
  row: Row
  /** Its place among all rows, from 0. */
  index: number
  /** Pixels from the first row. */
  top: number
  columns: readonly SortableColumn<Row>[]
  movable: boolean
  measure: Ref<HTMLTableRowElement>
}

const transition = { duration: limits.drag_animation_ms, easing: 'ease' }

/** A row at its place, with the handle that moves it where rows can be moved. */
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
