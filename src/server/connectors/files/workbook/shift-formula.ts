import { columnLetters } from '../../google-sheets/a1.ts'
import { columnOf, MAX_COLUMNS, MAX_ROWS } from './cell-area.ts'

/** Texts and quoted names, which stay; then what may be a reference. Names, functions and numbers are matched to be passed over. */
const PARTS =
  /"(?:[^"]|"")*"|'(?:[^']|'')*'|\$?[A-Z]{1,3}\$?\d+(?![\w.(])|\$?[A-Z]{1,3}:\$?[A-Z]{1,3}(?![\w.(])|\$?\d+:\$?\d+(?![\w.])|[\p{L}_\\][\p{L}\p{N}_.\\]*|\d+(?:\.\d*)?(?:E[+-]?\d+)?/giu

/** A formula as Excel fills it into a cell so many rows and columns away: references move unless they have a `$`. */
export const shiftFormula = (formula: string, rows: number, columns: number): string =>
  formula.replace(PARTS, (part) => {
    if (/^["']/.test(part)) return part
    const cell = /^(\$?)([A-Z]{1,3})(\$?)(\d+)$/i.exec(part)
    if (cell) {
      const [, fixedColumn = '', letters = '', fixedRow = '', digits = ''] = cell
      const column = movedColumn(fixedColumn, letters, columns)
      const row = movedRow(fixedRow, digits, rows)
      return column === null || row === null ? '#REF!' : column + row
    }
    const whole = /^(\$?)([A-Z]{1,3}|\d+):(\$?)([A-Z]{1,3}|\d+)$/i.exec(part)
    if (!whole) return part
    const [, fixedFirst = '', first = '', fixedLast = '', last = ''] = whole
    const move = (fixed: string, text: string) =>
      /^\d/.test(text) ? movedRow(fixed, text, rows) : movedColumn(fixed, text, columns)
    const [from, to] = [move(fixedFirst, first), move(fixedLast, last)]
    return from === null || to === null ? '#REF!' : `${from}:${to}`
  })

function movedColumn(fixed: string, letters: string, by: number): string | null {
  const column = columnOf(letters.toUpperCase()) + (fixed === '' ? by : 0)
  return column < 0 || column >= MAX_COLUMNS ? null : fixed + columnLetters(column)
}

function movedRow(fixed: string, digits: string, by: number): string | null {
  const row = Number(digits) + (fixed === '' ? by : 0)
  return row < 1 || row > MAX_ROWS ? null : fixed + row
}
