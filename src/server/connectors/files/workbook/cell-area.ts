import { cellAddress } from '../../google-sheets/a1.ts'

/** Rows and columns of a sheet of Excel. */
export const MAX_ROWS = 1_048_576
export const MAX_COLUMNS = 16_384

/** Cells of a tab, counted from 0, both ends inclusive. */
export type CellArea = { top: number; left: number; bottom: number; right: number }

const AREA = /^\$?([A-Z]{1,3})?\$?(\d{1,7})?(?::\$?([A-Z]{1,3})?\$?(\d{1,7})?)?$/i

/** Parses A1, A1:B7, A:C or 1:7, also with $; null for anything else. */
export function parseArea(text: string): CellArea | null {
  const [matched, left, top, right = left, bottom = top] = AREA.exec(text) ?? []
  if (matched === undefined || matched === '' || (left === undefined && top === undefined)) return null
  // A lone column or row is a name, not an area.
  if ((left === undefined || top === undefined) && !text.includes(':')) return null
  const area = {
    top: top === undefined ? 0 : Number(top) - 1,
    left: left === undefined ? 0 : columnIndex(left),
    bottom: bottom === undefined ? MAX_ROWS - 1 : Number(bottom) - 1,
    right: right === undefined ? MAX_COLUMNS - 1 : columnIndex(right),
  }
  const isInside = area.top >= 0 && area.bottom < MAX_ROWS && area.right < MAX_COLUMNS
  return isInside && area.top <= area.bottom && area.left <= area.right ? area : null
}

/** An area as A1 or A1:B7. */
export function areaText({ top, left, bottom, right }: CellArea): string {
  const first = cellAddress(top, left)
  return top === bottom && left === right ? first : `${first}:${cellAddress(bottom, right)}`
}

/** The smallest area around two. */
export const around = (one: CellArea, other: CellArea): CellArea => ({
  top: Math.min(one.top, other.top),
  left: Math.min(one.left, other.left),
  bottom: Math.max(one.bottom, other.bottom),
  right: Math.max(one.right, other.right),
})

export const contains = ({ top, left, bottom, right }: CellArea, row: number, column: number): boolean =>
  row >= top && row <= bottom && column >= left && column <= right

export const overlaps = (one: CellArea, other: CellArea): boolean =>
  one.top <= other.bottom && other.top <= one.bottom && one.left <= other.right && other.left <= one.right

/** Index of the column of an address such as B7, counted from 0; -1 if it does not begin with letters. */
export function columnOf(address: string): number {
  let column = 0
  for (let at = 0; at < address.length; at += 1) {
    // Upper-case letters; other spellings are refused.
    const letter = address.charCodeAt(at) - 64
    if (letter < 1 || letter > 26) break
    column = column * 26 + letter
  }
  return column - 1
}

const columnIndex = (letters: string) => columnOf(letters.toUpperCase())

const PLAIN_NAME = /^(?:'((?:[^']|'')+)'|([^'!,]+))!([$A-Z\d:]+)$/i

/** The tab and area of a text such as 'Price list'!$A$1:$C$20; null for other formulas. */
export function namedArea(text: string): { tab: string | null; area: CellArea | null } {
  const [, inQuotes, bare, cells = ''] = PLAIN_NAME.exec(text) ?? []
  const tab = inQuotes?.replaceAll("''", "'") ?? bare ?? null
  const area = parseArea(cells)
  return tab === null || area === null ? { tab: null, area: null } : { tab, area }
}
