import { withoutEnd } from '../without-end.ts'
import type { ValueNotes } from './value-notes.ts'

/** A blank cell as it stands in a row's JSON, whether the database has null or an empty text there. */
export const BLANK_CELL = '""'

// What a double surely holds, whatever the digits are.
const SAFE_DIGITS = 15

/** A text as a cell of a row's JSON. What PostgreSQL cannot store, NUL and halves of surrogate pairs, becomes U+FFFD. */
export function textCell(text: string, column: number, notes: ValueNotes): string {
  if (!text.includes('\0') && text.isWellFormed()) return JSON.stringify(text)
  notes.add('nul', column)
  return JSON.stringify(text.toWellFormed().replaceAll('\0', '\uFFFD'))
}

/** An exact number as a cell: a number where a double holds it to its last digit, else the text as the database writes it. */
export function exactCell(text: string, column: number, notes: ValueNotes): string {
  const number = Number(text)
  if (Number.isFinite(number) && isExact(text, number)) return String(number + 0)
  // NaN and Infinity lose nothing as text.
  if (/\d/.test(text)) notes.add('long_number', column)
  return JSON.stringify(text)
}

/** A floating-point number, which is a double already; NaN and Infinity become text. */
export function floatCell(value: string | number): string {
  const number = Number(value)
  return Number.isFinite(number) ? String(number + 0) : JSON.stringify(String(value))
}

/** Bytes as text: \x and two hexadecimal digits for each. */
export function bytesCell(bytes: Uint8Array, column: number, notes: ValueNotes): string {
  notes.add('bytes', column)
  return `"\\\\x${Buffer.from(bytes).toString('hex')}"`
}

/** Cells as a row's JSON, without blank ones at its end. */
export function rowOf(cells: string[]): string {
  let length = cells.length
  while (length > 0 && cells[length - 1] === BLANK_CELL) length -= 1
  return `[${(length === cells.length ? cells : cells.slice(0, length)).join(',')}]`
}

function isExact(text: string, number: number): boolean {
  const digits = text.replace(/^-|\./g, '').replace(/^0+/, '')
  if (digits.length <= SAFE_DIGITS) return number !== 0 || /^0*$/.test(digits)
  return shortest(text) === String(number)
}

/** Without zeros at the end of its fraction. */
const shortest = (text: string) => (text.includes('.') ? withoutEnd(withoutEnd(text, '0'), '.') : text)
