import { LRUCache } from 'lru-cache'
import type { Block } from '../model/book.ts'
import type { Content } from '../model/content.ts'
import type { Row } from '../model/grid.ts'

/** Bytes of JSON that are kept: of three tables of 100,000 rows and 20 columns. */
const MAX_BYTES = 48_000_000

/** Where rows stand. */
export interface Place {
  readonly spreadsheetId: string
  readonly sheetId: number
  readonly block: Block
}

/** What was made of a block, and the cells that its rows had. */
interface Piece {
  readonly cells: readonly (Content[] | undefined)[]
  readonly json: Buffer
}

const recent = new LRUCache<string, Piece>({
  maxSize: MAX_BYTES,
  sizeCalculation: ({ json }) => json.length,
})

/**
 * The JSON of a block of rows, which is made only if their cells are not what they were when it was last: a table is read again and
 * again while little of it changes. Cells that are committed never change in place, so the same lists are the same cells. `rows`: of the tab.
 */
export function recentJson(
  { spreadsheetId, sheetId, block }: Place,
  rows: readonly (Row | undefined)[],
  make: () => Buffer,
): Buffer {
  const { startRow, endRow, startColumn, endColumn } = block
  const place = [spreadsheetId, sheetId, startRow, endRow, startColumn, endColumn].join(' ')
  const found = recent.get(place)
  if (found?.cells.every((cells, index) => cells === rows[startRow + index]?.cells)) return found.json
  const json = make()
  recent.set(place, { cells: rows.slice(startRow, endRow).map((row) => row?.cells), json })
  return json
}
