import { z } from 'zod'
import { invalid } from '../google-error.ts'
import type { Books } from './books.ts'
import { parseMessage, protoJson } from './requests/parse-json.ts'
import { RowList, SHAPES } from './requests/shapes.ts'
import { checkCellLimit, checkSheetId, checkSize } from './requests/targets.ts'
import { spreadsheetJson } from './resource/spreadsheet.ts'

const Data = z.strictObject({
  startRow: z.number().int().default(0),
  startColumn: z.number().int().default(0),
  rowData: RowList,
  rowMetadata: z.unknown().optional(),
  columnMetadata: z.unknown().optional(),
})

const Body = z.strictObject({
  spreadsheetId: z.string().optional(),
  spreadsheetUrl: z.string().optional(),
  properties: SHAPES.updateSpreadsheetProperties.shape.properties,
  sheets: z
    .array(
      z.strictObject({
        properties: SHAPES.addSheet.shape.properties,
        data: z.array(Data).default([]),
      }),
    )
    .default([]),
})

const APPEARANCE =
  'hidden,rightToLeft,tabColorStyle,gridProperties(frozenRowCount,frozenColumnCount,hideGridlines)'

/** Creates a spreadsheet of `owner` from a request body. Throws 400 without side effects. */
export function createSpreadsheet(books: Books, owner: string, json: unknown) {
  const { properties, sheets } = parseMessage(Body, protoJson(json ?? {}), '')
  const { title = 'Untitled spreadsheet', locale, timeZone } = properties
  const seeds = sheets.map(({ properties: { title: name, sheetId, gridProperties } }, index) => ({
    title: name || `Sheet${index + 1}`,
    sheetId,
    // On the wire, an absent number is equal to 0.
    rowCount: gridProperties?.rowCount || undefined,
    columnCount: gridProperties?.columnCount || undefined,
  }))
  checkTitles(seeds.map((seed) => seed.title))
  for (const { sheetId = 0, rowCount = 1000, columnCount = 26 } of seeds) {
    checkSheetId(sheetId)
    checkSize(rowCount, columnCount)
  }
  const book = books.create({
    title,
    owner,
    locale: locale || undefined,
    timeZone: timeZone || undefined,
    sheets: seeds.length > 0 ? seeds : undefined,
  })
  const requests = sheets.flatMap(({ properties: appearance, data }, index) => {
    const sheetId = book.sheets[index]?.id ?? 0
    const cells = data.map(({ startRow, startColumn, rowData }) => {
      const start = { sheetId, rowIndex: startRow, columnIndex: startColumn }
      return { updateCells: { start, rows: rowData, fields: 'userEnteredValue,userEnteredFormat,note' } }
    })
    return [
      { updateSheetProperties: { properties: { ...appearance, sheetId }, fields: APPEARANCE } },
      ...cells,
    ]
  })
  try {
    checkCellLimit(book)
    if (requests.length > 0) books.change(book.id, 'batchUpdate', { requests })
  } catch (error) {
    books.delete(book.id)
    throw error
  }
  return spreadsheetJson(book.id, book, { found: [], reader: owner, gridData: false, mask: null })
}

function checkTitles(titles: readonly string[]): void {
  const twice = titles.find((title, index) => titles.indexOf(title) !== index)
  if (twice === undefined) return
  throw invalid(`A sheet with the name "${twice}" already exists. Please enter another name.`)
}
