// Cells of stored rows, found in their bytes: an array of texts, numbers, booleans and nulls as JSON.stringify writes it. Rows from
// before migration 0069 have a space after each comma.

import type { CellValue } from '../../../../contract/tables.ts'
import { LOADING, SPREADSHEET_ERRORS } from '../../../snapshots/spreadsheet-errors.ts'

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const SPACE = 0x20
const BRACKET = 0x5b
const CLOSING_BRACKET = 0x5d
const BRACE = 0x7b
const NULL = 0x6e
const TRUE = 0x74
const FALSE = 0x66
const LAST_OF_ASCII = 0x7e
const MINUS = 0x2d
const ZERO = 0x30
const NINE = 0x39

const ERRORS = new Set<string>([...SPREADSHEET_ERRORS, ...LOADING].map((error) => `"${error}"`))
const MAX_ERROR_BYTES = Math.max(...[...ERRORS].map((error) => Buffer.byteLength(error)))
const ERROR_FIRST_BYTES = new Uint8Array(256)
for (const error of ERRORS) ERROR_FIRST_BYTES[error.charCodeAt(1)] = 1

/** Where the cell that starts at `start` ends. Throws TypeError for an array or an object. */
export function cellEnd(bytes: Uint8Array, start: number): number {
  const first = bytes[start]
  let at = start
  if (first === QUOTE) {
    for (at += 1; bytes[at] !== QUOTE; at += 1) if (bytes[at] === BACKSLASH) at += 1
    return at + 1
  }
  if (first === NULL || first === TRUE) return start + 4
  if (first === FALSE) return start + 5
  if (first === BRACKET || first === BRACE) throw new TypeError('A cell of a stored row is no plain value')
  while (bytes[at] !== COMMA && bytes[at] !== CLOSING_BRACKET) at += 1
  return at
}

/** Writes the start and end of each cell of a row to `bounds`, two entries per cell, and returns the number of cells. */
export function findCells(bytes: Uint8Array, start: number, bounds: Int32Array): number {
  let count = 0
  let at = start + 1
  while (bytes[at] !== CLOSING_BRACKET) {
    if (bytes[at] === COMMA) at += bytes[at + 1] === SPACE ? 2 : 1
    const end = cellEnd(bytes, at)
    bounds[2 * count] = at
    bounds[2 * count + 1] = end
    count += 1
    at = end
  }
  return count
}

/** Where a cell of a row starts; -1: the row is shorter. */
export function cellStart(bytes: Uint8Array, start: number, column: number): number {
  let at = start + 1
  for (let n = 0; n < column && bytes[at] !== CLOSING_BRACKET; n += 1) {
    at = cellEnd(bytes, at)
    if (bytes[at] === COMMA) at += bytes[at + 1] === SPACE ? 2 : 1
  }
  return bytes[at] === CLOSING_BRACKET ? -1 : at
}

/** Whether a cell is null or an empty text. */
export const isEmptyCell = (bytes: Uint8Array, start: number, end: number): boolean =>
  bytes[start] === NULL || (end - start === 2 && bytes[start] === QUOTE)

/** Whether a cell is an empty text or a text of white space only, escaped or not. */
export function isWhitespaceText(bytes: Buffer, start: number, end: number): boolean {
  if (bytes[start] !== QUOTE) return false
  const first = bytes[start + 1] ?? 0
  // The first character decides for nearly all texts, without parsing them.
  if (first > SPACE && first <= LAST_OF_ASCII && first !== BACKSLASH) return false
  return String(JSON.parse(bytes.toString('utf8', start, end))).trim() === ''
}

export const isNumberCell = (bytes: Uint8Array, start: number): boolean => {
  const first = bytes[start] ?? 0
  return first === MINUS || (first >= ZERO && first <= NINE)
}

/** The value of a cell. Only texts with escapes or other characters than ASCII are parsed as JSON. */
export function cellValue(bytes: Buffer, start: number, end: number): CellValue {
  if (isNumberCell(bytes, start)) return Number(bytes.toString('latin1', start, end))
  if (bytes[start] !== QUOTE) return bytes[start] === TRUE ? true : bytes[start] === FALSE ? false : null
  for (let at = start + 1; at < end - 1; at += 1) {
    const byte = bytes[at] ?? 0
    if (byte === BACKSLASH || byte > LAST_OF_ASCII) return JSON.parse(bytes.toString('utf8', start, end))
  }
  return bytes.toString('latin1', start + 1, end - 1)
}

/** Whether a cell is a spreadsheet error such as #N/A, or a text that a spreadsheet shows while it computes. */
export const isErrorCell = (bytes: Buffer, start: number, end: number): boolean =>
  bytes[start] === QUOTE &&
  ERROR_FIRST_BYTES[bytes[start + 1] ?? 0] === 1 &&
  end - start <= MAX_ERROR_BYTES &&
  ERRORS.has(bytes.toString('utf8', start, end))
