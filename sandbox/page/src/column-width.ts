import { type UseQueryResult, useQueries } from '@tanstack/react-query'
import type { CellBlock } from '../../page-calls/wire.ts'
import { blockColumns, cellBlock } from './api.ts'

const characterWidth = 8.2
const padding = 20
export const defaultColumnWidth = 84
const widest = 320
/** Number of column blocks that are fitted. Further columns keep the default width, to avoid loading every block. */
const fittedBands = 2

/** Column widths in pixels, fitted to the first hundred rows. Missing columns use the default. */
export function useColumnWidths(bookId: string, tabId: number, columnCount: number): readonly number[] {
  const bands = Math.min(fittedBands, Math.ceil(columnCount / blockColumns))
  return useQueries({
    queries: Array.from({ length: bands }, (_, band) =>
      cellBlock(bookId, tabId, { row: 0, column: band * blockColumns }),
    ),
    combine: widthsOf,
  })
}

function widthsOf(results: UseQueryResult<CellBlock>[]): number[] {
  return results.flatMap(({ data }) =>
    Array.from({ length: blockColumns }, (_, column) =>
      columnWidth(data?.shown.map((row) => row[column] ?? '') ?? []),
    ),
  )
}

/** Width in pixels that shows most of the texts. */
function columnWidth(texts: readonly string[]): number {
  const lengths = texts.map((text) => text.split('\n', 1)[0]?.length ?? 0).sort((a, b) => a - b)
  const most = lengths[Math.floor(lengths.length * 0.95)] ?? 0
  return Math.round(Math.min(Math.max(most * characterWidth + padding, defaultColumnWidth), widest))
}
