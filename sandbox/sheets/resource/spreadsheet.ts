import { covers, type Mask, maskAt } from '../fields/mask.ts'
import { Calculator } from '../formula/calculate.ts'
import type { Block, BookView, NamedRange, SheetView } from '../model/book.ts'
import type { Found } from '../ranges/resolve.ts'
import { DEFAULT_FORMAT, DEFAULT_THEME } from './defaults.ts'
import { gridData } from './grid-data.ts'
import { gridRangeJson } from './grid-range.ts'
import { layersJson } from './layers.ts'
import { sheetPropertiesJson } from './sheet-properties.ts'

/** Tabs to include (default: all), and whether to include cells. */
export interface View {
  readonly found: readonly Found[]
  /** Email address of the reader. */
  readonly reader: string
  readonly gridData: boolean
  /** The mask that is applied to the reply, used to skip work; null without one. */
  readonly mask: Mask | null
}

/** Builds the Spreadsheet resource. */
export function spreadsheetJson(id: string, book: BookView, { found, reader, gridData: wanted, mask }: View) {
  const shown = book.sheets.filter(
    (sheet) => found.length === 0 || found.some((range) => range.sheet === sheet),
  )
  const calculator = new Calculator(book)
  const sheets = shown.map((sheet) => ({
    properties: sheetPropertiesJson(sheet, book.sheets.indexOf(sheet)),
    ...(wanted && {
      data: blocksOf(sheet, found).map((block) => gridData(book, calculator, sheet, block, partsOf(mask))),
    }),
    ...layersJson(book, sheet, reader),
    ...(sheet.basicFilter && {
      basicFilter: { range: gridRangeJson(sheet.id, sheet.basicFilter.range), ...sheet.basicFilter.rest },
    }),
  }))
  return {
    spreadsheetId: id,
    properties: {
      title: book.title,
      locale: book.locale,
      autoRecalc: 'ON_CHANGE',
      timeZone: book.timeZone,
      defaultFormat: DEFAULT_FORMAT,
      spreadsheetTheme: DEFAULT_THEME,
    },
    sheets,
    ...(book.namedRanges.length > 0 && { namedRanges: book.namedRanges.map(namedRangeJson) }),
    spreadsheetUrl: `https://docs.google.com/spreadsheets/d/${id}/edit`,
  }
}

export function namedRangeJson({ namedRangeId, name, sheetId, ...area }: NamedRange) {
  return { namedRangeId, name, range: gridRangeJson(sheetId, area) }
}

function blocksOf(sheet: SheetView, found: readonly Found[]): Block[] {
  const blocks = found.filter((range) => range.sheet === sheet).map(({ block }) => block)
  const { rowCount, columnCount } = sheet.grid
  return blocks.length > 0
    ? blocks
    : [{ startRow: 0, endRow: rowCount, startColumn: 0, endColumn: columnCount }]
}

function partsOf(mask: Mask | null) {
  const wants = (part: string) => mask === null || covers(mask, ['sheets', 'data', part])
  return {
    cells: wants('rowData'),
    rows: wants('rowMetadata'),
    columns: wants('columnMetadata'),
    cellMask: maskAt(mask, ['sheets', 'data', 'rowData', 'values']),
  }
}
