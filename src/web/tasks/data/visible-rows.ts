import { limits } from '../../../contract/limits.ts'
import type { ScaledScroll } from './scaled-scroll.ts'

/** Row height in pixels. */
export const ROW_HEIGHT = 36

// Overscan: rows rendered beyond the viewport on either side.
const SPARE_ROWS = 12
const step = 4

/** Range of rendered rows, `end` exclusive, and the offset in pixels of the first one in the scrolled element. */
export type VisibleRows = { first: number; end: number; top: number }

/** Rows to render at scroll offset `at` in a viewport of `view` pixels. */
export function visibleRowsAt(
  scroll: ScaledScroll,
  at: number,
  { view, rows }: { view: number; rows: number },
): VisibleRows {
  const offset = scroll.offsetAt(at)
  const first = Math.max(0, Math.floor(offset / ROW_HEIGHT) - SPARE_ROWS)
  const end = Math.ceil((offset + view) / ROW_HEIGHT) + SPARE_ROWS
  const start = first - (first % step)
  return {
    first: start,
    end: Math.min(rows, end + step - (end % step)),
    // Fractions of a pixel would blur the text.
    top: Math.round(at - offset + start * ROW_HEIGHT),
  }
}

/** Numbers of the pages to load: those with visible rows, or rows within the prefetch threshold. */
export function visiblePages(offset: number, { view, rows }: { view: number; rows: number }): number[] {
  const page_height = limits.data_page_size * ROW_HEIGHT
  const last = Math.max(0, Math.ceil(rows / limits.data_page_size) - 1)
  const pageAt = (y: number) => Math.min(last, Math.max(0, Math.floor(y / page_height)))
  const from = pageAt(offset - limits.data_scroll_threshold_px)
  const to = pageAt(offset + view + limits.data_scroll_threshold_px)
  return Array.from({ length: to - from + 1 }, (_, n) => from + n)
}
