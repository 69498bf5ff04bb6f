import { type CellObject, read, type WorkBook, type WorkSheet } from '@e965/xlsx'
import { fileMessages } from '../../../../contract/files/server-messages.ts'
import type { CellValue, NumberFormat } from '../../../../contract/tables.ts'
import { cellAddress } from '../../google-sheets/a1.ts'
import { namedArea, parseArea } from './cell-area.ts'
import { errorText, fromFileDate } from './cell-values.ts'
import { MergedCells } from './merged-cells.ts'
import { formatOfPattern } from './number-formats.ts'
import { broken, refusal } from './refusal.ts'
import {
  type DefinedName,
  type SheetRow,
  type Workbook,
  type WorkbookTab,
  withoutBlankEnd,
} from './workbook.ts'
import { storableText } from './xml-text.ts'

const ROWS_PER_BATCH = 1_000

/** Opens an .xls or .ods file, which is read as a whole and cannot be written. Throws OriginFailure. */
export function openOldWorkbook(content: Buffer, file: string): Workbook {
  const book = parse(content, file)
  const countsFrom1904 = book.Workbook?.WBProps?.date1904 === true
  const patterns = new Patterns()
  const tabs = book.SheetNames.map(
    (name, index): WorkbookTab => ({
      name,
      id: String(index + 1),
      isHidden: (book.Workbook?.Sheets?.[index]?.Hidden ?? 0) !== 0,
      isGrid: book.Sheets[name]?.['!type'] !== 'chart',
    }),
  )
  const sheetOf = (tab: WorkbookTab) => book.Sheets[tab.name]
  return {
    file,
    isWritable: false,
    tabs,
    names: namesOf(book),
    tables: [],
    countsFrom1904,
    statedArea: async (tab) => parseArea(sheetOf(tab)?.['!ref'] ?? ''),
    async *readTab(tab, { columns = Number.POSITIVE_INFINITY } = {}) {
      const sheet = sheetOf(tab)
      if (sheet) yield* batches(rowsOf(sheet, { columns, countsFrom1904, patterns, tab: tab.name }))
    },
    format: (style) => patterns.format(style),
    close: async () => {},
  }
}

function parse(content: Buffer, file: string): WorkBook {
  // The library reports oddities of files on the console, and cannot be told not to.
  const { error } = console
  console.error = () => undefined
  try {
    return read(content, { dense: true, cellNF: true, cellText: false, cellHTML: false, cellFormula: true })
  } catch (cause) {
    if (cause instanceof Error && /password|encrypt/i.test(cause.message))
      throw refusal(fileMessages.encrypted(file), 'invalid', cause)
    throw broken(file, fileMessages.content_invalid, cause)
  } finally {
    console.error = error
  }
}

type OldContext = { columns: number; countsFrom1904: boolean; patterns: Patterns; tab: string }

function* rowsOf(sheet: WorkSheet, context: OldContext): Generator<SheetRow> {
  const merged = new MergedCells(
    (sheet['!merges'] ?? []).map(({ s, e }) => ({ top: s.r, left: s.c, bottom: e.r, right: e.c })),
  )
  // Rows and cells without a value are missing from the library's arrays.
  const grid: ((CellObject | undefined)[] | undefined)[] = sheet['!data'] ?? []
  for (const [index, found = []] of grid.entries()) {
    merged.moveTo(index)
    const row: SheetRow = {
      row: index + 1,
      cells: [],
      styles: [],
      isHidden: sheet['!rows']?.[index]?.hidden === true,
      formulas: [],
    }
    for (const [column, cell] of found.slice(0, context.columns).entries()) {
      if (cell?.f !== undefined && cell.v === undefined)
        throw refusal(fileMessages.formula_without_value(cellAddress(index, column), context.tab))
      const { value, style } = cell && !merged.covers(index, column) ? contentOf(cell, context) : BLANK
      row.cells.push(value)
      row.styles.push(style)
    }
    row.formulas = found.flatMap((cell, column) => (cell?.f === undefined ? [] : [column]))
    withoutBlankEnd(row)
    if (row.cells.length > 0) yield row
  }
}

const BLANK = { value: null, style: 0 }

function contentOf(
  { t, v, z }: CellObject,
  { patterns, countsFrom1904 }: OldContext,
): { value: CellValue; style: number } {
  const style = typeof z === 'string' && z !== 'General' ? patterns.number(z) : 0
  if (t === 'e') return { value: errorText(ERROR_CODES.get(Number(v)) ?? ''), style }
  if (typeof v === 'string') return { value: v === '' ? null : storableText(v), style }
  if (typeof v === 'number') {
    const type = patterns.format(style)?.type
    const isDate = type === 'DATE' || type === 'DATE_TIME'
    return { value: isDate ? fromFileDate(v, countsFrom1904) : v, style }
  }
  return { value: typeof v === 'boolean' ? v : null, style }
}

/** Errors as files of Excel 97 number them. */
const ERROR_CODES = new Map([
  [0x00, '#NULL!'],
  [0x07, '#DIV/0!'],
  [0x0f, '#VALUE!'],
  [0x17, '#REF!'],
  [0x1d, '#NAME?'],
  [0x24, '#NUM!'],
  [0x2a, '#N/A'],
  [0x2b, '#GETTING_DATA'],
])

function* batches(rows: Iterable<SheetRow>): Generator<SheetRow[]> {
  let batch: SheetRow[] = []
  for (const row of rows) {
    batch.push(row)
    if (batch.length < ROWS_PER_BATCH) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

function namesOf(book: WorkBook): DefinedName[] {
  return (book.Workbook?.Names ?? []).map(({ Name, Ref, Sheet }) => ({
    name: Name,
    scope: Sheet === undefined ? null : (book.SheetNames[Sheet] ?? null),
    ...namedArea(Ref),
  }))
}

/** Number formats by the numbers that rows carry. */
class Patterns {
  readonly #numbers = new Map<string, number>()
  readonly #formats: (NumberFormat | null)[] = [null]

  number(pattern: string): number {
    const known = this.#numbers.get(pattern)
    if (known !== undefined) return known
    this.#formats.push(formatOfPattern(pattern))
    this.#numbers.set(pattern, this.#formats.length - 1)
    return this.#formats.length - 1
  }

  format(style: number): NumberFormat | null {
    return this.#formats[style] ?? null
  }
}
