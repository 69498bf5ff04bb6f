import type { CellValue } from '../../../../contract/tables.ts'
import { isBlankCell } from '../../../connectors/cell-changes.ts'
import { BLANK_ROW, parseRow } from '../../../connectors/row-json.ts'

const QUOTE = 0x22
const COMMA = 0x2c
const ZERO = 0x30
const POINT = 0x2e
const EQUALS = 0x3d
const BACKSLASH = 0x5c
const LETTER_F = 0x66
const LETTER_T = 0x74
/** Numbers with more digits may be rounded when parsed. */
const MAX_EXACT_DIGITS = 15

/** Callbacks for cells, called from left to right. */
export type TakeCells = {
  /**
   * A cell with another value: the range [`start`, `end`) of its JSON in the wanted row. `isBlank`: blank in the found row; `mayBeFormula`:
   * in the found row it is a text that begins with "=".
   */
  differs: (column: number, start: number, end: number, isBlank: boolean, mayBeFormula: boolean) => void
  /** A cell with the same text in both rows that begins with "=" and so may be a formula. */
  possibleFormulas: (column: number, value: CellValue) => void
}

/**
 * Compares two JSON rows cell by cell. Parses a cell only if the same value may be serialized in several ways. Throws OriginFailure
 * `unavailable` for an invalid cell.
 */
export function compareRows(
  wanted: Uint8Array,
  found: Uint8Array,
  { differs, possibleFormulas }: TakeCells,
): void {
  const alike = lengthAlike(wanted, found)
  // Start of the current cell: after the opening bracket or after a comma.
  let [ours, theirs] = [1, 1]
  let isSeen = found.length === BLANK_ROW.length
  for (let column = 0; ; column += 1) {
    const ourEnd = endOfCell(wanted, ours)
    const isEqual = ourEnd < alike || isSame(wanted, ours, ourEnd, found, theirs)
    const theirEnd = isEqual ? theirs + ourEnd - ours : endOfCell(found, theirs)
    if (ourEnd === ours && theirEnd === theirs) return
    if (!isEqual) {
      const isBlank = isBlankCell(found, theirs, theirEnd)
      if (isOther(wanted, ours, ourEnd, found, theirs, theirEnd))
        differs(column, ours, ourEnd, isBlank, found[theirs] === QUOTE && found[theirs + 1] === EQUALS)
      else if (wanted[ours] === QUOTE) {
        const value = cellOf(wanted, ours, ourEnd)
        if (isLikeFormula(value)) possibleFormulas(column, value)
      }
    } else if (wanted[ours + 1] === EQUALS && wanted[ours] === QUOTE) {
      possibleFormulas(column, cellOf(wanted, ours, ourEnd))
    }
    // Usually only one cell of a row differs: compare the remaining bytes at once after the first one.
    if (!isEqual && !isSeen && isSameRest(wanted, ourEnd, found, theirEnd)) return
    isSeen ||= !isEqual
    ours = wanted[ourEnd] === COMMA ? ourEnd + 1 : ourEnd
    theirs = found[theirEnd] === COMMA ? theirEnd + 1 : theirEnd
  }
}

/** Byte range of the cells in columns [`from`, `to`) of a row; null if the row has fewer cells. */
export function placeOfCells(
  row: Uint8Array,
  from: number,
  to: number,
): { start: number; end: number } | null {
  let start = 1
  let end = 0
  for (let column = 0; column < to; column += 1) {
    const begin = end + 1
    end = endOfCell(row, begin)
    if (end === begin) return null
    if (column === from) start = begin
  }
  return { start, end }
}

/** JSON of the cells in columns [`from`, `to`) of a row; '' past the end of the row. */
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

/** Offset of the comma or closing bracket after the cell at `start`; `start` itself at the end of the row. */
function endOfCell(row: Uint8Array, start: number): number {
  const last = row.length - 1
  let at = start
  if (row[at] === QUOTE) {
    for (at += 1; at < last && row[at] !== QUOTE; at += 1) if (row[at] === BACKSLASH) at += 1
  }
  while (at < last && row[at] !== COMMA) at += 1
  return at
}

/** Length of the common prefix of two rows in bytes. */
function lengthAlike(one: Uint8Array, other: Uint8Array): number {
  const most = Math.min(one.length, other.length)
  let at = 0
  while (at < most && one[at] === other[at]) at += 1
  return at
}

/** Whether the other row has a cell with exactly these bytes at `otherStart`. */
function isSame(one: Uint8Array, start: number, end: number, other: Uint8Array, otherStart: number): boolean {
  const length = end - start
  const otherEnd = otherStart + length
  if (otherEnd >= other.length || (other[otherEnd] !== COMMA && otherEnd !== other.length - 1)) return false
  for (let n = 0; n < length; n += 1) if (one[start + n] !== other[otherStart + n]) return false
  return true
}

/** Whether the remaining bytes of two rows are equal and contain no text that begins with "=". */
function isSameRest(one: Uint8Array, start: number, other: Uint8Array, otherStart: number): boolean {
  const length = one.length - start
  if (other.length - otherStart !== length) return false
  let before = COMMA
  // A loop is faster than a Buffer call for so few bytes.
  for (let n = 0; n < length; n += 1) {
    const byte = one[start + n] ?? 0
    if (byte !== other[otherStart + n] || (byte === EQUALS && before === QUOTE)) return false
    before = byte
  }
  return true
}

const startsAlone = (byte: number | undefined) => byte === QUOTE || byte === LETTER_T || byte === LETTER_F

/** Whether two cells with different bytes have different values. */
function isOther(
  one: Uint8Array,
  start: number,
  end: number,
  other: Uint8Array,
  otherStart: number,
  otherEnd: number,
): boolean {
  const isBlank = isBlankCell(one, start, end)
  const isOtherBlank = isBlankCell(other, otherStart, otherEnd)
  if (isBlank || isOtherBlank) return isBlank !== isOtherBlank
  // The first byte identifies a text, true and false.
  const [first, otherFirst] = [one[start], other[otherStart]]
  if (first !== otherFirst && startsAlone(first) && startsAlone(otherFirst)) return true
  // A text without escaped characters and a plain number each have one serialization; other values have several.
  const isOnce = first === QUOTE && otherFirst === QUOTE ? isUnescaped : isPlainNumber
  if (isOnce(one, start, end) && isOnce(other, otherStart, otherEnd)) return true
  return cellOf(one, start, end) !== cellOf(other, otherStart, otherEnd)
}

function isUnescaped(row: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) if (row[at] === BACKSLASH) return false
  return true
}

/**
 * Whether the bytes are an unsigned decimal number without redundant zeros and with at most MAX_EXACT_DIGITS characters. Two such
 * numbers with different bytes are different numbers, because they are too short to be rounded.
 */
function isPlainNumber(row: Uint8Array, start: number, end: number): boolean {
  let point = end
  for (let at = start; at < end; at += 1) {
    if (row[at] === POINT && point === end) point = at
    else if (!isDigit(row[at] ?? 0)) return false
  }
  const hasZeroBefore = row[start] === ZERO && point !== start + 1
  const hasZeroBehind = point < end && row[end - 1] === ZERO
  return (
    point > start && point !== end - 1 && !hasZeroBefore && !hasZeroBehind && end - start <= MAX_EXACT_DIGITS
  )
}

const isDigit = (byte: number) => byte >= ZERO && byte < ZERO + 10

function cellOf(row: Uint8Array, start: number, end: number): CellValue {
  const text = Buffer.from(row.buffer, row.byteOffset + start, end - start).toString()
  // Number() is several times as fast as parsing a row of one cell.
  const number = Number(text)
  if (text !== '' && !Number.isNaN(number)) return number
  const [cell = null] = parseRow(`[${text}]`)
  return cell
}
