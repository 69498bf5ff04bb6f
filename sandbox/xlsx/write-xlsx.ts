import { type CellObject, utils, type WorkSheet, write } from '@e965/xlsx'
import { invalid } from '../google-error.ts'
import type { Book, Sheet } from '../sheets/model/book.ts'
import type { CellFormat } from '../sheets/model/cell-format.ts'
import { CellError, type Content, Formula } from '../sheets/model/content.ts'
import { patternOf } from '../sheets/values/number-format.ts'
import { Reader } from '../sheets/values/read.ts'

export const xlsxType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

const mostCharacters = 32_767
const longestTitle = 31

const errorCodes: Record<string, number> = {
  '#NULL!': 0x00,
  '#DIV/0!': 0x07,
  '#VALUE!': 0x0f,
  '#REF!': 0x17,
  '#NAME?': 0x1d,
  '#NUM!': 0x24,
  '#N/A': 0x2a,
}

/** Writes a book as .xlsx with values, formulas, results and number formats. Throws 400 with the cell that cannot be written. */
export function writeXlsx(book: Book): Buffer {
  const workbook = utils.book_new()
  const reader = new Reader(book)
  const titles = new Set<string>()
  for (const sheet of book.sheets) {
    const title = freeTitle(sheet.title, titles)
    titles.add(title.toLowerCase())
    utils.book_append_sheet(workbook, worksheetOf(book, sheet, reader), title)
  }
  const file: unknown = write(workbook, { type: 'buffer', bookType: 'xlsx', compression: true })
  if (!Buffer.isBuffer(file)) throw new Error('The .xlsx writer gave no buffer')
  return file
}

function worksheetOf(book: Book, sheet: Sheet, reader: Reader): WorkSheet {
  let width = 1
  // The library requires every row of the range, including blank ones.
  const data = Array.from({ length: Math.max(sheet.grid.rows.length, 1) }, (_, row) => {
    const line = sheet.grid.rows[row]
    const end = Math.max(line?.cells.length ?? 0, line?.formats?.length ?? 0)
    width = Math.max(width, end)
    const cells: CellObject[] = []
    for (let column = 0; column < end; column += 1) {
      const format = book.formats.get(line?.formats?.[column] ?? 0)
      const cell = cellOf(line?.cells[column] ?? null, format, () => resultOf(reader, sheet, row, column))
      if (typeof cell?.v === 'string' && cell.v.length > mostCharacters) {
        const address = utils.encode_cell({ r: row, c: column })
        throw invalid(
          `${sheet.title}!${address} has more than the ${mostCharacters} characters that .xlsx allows.`,
        )
      }
      if (cell !== undefined) cells[column] = cell
    }
    return cells
  })
  const range = { s: { r: 0, c: 0 }, e: { r: data.length - 1, c: width - 1 } }
  return { '!data': data, '!ref': utils.encode_range(range) }
}

function resultOf(reader: Reader, sheet: Sheet, row: number, column: number) {
  const block = { startRow: row, endRow: row + 1, startColumn: column, endColumn: column + 1 }
  const read = { values: 'UNFORMATTED_VALUE', dates: 'SERIAL_NUMBER' } as const
  return reader.valueRange(sheet, block, 'ROWS', read).values?.[0]?.[0]
}

function cellOf(
  content: Content,
  format: CellFormat,
  result: () => string | number | boolean | undefined,
): CellObject | undefined {
  const pattern = format.numberFormat && patternOf(format.numberFormat)
  const dress = pattern === undefined ? {} : { z: pattern }
  if (content instanceof Formula) return { ...scalar(result() ?? ''), f: content.text.slice(1), ...dress }
  if (content instanceof CellError) return { ...scalar(content.text), ...dress }
  if (content !== null) return { ...scalar(content, false), ...dress }
  return pattern === undefined ? undefined : { t: 'z', ...dress }
}

/** Converts a value to a cell. Text that names an error becomes an error unless the cell type is text. */
function scalar(value: string | number | boolean, readsErrors = true): CellObject {
  if (typeof value === 'number') return { t: 'n', v: value }
  if (typeof value === 'boolean') return { t: 'b', v: value }
  const code = readsErrors && Object.hasOwn(errorCodes, value) ? errorCodes[value] : undefined
  return code === undefined ? { t: 's', v: value } : { t: 'e', v: code, w: value }
}

/** Converts a title to the rules of .xlsx: no []:*?/\ characters, at most 31 characters, unique. */
function freeTitle(title: string, taken: ReadonlySet<string>): string {
  const allowed =
    title
      .replaceAll(/[[\]:*?/\\]/g, '_')
      .replaceAll(/^'|'$/g, '_')
      .slice(0, longestTitle) || '_'
  for (let number = 1; ; number += 1) {
    const suffix = number === 1 ? '' : ` (${number})`
    const candidate = allowed.slice(0, longestTitle - suffix.length) + suffix
    if (!taken.has(candidate.toLowerCase())) return candidate
  }
}
