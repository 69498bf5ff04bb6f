import { z } from 'zod'
import { badField, forbidden, notFound, notInSandbox } from '../google-error.ts'
import type { Answer, Call } from './answer.ts'
import { covers } from './fields/mask.ts'
import type { Sheet } from './model/book.ts'
import { type Found, rangeText, resolveRange } from './ranges/resolve.ts'
import { parseMessage, protoJson } from './requests/parse-json.ts'
import { GridRange } from './requests/shapes.ts'
import { areaOf } from './requests/targets.ts'
import { spreadsheetJson } from './resource/spreadsheet.ts'

export function getSpreadsheet(call: Call): Answer {
  const found = call.query.ranges.map((range) => resolveRange(call.book, range))
  return answered(call, found, call.query.includeGridData)
}

const DataFilters = z.strictObject({
  dataFilters: z
    .array(
      z.strictObject({
        a1Range: z.string().optional(),
        gridRange: GridRange.optional(),
        developerMetadataLookup: z.unknown().optional(),
      }),
    )
    .default([]),
  includeGridData: z.boolean().default(false),
})

export function getByDataFilter(call: Call): Answer {
  const { dataFilters, includeGridData } = parseMessage(DataFilters, protoJson(call.body ?? {}), '')
  const found = dataFilters.map(({ a1Range, gridRange }) => {
    if (a1Range !== undefined) return resolveRange(call.book, a1Range)
    if (gridRange === undefined) throw notInSandbox('a data filter by developer metadata')
    const sheet = call.book.sheet(gridRange.sheetId)
    if (!sheet) throw notInSandbox(`a data filter for the unknown sheet ${gridRange.sheetId}`)
    return resolveRange(call.book, rangeText(sheet, { ...whole(sheet), ...areaOf(gridRange) }))
  })
  return answered(call, found, includeGridData)
}

export function batchUpdateSpreadsheet({ books, book, caller, body, mask }: Call): Answer {
  const { replies, options, cells } = books.change(book.id, 'batchUpdate', body, caller)
  const found = options.responseRanges.map((range) => resolveRange(book, range))
  const inner = mask?.get('updatedSpreadsheet') ?? null
  // As in a get, a mask takes precedence over the parameter.
  const gridData = inner ? covers(inner, ['sheets', 'data']) : options.responseIncludeGridData
  const view = { found, reader: caller, gridData, mask: inner }
  const updatedSpreadsheet = options.includeSpreadsheetInResponse && spreadsheetJson(book.id, book, view)
  return {
    reply: { spreadsheetId: book.id, replies, ...(updatedSpreadsheet && { updatedSpreadsheet }) },
    ranges: [],
    cells,
  }
}

const CopyTo = z.strictObject({ destinationSpreadsheetId: z.string().default('') })

export function copySheetTo({ books, book, caller, range, body }: Call): Answer {
  const { destinationSpreadsheetId } = parseMessage(CopyTo, protoJson(body ?? {}), '')
  const sheetId = Number(range)
  if (!Number.isInteger(sheetId)) {
    throw badField('sheet_id', `Invalid value at 'sheet_id' (TYPE_INT32), ${JSON.stringify(range)}`)
  }
  const to = books.get(destinationSpreadsheetId)
  if (!to) throw notFound()
  if (!to.canWrite(caller)) throw forbidden()
  return { reply: books.copySheet(book.id, sheetId, to.id), ranges: [], cells: 0 }
}

function answered(
  { book, caller, mask }: Call,
  found: readonly Found<Sheet>[],
  includeGridData: boolean,
): Answer {
  // A mask takes precedence over the parameter.
  const gridData = mask ? covers(mask, ['sheets', 'data']) : includeGridData
  const reply = spreadsheetJson(book.id, book, { found, reader: caller, gridData, mask })
  return { reply, ranges: found.map(({ sheet, block }) => rangeText(sheet, block)), cells: 0 }
}

function whole(sheet: Sheet) {
  return { startRow: 0, endRow: sheet.rowCount, startColumn: 0, endColumn: sheet.columnCount }
}
