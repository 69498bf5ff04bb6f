import type { CellValue } from '../../../contract/tables.ts'
import { BLANK_ROW, parseRow } from '../../connectors/row-json.ts'

const QUOTE = 0x22
const COMMA = 0x2c
const EQUALS = 0x3d
const BACKSLASH = 0x5c

/**
 * Takes two rows of JSON side by side, and calls `differs` with each cell that has another value in them, and `doubtful` with each
 * that is the same text in both and begins with "=", as a formula does. Only such cells are parsed, since in most rows that differ
 * most cells do not; all at once where there was no row. Throws OriginFailure `unavailable` for a cell that is none.
 */
export function compareRows(
  wanted: Uint8Array,
  found: Uint8Array,
  {
    differs,
    doubtful,
  }: {
    differs: (column: number, value: CellValue, present: CellValue) => void
    doubtful: (column: number, value: CellValue) => void
  },
): void {
  if (found.length === BLANK_ROW.length) {
    const { buffer, byteOffset, byteLength } = wanted
    for (const [column, value] of parseRow(Buffer.from(buffer, byteOffset, byteLength).toString()).entries())
      if (value !== null) differs(column, value, null)
    return
  }
  // Behind the bracket, and behind the comma that follows a cell.
  let [ours, theirs] = [1, 1]
  let isSeen = false
  for (let column = 0; ; column += 1) {
    const ourEnd = endOfCell(wanted, ours)
    const isEqual = isSame(wanted, ours, ourEnd, found, theirs)
    const theirEnd = isEqual ? theirs + ourEnd - ours : endOfCell(found, theirs)
    if (ourEnd === ours && theirEnd === theirs) return
    if (!isEqual) {
      const value = cellOf(wanted, ours, ourEnd)
      const present = cellOf(found, theirs, theirEnd)
      if (value !== present) differs(column, value, present)
      else if (isLikeFormula(value)) doubtful(column, value)
    } else if (wanted[ours + 1] === EQUALS && wanted[ours] === QUOTE) {
      doubtful(column, cellOf(wanted, ours, ourEnd))
    }
    // Mostly one cell of a row differs.
    if (!isEqual && !isSeen && isSameRest(wanted, ourEnd, found, theirEnd)) return
    isSeen ||= !isEqual
    ours = wanted[ourEnd] === COMMA ? ourEnd + 1 : ourEnd
    theirs = found[theirEnd] === COMMA ? theirEnd + 1 : theirEnd
  }
}

/** The JSON of a row's cells from column `from` up to, not including, `to`; '' past its end. */
export function cellsWithin(row: Uint8Array, from: number, to: number): string[] {
  const json = Buffer.from(row.buffer, row.byteOffset, row.byteLength)
  const cells: string[] = []
  let start = 1
  for (let column = 0; column < to; column += 1) {
    const end = endOfCell(row, start)
    if (column >= from) cells.push(json.toString('utf8', start, end))
    start = row[end] === COMMA ? end + 1 : end
  }
  return cells
}

const isLikeFormula = (value: CellValue) => typeof value === 'string' && value.startsWith('=')

/** Where the cell that begins here is followed by a comma or the row's end; here, when the row is over. */
function endOfCell(row: Uint8Array, start: number): number {
  const last = row.length - 1
  let at = start
  if (row[at] === QUOTE) {
    for (at += 1; at < last && row[at] !== QUOTE; at += 1) if (row[at] === BACKSLASH) at += 1
  }
  while (at < last && row[at] !== COMMA) at += 1
  return at
}

/** Whether a cell of one row stands in the other one from `otherStart` on, and nothing more of a cell behind it. */
function isSame(one: Uint8Array, start: number, end: number, other: Uint8Array, otherStart: number): boolean {
  const length = end - start
  const otherEnd = otherStart + length
  if (otherEnd >= other.length || (other[otherEnd] !== COMMA && otherEnd !== other.length - 1)) return false
  for (let n = 0; n < length; n += 1) if (one[start + n] !== other[otherStart + n]) return false
  return true
}

/** Whether two rows go on alike, and without a text that begins with "=". */
function isSameRest(one: Uint8Array, start: number, other: Uint8Array, otherStart: number): boolean {
  const length = one.length - start
  if (other.length - otherStart !== length) return false
  const rest = Buffer.from(one.buffer, one.byteOffset + start, length)
  return rest.compare(other, otherStart) === 0 && !rest.includes('"=')
}

function cellOf(row: Uint8Array, start: number, end: number): CellValue {
  if (end === start) return null
  const [cell = null] = parseRow(
    `[${Buffer.from(row.buffer, row.byteOffset + start, end - start).toString()}]`,
  )
  return cell
}
