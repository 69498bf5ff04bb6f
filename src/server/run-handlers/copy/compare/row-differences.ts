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
/** A number with more digits may not be the number that is written. */
const MOST_DIGITS = 15

/** What is called with cells, from left to right. */
export type TakeCells = {
  /** A cell with another value: its JSON in the row that is wanted, from `start` up to, not including, `end`, and whether it is blank in the other one. */
  differs: (column: number, start: number, end: number, isBlank: boolean) => void
  /** One that is the same text in both and begins with "=", as a formula does. */
  possibleFormulas: (column: number, value: CellValue) => void
}

/**
 * Takes two rows of JSON side by side. Cells are parsed only where the same value may be written in two ways. Throws OriginFailure
 * `unavailable` for a cell that is none.
 */
export function compareRows(
  wanted: Uint8Array,
  found: Uint8Array,
  { differs, possibleFormulas }: TakeCells,
): void {
  const alike = lengthAlike(wanted, found)
  // Behind the bracket, and behind the comma that follows a cell.
  let [ours, theirs] = [1, 1]
  let isSeen = found.length === BLANK_ROW.length
  for (let column = 0; ; column += 1) {
    const ourEnd = endOfCell(wanted, ours)
    const isEqual = ourEnd < alike || isSame(wanted, ours, ourEnd, found, theirs)
    const theirEnd = isEqual ? theirs + ourEnd - ours : endOfCell(found, theirs)
    if (ourEnd === ours && theirEnd === theirs) return
    if (!isEqual) {
      const isBlank = isBlankCell(found, theirs, theirEnd)
      if (isOther(wanted, ours, ourEnd, found, theirs, theirEnd)) differs(column, ours, ourEnd, isBlank)
      else if (wanted[ours] === QUOTE) {
        const value = cellOf(wanted, ours, ourEnd)
        if (isLikeFormula(value)) possibleFormulas(column, value)
      }
    } else if (wanted[ours + 1] === EQUALS && wanted[ours] === QUOTE) {
      possibleFormulas(column, cellOf(wanted, ours, ourEnd))
    }
    // Mostly one cell of a row differs.
    if (!isEqual && !isSeen && isSameRest(wanted, ourEnd, found, theirEnd)) return
    isSeen ||= !isEqual
    ours = wanted[ourEnd] === COMMA ? ourEnd + 1 : ourEnd
    theirs = found[theirEnd] === COMMA ? theirEnd + 1 : theirEnd
  }
}

/** Where the cells from column `from` up to, not including, `to` begin and end in a row; null where it does not have them all. */
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

/** Where the cell that begins here is onFirstRequest by a comma or the row's end; here, when the row is over. */
function endOfCell(row: Uint8Array, start: number): number {
  const last = row.length - 1
  let at = start
  if (row[at] === QUOTE) {
    for (at += 1; at < last && row[at] !== QUOTE; at += 1) if (row[at] === BACKSLASH) at += 1
  }
  while (at < last && row[at] !== COMMA) at += 1
  return at
}

/** How many bytes two rows have in common from their beginning on. */
function lengthAlike(one: Uint8Array, other: Uint8Array): number {
  const most = Math.min(one.length, other.length)
  let at = 0
  while (at < most && one[at] === other[at]) at += 1
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
  let before = COMMA
  // By hand: it is mostly shorter than what a call of Buffer's takes.
  for (let n = 0; n < length; n += 1) {
    const byte = one[start + n] ?? 0
    if (byte !== other[otherStart + n] || (byte === EQUALS && before === QUOTE)) return false
    before = byte
  }
  return true
}

const startsAlone = (byte: number | undefined) => byte === QUOTE || byte === LETTER_T || byte === LETTER_F

/** Whether two cells whose bytes are not the same have other values. */
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
  // A text, true and false tell themselves by how they begin.
  const [first, otherFirst] = [one[start], other[otherStart]]
  if (first !== otherFirst && startsAlone(first) && startsAlone(otherFirst)) return true
  // A text without escaped characters is written in one way, and so is a plain number; others are in many.
  const isOnce = first === QUOTE && otherFirst === QUOTE ? isUnescaped : isPlainNumber
  if (isOnce(one, start, end) && isOnce(other, otherStart, otherEnd)) return true
  return cellOf(one, start, end) !== cellOf(other, otherStart, otherEnd)
}

function isUnescaped(row: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) if (row[at] === BACKSLASH) return false
  return true
}

/**
 * Whether these are the digits of a number without a sign, with or without a point among them, and no zero too many at either end. Two
 * of them that are written otherwise are other numbers, since they have too few digits to be rounded.
 */
function isPlainNumber(row: Uint8Array, start: number, end: number): boolean {
  let point = end
  for (let at = start; at < end; at += 1) {
    if (row[at] === POINT && point === end) point = at
    else if (!isDigit(row[at] ?? 0)) return false
  }
  const hasZeroBefore = row[start] === ZERO && point !== start + 1
  const hasZeroBehind = point < end && row[end - 1] === ZERO
  return point > start && point !== end - 1 && !hasZeroBefore && !hasZeroBehind && end - start <= MOST_DIGITS
}

const isDigit = (byte: number) => byte >= ZERO && byte < ZERO + 10

function cellOf(row: Uint8Array, start: number, end: number): CellValue {
  const text = Buffer.from(row.buffer, row.byteOffset + start, end - start).toString()
  // By itself, which is several times as fast as a row of one.
  const number = Number(text)
  if (text !== '' && !Number.isNaN(number)) return number
  const [cell = null] = parseRow(`[${text}]`)
  return cell
}
