// biome-ignore-all lint/a11y/useSemanticElements: a table element cannot hold 100,000 rows of which 40 exist
// biome-ignore-all lint/a11y/useFocusableInteractive: focus stays on the grid, aria-activedescendant names the cell
import { useVirtualizer } from '@tanstack/react-virtual'
import { type ClipboardEvent, type KeyboardEvent, type MouseEvent, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { CellEditor } from './cell.tsx'
import { columnName } from './column-name.ts'
import { defaultColumnWidth, useColumnWidths } from './column-width.ts'
import { cellId, GridRow, rowHeight, rowNumberWidth } from './grid-row.tsx'
import { moved, type Place } from './movement.ts'
import { cellIn, useCells } from './use-cells.ts'

type GridProps = {
  bookId: string
  tab: { id: number; title: string; row_count: number; column_count: number }
  version: number
  active: Place
  onMove: (to: Place) => void
  /** Entered texts, starting at the given cell. */
  onEnter: (at: Place, typed: string[][]) => void
  /** Text for editing of the active cell; undefined while loading. */
  source: string | undefined
}

/** A tab as an editable grid: arrow keys move, Enter, F2 or typing edit, Delete clears, paste fills a block. */
export function Grid({ bookId, tab, version, active, onMove, onEnter, source }: GridProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const [draft, setDraft] = useState<string>()
  const size = { rows: tab.row_count, columns: tab.column_count }
  const { rows, columns } = useVisible(bookId, tab, () => scroller.current)
  const visibleRows = rows.getVirtualItems()
  const visibleColumns = columns.getVirtualItems()
  const bandOf = useCells(bookId, tab.id, version, {
    firstRow: visibleRows[0]?.index ?? 0,
    lastRow: visibleRows.at(-1)?.index ?? 0,
    firstColumn: visibleColumns[0]?.index ?? 0,
    lastColumn: visibleColumns.at(-1)?.index ?? 0,
  })

  const goTo = (to: Place) => {
    onMove(to)
    rows.scrollToIndex(to.row)
    columns.scrollToIndex(to.column)
  }
  const close = (typed: string | undefined) => {
    if (typed !== undefined && typed !== source) onEnter(active, [[typed]])
    setDraft(undefined)
  }
  const finish = (typed: string | undefined, step: { rows: number; columns: number }) => {
    // Removes the editor before the grid takes the focus. Otherwise its blur event would save a second time.
    flushSync(() => close(typed))
    scroller.current?.focus({ preventScroll: true })
    goTo({
      row: Math.min(active.row + step.rows, size.rows - 1),
      column: Math.max(0, Math.min(active.column + step.columns, size.columns - 1)),
    })
  }

  const onKeyDown = (event: KeyboardEvent) => {
    if (draft !== undefined) return
    const page = Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight) - 2
    const to = moved(active, event, size, page)
    const types = event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey
    if (to !== undefined) goTo(to)
    else if (event.key === 'Enter' || event.key === 'F2') setDraft(source)
    else if (event.key === 'Delete' || event.key === 'Backspace') onEnter(active, [['']])
    else if (types) setDraft(event.key)
    else return
    event.preventDefault()
  }
  const onClick = ({ target }: MouseEvent) => {
    const cell = target instanceof Element ? target.closest<HTMLElement>('[data-row]') : null
    if (cell !== null) onMove({ row: Number(cell.dataset.row), column: Number(cell.dataset.column) })
  }
  const onPaste = (event: ClipboardEvent) => {
    const text = event.clipboardData.getData('text/plain').replace(/\r?\n$/, '')
    if (draft !== undefined || text === '') return
    onEnter(
      active,
      text.split(/\r?\n/).map((line) => line.split('\t')),
    )
  }
  const onCopy = (event: ClipboardEvent) => {
    if (draft !== undefined) return
    event.clipboardData.setData(
      'text/plain',
      cellIn(bandOf(active.row), active.row, active.column)?.text ?? '',
    )
    event.preventDefault()
  }

  const width = columns.getTotalSize()
  const editor =
    draft === undefined ? null : (
      <CellEditor
        name={columnName(active.column) + String(active.row + 1)}
        draft={draft}
        onChange={setDraft}
        onDone={finish}
        onLeave={close}
      />
    )

  return (
    <div
      ref={scroller}
      className="grid"
      role="grid"
      aria-label={tab.title}
      aria-rowcount={size.rows + 1}
      aria-colcount={size.columns + 1}
      aria-activedescendant={cellId(active)}
      tabIndex={0}
      onClick={onClick}
      onDoubleClick={() => setDraft(source)}
      onKeyDown={onKeyDown}
      onPaste={onPaste}
      onCopy={onCopy}
    >
      <div role="row" aria-rowindex={1} className="grid-head" style={{ width, height: rowHeight }}>
        <span role="columnheader" aria-colindex={1} className="corner" style={{ width: rowNumberWidth }}>
          <span className="for-readers">Row</span>
        </span>
        {visibleColumns.map((column) => (
          <span
            key={column.key}
            role="columnheader"
            aria-colindex={column.index + 2}
            className={column.index === active.column ? 'name here' : 'name'}
            style={{ left: column.start, width: column.size }}
          >
            {columnName(column.index)}
          </span>
        ))}
      </div>
      <div role="presentation" style={{ width, height: rows.getTotalSize() - rowHeight }}>
        {visibleRows.map((row) => (
          <GridRow
            key={row.key}
            row={row.index}
            start={row.start}
            width={width}
            columns={visibleColumns}
            band={bandOf(row.index)}
            activeColumn={row.index === active.row ? active.column : undefined}
            editor={row.index === active.row ? editor : null}
          />
        ))}
      </div>
    </div>
  )
}

/** Visible rows and columns. The header covers the first pixels. */
function useVisible(bookId: string, tab: GridProps['tab'], getScrollElement: () => HTMLDivElement | null) {
  const rows = useVirtualizer({
    count: tab.row_count,
    getScrollElement,
    estimateSize: () => rowHeight,
    paddingStart: rowHeight,
    scrollPaddingStart: rowHeight,
    overscan: 8,
  })
  const widths = useColumnWidths(bookId, tab.id, tab.column_count)
  const columns = useVirtualizer({
    horizontal: true,
    count: tab.column_count,
    getScrollElement,
    estimateSize: (column) => widths[column] ?? defaultColumnWidth,
    paddingStart: rowNumberWidth,
    scrollPaddingStart: rowNumberWidth,
    overscan: 2,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: other widths are the reason to measure again
  useEffect(() => columns.measure(), [columns, widths])
  return { rows, columns }
}
