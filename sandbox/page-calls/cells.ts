import type { Book, Sheet } from '../sheets/model/book.ts'
import { Formula } from '../sheets/model/content.ts'
import { isDateFormat } from '../sheets/values/number-format.ts'
import { Reader, type Rendering } from '../sheets/values/read.ts'
import { userEntered } from '../sheets/values/user-entered.ts'
import type { CellBlock, CellSource } from './wire.ts'

type Window = { row: number; column: number; rows: number; columns: number }

const shownValues: Rendering = { values: 'FORMATTED_VALUE', dates: 'FORMATTED_STRING' }
const typedValues: Rendering = { values: 'UNFORMATTED_VALUE', dates: 'SERIAL_NUMBER' }

/** Reads a block of displayed cells, clipped to the grid. */
export function readBlock(book: Book, sheet: Sheet, window: Window): Omit<CellBlock, 'version'> {
  const block = {
    startRow: Math.min(window.row, sheet.rowCount),
    endRow: Math.min(window.row + window.rows, sheet.rowCount),
    startColumn: Math.min(window.column, sheet.columnCount),
    endColumn: Math.min(window.column + window.columns, sheet.columnCount),
  }
  const reader = new Reader(book)
  const read = (rendering: Rendering) => reader.valueRange(sheet, block, 'ROWS', rendering).values ?? []
  const shown = read(shownValues).map((row) => row.map(String))
  const kinds = read(typedValues).map((row, y) =>
    row.map((value, x) => kindOf(value, sheet.get(block.startRow + y, block.startColumn + x))).join(''),
  )
  return { shown, kinds }
}

function kindOf(value: string | number | boolean, cell: ReturnType<Sheet['get']>): string {
  if (typeof value === 'number') return 'n'
  if (typeof value === 'boolean') return 'b'
  if (value === '') return ' '
  const calculated = typeof cell === 'object' && cell !== null
  return calculated && value.startsWith('#') ? 'e' : 't'
}

/** Text of a cell when editing starts. */
export function sourceOf(book: Book, sheet: Sheet, row: number, column: number): CellSource {
  const format = sheet.format(row, column)
  const number_format = format.numberFormat?.pattern ?? format.numberFormat?.type ?? null
  return { text: editText(book, sheet, row, column), number_format }
}

function editText(book: Book, sheet: Sheet, row: number, column: number): string {
  const content = sheet.grid.content(row, column)
  if (content === null) return ''
  if (content instanceof Formula) return content.text
  const format = sheet.format(row, column)
  const shown = () => readBlock(book, sheet, { row, column, rows: 1, columns: 1 }).shown[0]?.[0] ?? ''
  if (typeof content === 'number') {
    return isDateFormat(format) || format.numberFormat?.type === 'PERCENT'
      ? exactly(shown(), content)
      : String(content)
  }
  if (typeof content !== 'string') return shown()
  const keepsItself = userEntered(content, new Date()).content === content
  // As in Sheets, a leading apostrophe keeps text that would otherwise be parsed.
  return keepsItself || format.numberFormat?.type === 'TEXT' ? content : `'${content}`
}

/** The displayed text if parsing it returns the number, otherwise the number. */
function exactly(shown: string, value: number): string {
  return userEntered(shown, new Date()).content === value ? shown : String(value)
}
