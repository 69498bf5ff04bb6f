import { closestCenter, DndContext } from '@dnd-kit/core'
import { arrayMove, SortableContext, useSortable, verticalListSortingStrategy } from '@dnd-kit/sortable'
import { IconGripVertical } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { limits } from '../../contract/limits.ts'
import { frameMessages } from '../../contract/system/client-messages.ts'

import { moveAnnouncements } from './move-announcements.ts'
import { useMoveSensors } from './move-sensors.ts'
import classes from './sortable-list.module.css'
import type { SortableItem } from './sortable-row.tsx'

type Props<Row> = {
  label: string
  rows: readonly Row[]
  /** Receives the ids of all rows in their new order. */
  onReorder: (ids: number[]) => void
  children: (row: Row) => ReactNode
}

const transition = { duration: limits.drag_animation_ms, easing: 'ease' }

/** A short list whose rows can be reordered by pointer, touch and keyboard. */
export function SortableList<Row extends SortableItem>({ label, rows, onReorder, children }: Props<Row>) {
  const ids = rows.map(({ id }) => id)
  return (
    <DndContext
      sensors={useMoveSensors()}
      collisionDetection={closestCenter}
      accessibility={{
        announcements: moveAnnouncements(rows),
        screenReaderInstructions: { draggable: frameMessages.move_instructions },
      }}
      onDragEnd={({ active, over }) => {
        const [from, to] = [ids.indexOf(Number(active.id)), ids.indexOf(Number(over?.id))]
        if (from >= 0 && to >= 0 && from !== to) onReorder(arrayMove(ids, from, to))
      }}
    >
      <SortableContext items={ids} strategy={verticalListSortingStrategy}>
        <ol className={classes.list} aria-label={label}>
          {rows.map((row) => (
            <Item key={row.id} row={row}>
              {children(row)}
            </Item>
          ))}
        </ol>
      </SortableContext>
    </DndContext>
  )
}

function Item({ row, children }: { row: SortableItem; children: ReactNode }) {
  const sortable = useSortable({ id: row.id, transition })
  const y = sortable.transform?.y
  return (
    <li
      ref={sortable.setNodeRef}
      className={classes.item}
      data-dragging={sortable.isDragging || undefined}
      style={{
        transform: y === undefined ? undefined : `translateY(${Math.round(y)}px)`,
        transition: sortable.transition,
      }}
    >
      <button
        type="button"
        ref={sortable.setActivatorNodeRef}
        className={classes.handle}
        {...sortable.attributes}
        {...sortable.listeners}
        aria-label={frameMessages.move_row(row.name)}
        // Escape cancels the drag and does not close the surrounding dialog.
        data-mantine-stop-propagation={sortable.isDragging || undefined}
      >
        <IconGripVertical size={17} aria-hidden />
      </button>
      {children}
    </li>
  )
}
