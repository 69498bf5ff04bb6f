export type Place = { row: number; column: number }
export type Size = { rows: number; columns: number }

type Key = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'shiftKey'>

/** New position after a key press; undefined for other keys. */
export function moved(from: Place, event: Key, size: Size, page: number): Place | undefined {
  const far = event.ctrlKey || event.metaKey
  const to = target(from, event, far, page, size)
  if (to === undefined) return undefined
  return {
    row: Math.min(Math.max(to.row, 0), size.rows - 1),
    column: Math.min(Math.max(to.column, 0), size.columns - 1),
  }
}

function target(
  { row, column }: Place,
  event: Key,
  far: boolean,
  page: number,
  size: Size,
): Place | undefined {
  switch (event.key) {
    case 'ArrowUp':
      return { row: far ? 0 : row - 1, column }
    case 'ArrowDown':
      return { row: far ? size.rows : row + 1, column }
    case 'ArrowLeft':
      return { row, column: far ? 0 : column - 1 }
    case 'ArrowRight':
      return { row, column: far ? size.columns : column + 1 }
    case 'PageUp':
      return { row: row - page, column }
    case 'PageDown':
      return { row: row + page, column }
    case 'Home':
      return { row: far ? 0 : row, column: 0 }
    case 'End':
      return { row: far ? size.rows : row, column: size.columns }
    default:
      return undefined
  }
}
