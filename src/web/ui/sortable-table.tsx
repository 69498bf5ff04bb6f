import {
  closestCenter,
  DndContext,
  type DragEndEvent,
  MeasuringStrategy,
  type UniqueIdentifier,
} from '@dnd-kit/core'
import { arrayMove, SortableContext, verticalListSortingStrategy } from '@dnd-kit/sortable'
import { useMediaQuery } from '@mantine/hooks'
import { defaultRangeExtractor, useWindowVirtualizer } from '@tanstack/react-virtual'
import { useLayoutEffect, useMemo, useRef, useState } from 'react'
import { frameMessages } from '../../contract/system/client-messages.ts'

import { moveAnnouncements } from './move-announcements.ts'
import { useMoveSensors } from './move-sensors.ts'
import { type SortableColumn, type SortableItem, SortableRow } from './sortable-row.tsx'
import classes from './sortable-table.module.css'

declare module 'react' {
  interface CSSProperties {
    /** Column widths of a table. */
    '--columns'?: string
  }
}

// Tables up to this size are not virtualized, so that find-in-page and screen readers reach every row.
const ALL_AT_ONCE = 100

type Props<Row> = {
  label: string
  columns: readonly SortableColumn<Row>[]
  rows: readonly Row[]
  /** Receives the ids of all rows in their new order; null: rows cannot be moved. */
  onReorder: ((ids: number[]) => void) | null
}

/**
 * A table on wide screens, cards on narrow ones, whose rows can be reordered by pointer, touch and keyboard. Long lists are
 * virtualized: only the rows near the viewport and the dragged row are rendered.
 */
export function SortableTable<Row extends SortableItem>({ label, columns, rows, onReorder }: Props<Row>) {
  const ids = useMemo(() => rows.map(({ id }) => id), [rows])
  const announcements = useMemo(() => moveAnnouncements(rows), [rows])
  const [moved, setMoved] = useState<UniqueIdentifier | null>(null)
  const sensors = useMoveSensors()
  const cards = useMediaQuery('(max-width: 56em)', false, { getInitialValueInEffect: false })
  const body = useRef<HTMLTableSectionElement>(null)
  const [top, setTop] = useState(0)
  // Filters and window size change the height of the content above the table.
  useLayoutEffect(() => setTop(Math.round((body.current?.getBoundingClientRect().top ?? 0) + window.scrollY)))
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => 49,
    getItemKey: (index) => ids[index] ?? index,
    scrollMargin: top,
    gap: cards ? 12 : 0,
    measureElement: (element) => element.getBoundingClientRect().height,
    overscan: rows.length <= ALL_AT_ONCE ? ALL_AT_ONCE : 8,
    rangeExtractor: (range) => {
      const near = defaultRangeExtractor(range)
      const place = moved === null ? -1 : ids.indexOf(Number(moved))
      return place < 0 || near.includes(place) ? near : [...near, place].sort((a, b) => a - b)
    },
  })
  const drop = ({ active, over }: DragEndEvent) => {
    setMoved(null)
    const [from, to] = [ids.indexOf(Number(active.id)), ids.indexOf(Number(over?.id))]
    if (from >= 0 && to >= 0 && from !== to) onReorder?.(arrayMove(ids, from, to))
  }
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      // Rows are mounted during the drag.
      measuring={{ droppable: { strategy: MeasuringStrategy.Always } }}
      accessibility={{
        announcements,
        screenReaderInstructions: { draggable: frameMessages.move_instructions },
      }}
      onDragStart={({ active }) => setMoved(active.id)}
      onDragCancel={() => setMoved(null)}
      onDragEnd={drop}
    >
      <table
        className={classes.table}
        aria-label={label}
        aria-rowcount={rows.length + 1}
        style={{ '--columns': columns.map(({ width }) => width).join(' ') }}
      >
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.label} scope="col" data-place={column.place}>
                {column.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={body} style={{ height: virtual.getTotalSize() }}>
          <SortableContext items={ids} strategy={verticalListSortingStrategy}>
            {virtual.getVirtualItems().map(({ index, key, start }) => {
              const row = rows[index]
              return (
                row && (
                  <SortableRow
                    key={key}
                    row={row}
                    index={index}
                    top={start - top}
                    columns={columns}
                    movable={onReorder !== null}
                    measure={virtual.measureElement}
                  />
                )
              )
            })}
          </SortableContext>
        </tbody>
      </table>
    </DndContext>
  )
}
