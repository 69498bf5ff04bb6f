import { withoutEnd } from '../without-end.ts'
import type { ValueNotes } from './value-notes.ts'

/** JSON of a blank cell, for both null and an empty string. */
export const BLANK_CELL = '""'

// Digits that a double always holds.
const SAFE_DIGITS = 15

/** JSON of a text. NUL and unpaired surrogates, which PostgreSQL cannot store, become U+FFFD. */
export function textCell(text: string, column: number, notes: ValueNotes): string {
  if (!text.includes('\0') && text.isWellFormed()) return JSON.stringify(text)
  notes.add('nul', column)
  return JSON.stringify(text.toWellFormed().replaceAll('\0', '\uFFFD'))
}

/** JSON of an exact number: a number if a double holds all of its digits, else a text. */
export function exactCell(text: string, column: number, notes: ValueNotes): string {
  const number = Number(text)
  if (Number.isFinite(number) && isExact(text, number)) return String(number + 0)
  // NaN and Infinity lose nothing as text.
  if (/\d/.test(text)) notes.add('long_number', column)
  return JSON.stringify(text)
}

/** JSON of a floating-point number; NaN and Infinity become text. */
export function floatCell(value: string | number): string {
  const number = Number(value)
  return Number.isFinite(number) ? String(number + 0) : JSON.stringify(String(value))
}

/** JSON of bytes: \x and two hexadecimal digits each. */
export function bytesCell(bytes: Uint8Array, column: number, notes: ValueNotes): string {
  notes.add('bytes', column)
  return `"\\\\x${Buffer.from(bytes).toString('hex')}"`
}

/** A row's JSON from the JSON of its cells, without trailing blank ones. */
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

/** Removes trailing zeros of the fraction. */
const shortest = (text: string) => (text.includes('.') ? withoutEnd(withoutEnd(text, '0'), '.') : text)
