// biome-ignore-all lint/a11y/useSemanticElements: virtualized cells cannot be laid out by a table
// biome-ignore-all lint/a11y/noNoninteractiveTabindex: a scroll container must be scrollable by keyboard

import { useElementSize, useMergedRef } from '@mantine/hooks'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { NumberFormat } from '../../../contract/tables.ts'
import { taskMessages } from '../../../contract/tasks/client-messages.ts'
import { errorFieldOf } from '../../lib/query-client.ts'
import { LoadError } from '../../ui/states.tsx'
import { lineagePath } from '../lineage/lineage-path.ts'
import { useDescriptor } from '../task-descriptor.tsx'
import { DataHead } from './data-head.tsx'
import { useDataPages } from './data-pages.ts'
import type { DataCopy, DataRow } from './data-queries.ts'
import { DataRow as Row } from './data-row.tsx'
import classes from './data-table.module.css'
import { scaledScroll } from './scaled-scroll.ts'
import { layoutOf } from './table-layout.ts'
import type { TableView } from './table-view.ts'
import { ROW_HEIGHT, visiblePages, visibleRowsAt } from './visible-rows.ts'

const HEAD_HEIGHT = 38
/** Width of the column with the row numbers, in pixels. */
const NUMBERS_WIDTH = 76
// Height in pixels until the container is measured.
const USUAL_HEIGHT = 800

type Props = {
  copy: DataCopy
  view: TableView
  /** Total number of rows, loaded or not. */
  total: number
  /** The first rows, which determine column widths. */
  sample: DataRow[]
  number_formats: Record<string, NumberFormat>
  onSort: (column: string) => void
}

/**
 * Virtualized table of stored rows: only visible cells are rendered and only visible pages are loaded. A click on a column
 * header sorts by it.
 */
export function DataTable({ copy, view, total, sample, number_formats, onSort }: Props) {
  const label = useDescriptor().texts.data
  const frame = useRef<HTMLDivElement>(null)
  const size = useElementSize()
  // The table fills the window below its top edge.
  const [top, setTop] = useState(0)
  useLayoutEffect(() => setTop((frame.current?.getBoundingClientRect().top ?? 0) + window.scrollY))

  const layout = useMemo(
    () => layoutOf(view.columns, sample, number_formats),
    [view.columns, sample, number_formats],
  )
  const horizontal = useVirtualizer({
    horizontal: true,
    count: layout.length,
    getScrollElement: () => frame.current,
    estimateSize: (index) => layout[index]?.width ?? 0,
    overscan: 3,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the widths depend on the columns
  useEffect(() => horizontal.measure(), [layout])
  const items = horizontal.getVirtualItems()
  const columns = useMemo(
    () =>
      items.flatMap(({ index, start }) => {
        const column = layout[index]
        return column ? [{ ...column, index, start: start + NUMBERS_WIDTH }] : []
      }),
    [items, layout],
  )
  const width = horizontal.getTotalSize() + NUMBERS_WIDTH

  const window_height = Math.max(ROW_HEIGHT, (size.height || USUAL_HEIGHT) - HEAD_HEIGHT)
  const scroll = useMemo(() => scaledScroll(total * ROW_HEIGHT, window_height), [total, window_height])
  const [at, setAt] = useState(0)
  const seen = { view: window_height, rows: total }
  const sight = visibleRowsAt(scroll, at, seen)
  const pages = useDataPages(copy, view, visiblePages(scroll.offsetAt(at), seen))
  // A changed order scrolls back to the first row.
  // biome-ignore lint/correctness/useExhaustiveDependencies: these values define the order
  useLayoutEffect(() => {
    if (frame.current) frame.current.scrollTop = 0
  }, [view.sort, view.order, view.search, copy.version])

  const targetOf = (key: string): number | undefined => {
    // Without animation: the browser's own Home key animates, which is lost while the table has just been rendered.
    if (key === 'Home') return 0
    if (key === 'End') return scroll.height
    const direction = key === 'PageDown' ? 1 : key === 'PageUp' ? -1 : 0
    if (direction === 0 || scroll.height === total * ROW_HEIGHT) return undefined
    // In a scaled table the browser's own Page Down would skip rows.
    return scroll.scrollAt(scroll.offsetAt(at) + direction * (window_height - ROW_HEIGHT))
  }
  const scrollByKey = (event: KeyboardEvent<HTMLDivElement>) => {
    const target = event.altKey || event.ctrlKey || event.metaKey ? undefined : targetOf(event.key)
    if (target === undefined) return
    event.preventDefault()
    event.currentTarget.scrollTop = target
  }
  const search = view.search.trim().toLowerCase()
  const [column = ''] = view.columns
  const lineageOf = useCallback(
    (row: number) => lineagePath({ task_id: copy.id, row, column }),
    [copy.id, column],
  )
  const sorting = view.sort !== null && pages.rowAt(0) === undefined && pages.loading

  return (
    <>
      {pages.error && (
        <LoadError message={errorFieldOf(pages.error, taskMessages.data_failed)} onRetry={pages.retry} />
      )}
      <div
        ref={useMergedRef(frame, size.ref)}
        className={classes.frame}
        role="table"
        aria-label={label}
        aria-rowcount={total + 1}
        aria-colcount={layout.length}
        aria-busy={pages.loading}
        tabIndex={0}
        style={{ height: `calc(100dvh - ${top + 24}px)` }}
        onScroll={(event) => setAt(event.currentTarget.scrollTop)}
        onKeyDown={scrollByKey}
      >
        <DataHead columns={columns} view={view} width={width} onSort={onSort} />
        <div role="rowgroup" className={classes.body} style={{ width, height: scroll.height }}>
          <div className={classes.sight} style={{ top: sight.top }}>
            {Array.from({ length: sight.end - sight.first }, (_, n) => sight.first + n).map((row) => (
              <Row
                key={row}
                row={pages.rowAt(row)}
                index={row}
                columns={columns}
                search={search}
                lineageOf={lineageOf}
              />
            ))}
          </div>
        </div>
        {pages.loading && (
          <p className={classes.loading} role="status" data-late={sorting || undefined}>
            {sorting ? taskMessages.sorting_rows(total, view.sort ?? '') : taskMessages.loading_rows}
          </p>
        )}
      </div>
    </>
  )
}
