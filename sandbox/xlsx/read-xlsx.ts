import { type CellObject, read } from '@e965/xlsx'
import { getFormatInfo } from 'numfmt'
import { invalid } from '../google-error.ts'
import type { NewBook } from '../sheets/changes/create-book.ts'
import type { NumberFormatType } from '../sheets/model/cell-format.ts'
import { isErrorText } from '../sheets/model/content.ts'

type NewSheet = NonNullable<NewBook['sheets']>[number]
type NewCell = NonNullable<NonNullable<NewSheet['rows']>[number]>[number]

/** Days between the first days of the 1904 and 1900 calendars. */
const macintoshOffset = 1_462

const zipMark = Buffer.from('PK\x03\x04', 'latin1')

const types: Partial<Record<ReturnType<typeof getFormatInfo>['type'], NumberFormatType>> = {
  date: 'DATE',
  time: 'TIME',
  datetime: 'DATE_TIME',
  currency: 'CURRENCY',
  percent: 'PERCENT',
  scientific: 'SCIENTIFIC',
  text: 'TEXT',
  number: 'NUMBER',
  grouped: 'NUMBER',
  fraction: 'NUMBER',
}

/** Reads tabs with values, formulas and number formats from an .xlsx file. Throws 400 for other files. */
export function readXlsx(file: Buffer): NewSheet[] {
  // The library would parse any text as CSV.
  if (!file.subarray(0, 4).equals(zipMark)) throw invalid('This is not an .xlsx file.')
  const workbook = parseWorkbook(file)
  const is1904 = workbook.Workbook?.WBProps?.date1904 === true
  const sheets = workbook.SheetNames.map((title): NewSheet => {
    const grid = workbook.Sheets[title]?.['!data'] ?? []
    const rows = Array.from(grid, (row) => Array.from(row ?? [], (cell) => newCell(cell, is1904)))
    const width = rows.reduce((widest, row) => Math.max(widest, row.length), 0)
    return { title, rowCount: Math.max(1_000, rows.length), columnCount: Math.max(26, width), rows }
  })
  if (sheets.length === 0) throw invalid('This .xlsx file has no sheets.')
  return sheets
}

function parseWorkbook(file: Buffer) {
  try {
    return read(file, { dense: true, cellNF: true, cellFormula: true, cellHTML: false, cellText: true })
  } catch (error) {
    throw invalid(`This .xlsx file cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function newCell(cell: CellObject | undefined, is1904: boolean): NewCell {
  if (cell === undefined) return undefined
  const value = contentOf(cell, is1904)
  const pattern = typeof cell.z === 'string' && cell.z !== 'General' ? cell.z : undefined
  const type = pattern === undefined ? undefined : formatType(pattern)
  return pattern === undefined || type === undefined
    ? value
    : { value, format: { numberFormat: { type, pattern } } }
}

function formatType(pattern: string): NumberFormatType | undefined {
  const type = types[getFormatInfo(pattern).type]
  // [$-409] is a language, [$€-407] a currency. The library misses quoted signs.
  const isMoney = /[$€£¥]/.test(pattern.replaceAll(/\[\$-[^[\]]*\]/g, ''))
  return type === 'NUMBER' && isMoney ? 'CURRENCY' : type
}

function contentOf(cell: CellObject, is1904: boolean) {
  if (cell.f !== undefined) return { formula: `=${cell.f.replaceAll(/_xl(?:fn|ws)\./g, '')}` }
  if (cell.t === 'e')
    return isErrorText(cell.w ?? '') ? { error: errorText(cell.w) } : { error: '#ERROR!' as const }
  if (cell.v instanceof Date || cell.v === undefined) return null
  const isDate = typeof cell.z === 'string' && ['date', 'datetime'].includes(getFormatInfo(cell.z).type)
  return typeof cell.v === 'number' && isDate && is1904 ? cell.v + macintoshOffset : cell.v
}

function errorText(shown: string | undefined) {
  return shown !== undefined && isErrorText(shown) ? shown : '#ERROR!'
}
