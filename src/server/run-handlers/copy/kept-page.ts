import type { NumberedRow } from '../../connectors/connector.ts'
import type { KeptRows } from './kept-rows.ts'

const ROWS_PER_PAGE = 1_000

/** Rows of a copy that are at hand, from a data row on; none: that one is not. */
export function keptPage(kept: KeptRows, from: number): NumberedRow[] {
  const page: NumberedRow[] = []
  for (let row = from; page.length < ROWS_PER_PAGE; row += 1) {
    const json = kept.get(row)
    if (!json) break
    page.push({ row, json })
  }
  return page
}
