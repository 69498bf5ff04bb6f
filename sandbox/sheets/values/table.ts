import type { Block } from '../model/book.ts'
import type { GridView } from '../model/grid.ts'

/**
 * Finds the table that an append continues: a block of non-blank cells that touch at sides or corners and intersect `within`. If
 * there are several, the one that extends furthest down, then right. Null if all cells are blank.
 */
export function lastTable(grid: GridView, within: Block): Block | null {
  const seen = new Set<number>()
  let last: Block | null = null
  const end = Math.min(within.endRow, grid.rows.length)
  for (let row = within.startRow; row < end; row++) {
    const width = Math.min(within.endColumn, grid.rows[row]?.cells.length ?? 0)
    for (let column = within.startColumn; column < width; column++) {
      if (seen.has(key(row, column)) || grid.content(row, column) === null) continue
      const table = tableAround(grid, row, column, seen)
      if (
        !last ||
        table.endRow > last.endRow ||
        (table.endRow === last.endRow && table.endColumn > last.endColumn)
      ) {
        last = table
      }
    }
  }
  return last
}

function tableAround(grid: GridView, row: number, column: number, seen: Set<number>): Block {
  const table = { startRow: row, endRow: row + 1, startColumn: column, endColumn: column + 1 }
  const waiting: [number, number][] = [[row, column]]
  seen.add(key(row, column))
  for (let cell = waiting.pop(); cell; cell = waiting.pop()) {
    const [y, x] = cell
    table.startRow = Math.min(table.startRow, y)
    table.endRow = Math.max(table.endRow, y + 1)
    table.startColumn = Math.min(table.startColumn, x)
    table.endColumn = Math.max(table.endColumn, x + 1)
    for (let nextRow = Math.max(0, y - 1); nextRow <= y + 1; nextRow++) {
      for (let nextColumn = Math.max(0, x - 1); nextColumn <= x + 1; nextColumn++) {
        if (grid.content(nextRow, nextColumn) === null || seen.has(key(nextRow, nextColumn))) continue
        seen.add(key(nextRow, nextColumn))
        waiting.push([nextRow, nextColumn])
      }
    }
  }
  return table
}

/** Unique key; a sheet has at most 18,278 columns. */
function key(row: number, column: number): number {
  return row * 20_000 + column
}
