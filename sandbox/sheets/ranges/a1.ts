/** Half-open block from 0. A missing side is open, as in `A2:C` or `3:5`. */
export interface Area {
  readonly startRow?: number
  readonly endRow?: number
  readonly startColumn?: number
  readonly endColumn?: number
}

interface Corner {
  readonly row: number | undefined
  readonly column: number | undefined
}

const A1_CORNER = /^\$?([A-Za-z]{1,3})?\$?([1-9]\d{0,8})?$/
const R1C1_CORNER = /^R([1-9]\d{0,8})C([1-9]\d{0,8})$/i

/** Parses `A1`, `A1:B2`, `A:C`, `2:5`, `A2:C` or `R1C1:R2C2`; null for other text, including `B` and `2`. */
export function parseArea(text: string): Area | null {
  const parts = text.split(':')
  if (parts.length > 2) return null
  const corners = parts.map((part) => r1c1Corner(part) ?? a1Corner(part))
  const [first, second] = corners
  if (!first || second === null) return null
  if (second === undefined) {
    const { row, column } = first
    if (row === undefined || column === undefined) return null
    return { startRow: row, endRow: row + 1, startColumn: column, endColumn: column + 1 }
  }
  const rows = span(first.row, second.row)
  const columns = span(first.column, second.column)
  if (!rows && !columns) return null
  // `5:A` is neither rows nor columns.
  if (first.row === undefined && second.column === undefined) return null
  if (first.column === undefined && second.row === undefined) return null
  return {
    ...(rows && { startRow: rows.start, ...(rows.end !== undefined && { endRow: rows.end }) }),
    ...(columns && {
      startColumn: columns.start,
      ...(columns.end !== undefined && { endColumn: columns.end }),
    }),
  }
}

/** A for 0, Z for 25, AA for 26. */
export function columnName(index: number): string {
  let name = ''
  for (let rest = index; rest >= 0; rest = Math.floor(rest / 26) - 1) {
    name = String.fromCharCode(65 + (rest % 26)) + name
  }
  return name
}

/** 0 for A or a. */
function columnIndex(letters: string): number {
  let index = 0
  for (const letter of letters.toUpperCase()) index = index * 26 + letter.charCodeAt(0) - 64
  return index - 1
}

/** `A1:B2`, `A1` for a single cell, `A:C` and `A2:C` for open sides. */
export function areaText(area: Area): string {
  const { startRow, endRow, startColumn, endColumn } = area
  const start = corner(startRow ?? (endRow === undefined ? undefined : 0), startColumn)
  const end = corner(
    endRow === undefined ? undefined : endRow - 1,
    endColumn === undefined ? undefined : endColumn - 1,
  )
  const closed = startColumn !== undefined && startRow !== undefined
  return closed && start === end ? start : `${start}:${end}`
}

/** Tab title in a range: quoted unless it is a plain word (dots allowed) that is not a cell reference. */
export function titleText(title: string): string {
  const plain = /^[A-Za-z_][\w.]*$/.test(title) && parseArea(title) === null
  return plain ? title : `'${title.replaceAll("'", "''")}'`
}

function corner(row: number | undefined, column: number | undefined): string {
  return `${column === undefined ? '' : columnName(column)}${row === undefined ? '' : row + 1}`
}

function a1Corner(text: string): Corner | null {
  const match = text === '' ? null : A1_CORNER.exec(text)
  if (!match) return null
  const [, letters, digits] = match
  if (!letters && !digits) return null
  return { row: digits ? Number(digits) - 1 : undefined, column: letters ? columnIndex(letters) : undefined }
}

function r1c1Corner(text: string): Corner | null {
  const match = R1C1_CORNER.exec(text)
  return match ? { row: Number(match[1]) - 1, column: Number(match[2]) - 1 } : null
}

/** Orders two bounds; a single bound starts an open range. */
function span(a: number | undefined, b: number | undefined): { start: number; end?: number } | null {
  if (a === undefined && b === undefined) return null
  if (a === undefined || b === undefined) return { start: a ?? b ?? 0 }
  return { start: Math.min(a, b), end: Math.max(a, b) + 1 }
}
