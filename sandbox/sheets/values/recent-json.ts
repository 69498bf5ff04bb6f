import { LRUCache } from 'lru-cache'
import type { Block } from '../model/book.ts'
import type { Content } from '../model/content.ts'
import type { Row } from '../model/grid.ts'

/** Size of the cache in bytes: about three tables of 100,000 rows and 20 columns. */
const MAX_BYTES = 48_000_000

/** Identifies a block of rows. */
export interface Place {
  readonly spreadsheetId: string
  readonly sheetId: number
  readonly block: Block
}

/** Serialized block and the cell arrays that it was built from. */
interface Piece {
  readonly cells: readonly (Content[] | undefined)[]
  readonly json: Buffer
}

const recent = new LRUCache<string, Piece>({
  maxSize: MAX_BYTES,
  sizeCalculation: ({ json }) => json.length,
})

/**
 * Returns the JSON of a block of rows from a cache. Committed cell arrays are immutable, so an entry is valid as long as the arrays
 * are identical. `rows`: rows of the tab.
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
