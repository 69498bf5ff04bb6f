import { limits } from '../../../contract/limits.ts'
import type { ScaledScroll } from './scaled-scroll.ts'

/** Height of a row of copied data, in pixels. */
export const ROW_HEIGHT = 36

// rows drawn beyond the window on either side; drawn anew only every so many rows
const SPARE_ROWS = 12
const step = 4

/** Which rows are drawn, up to but not including `end`, and where the first of them stands in the scrolled element, in pixels. */
export type VisibleRows = { first: number; end: number; top: number }

/** What is in sight of so many rows when they are scrolled to `at`, in a window of `view` pixels. */
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
    // a fraction that is left of the bar's own pixels would blur the text
    top: Math.round(at - offset + start * ROW_HEIGHT),
  }
}

/** Numbers of the pages that must be there: those whose rows are in sight, or will be within the threshold. */
export function visiblePages(offset: number, { view, rows }: { view: number; rows: number }): number[] {
  const page_height = limits.data_page_size * ROW_HEIGHT
  const last = Math.max(0, Math.ceil(rows / limits.data_page_size) - 1)
  const pageAt = (y: number) => Math.min(last, Math.max(0, Math.floor(y / page_height)))
  const from = pageAt(offset - limits.data_scroll_threshold_px)
  const to = pageAt(offset + view + limits.data_scroll_threshold_px)
  return Array.from({ length: to - from + 1 }, (_, n) => from + n)
}
