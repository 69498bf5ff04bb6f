// biome-ignore-all lint/a11y/useSemanticElements: cells that come and go with the scrolling cannot be laid out by a table
// biome-ignore-all lint/a11y/useFocusableInteractive: rows and cells are read, not operated
// biome-ignore-all lint/a11y/noNoninteractiveTabindex: whatever scrolls must scroll by keyboard
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { limits } from '../../../../contract/limits.ts'
import type { CellValue } from '../../../../contract/sync-tasks.ts'
import type { CopyView } from '../api.ts'
import { cellText, layoutOf } from './copy-view.ts'
import classes from './data-table.module.css'

const row_height = 36

type Props = {
  rows: Record<string, CellValue>[]
  view: CopyView
  /** Rows there are, loaded or not. */
  total: number
  loading: boolean
  /** The end of what is loaded comes into sight. */
  onEnd: () => void
  onSort: (column: string) => void
}

/** Copied rows; only the cells in sight exist. A click on a column's head sorts by it. */
export function DataTable({ rows, view, total, loading, onEnd, onSort }: Props) {
  const frame = useRef<HTMLDivElement>(null)
  // the frame reaches down to the end of the window, whatever stands above it
  const [top, setTop] = useState(0)
  useLayoutEffect(() => setTop((frame.current?.getBoundingClientRect().top ?? 0) + window.scrollY))
  const layout = useMemo(() => layoutOf(view.columns, rows), [view.columns, rows])
  const vertical = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => row_height,
    overscan: 10,
  })
  const horizontal = useVirtualizer({
    horizontal: true,
    count: layout.length,
    getScrollElement: () => frame.current,
    estimateSize: (index) => layout[index]?.width ?? 0,
    overscan: 3,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the widths follow the columns
  useEffect(() => horizontal.measure(), [layout])

  const nearEnd = () => {
    const { scrollTop = 0, clientHeight = 0, scrollHeight = 0 } = frame.current ?? {}
    if (scrollHeight - scrollTop - clientHeight <= limits.data_scroll_threshold_px) onEnd()
  }
  const columns = horizontal.getVirtualItems().flatMap((item) => {
    const column = layout[item.index]
    return column ? [{ ...item, ...column }] : []
  })
  const width = horizontal.getTotalSize()
  return (
    <div
      ref={frame}
      className={classes.frame}
      role="table"
      aria-label="Copied data"
      aria-rowcount={total + 1}
      aria-colcount={layout.length}
      aria-busy={loading}
      tabIndex={0}
      style={{ height: `calc(100dvh - ${top + 24}px)` }}
      onScroll={nearEnd}
    >
      <div role="rowgroup" className={classes.head} style={{ width }}>
        <div role="row" aria-rowindex={1}>
          {columns.map(({ column, index, start, size, numeric }) => {
            const sorted = view.sort === column
            const Icon = view.order === 'asc' ? IconArrowUp : IconArrowDown
            return (
              <span
                key={column}
                role="columnheader"
                aria-colindex={index + 1}
                aria-sort={sorted ? (view.order === 'asc' ? 'ascending' : 'descending') : 'none'}
                className={classes.cell}
                data-numeric={numeric || undefined}
                style={{ left: start, width: size }}
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
      <div role="rowgroup" className={classes.body} style={{ width, height: vertical.getTotalSize() }}>
        {vertical.getVirtualItems().map(({ index: row, start: top }) => (
          <div
            key={row}
            role="row"
            aria-rowindex={row + 2}
            className={classes.row}
            data-even={row % 2 === 1 || undefined}
            style={{ transform: `translateY(${top}px)` }}
          >
            {columns.map(({ column, index, start, size, numeric }) => {
              const text = cellText(rows[row]?.[column])
              return (
                <span
                  key={column}
                  role="cell"
                  aria-colindex={index + 1}
                  className={classes.cell}
                  data-numeric={numeric || undefined}
                  style={{ left: start, width: size }}
                  title={text.length > 30 ? text : undefined}
                >
                  {text}
                </span>
              )
            })}
          </div>
        ))}
      </div>
      {loading && (
        <p className={classes.loading} role="status">
          Loading more rows…
        </p>
      )}
    </div>
  )
}
