import { badField } from '../../google-error.ts'
import { type Mask, parseMask } from './mask.ts'

/** Field names of a message; `true` accepts any fields below. */
interface Known {
  readonly [field: string]: Known | true
}

const VALUE_RANGE = { range: true, majorDimension: true, values: true } as const

const UPDATE = {
  spreadsheetId: true,
  updatedRange: true,
  updatedRows: true,
  updatedColumns: true,
  updatedCells: true,
  updatedData: VALUE_RANGE,
} as const

const CELL = {
  userEnteredValue: true,
  effectiveValue: true,
  formattedValue: true,
  userEnteredFormat: true,
  effectiveFormat: true,
  hyperlink: true,
  note: true,
  textFormatRuns: true,
  dataValidation: true,
  pivotTable: true,
  dataSourceTable: true,
  dataSourceFormula: true,
  chipRuns: true,
} as const

const SHEET_PROPERTIES = {
  sheetId: true,
  title: true,
  index: true,
  sheetType: true,
  gridProperties: {
    rowCount: true,
    columnCount: true,
    frozenRowCount: true,
    frozenColumnCount: true,
    hideGridlines: true,
    rowGroupControlAfter: true,
    columnGroupControlAfter: true,
  },
  hidden: true,
  tabColor: true,
  tabColorStyle: true,
  rightToLeft: true,
  dataSourceSheetProperties: true,
} as const

const SPREADSHEET = {
  spreadsheetId: true,
  properties: true,
  sheets: {
    properties: SHEET_PROPERTIES,
    data: {
      startRow: true,
      startColumn: true,
      rowData: { values: CELL },
      rowMetadata: true,
      columnMetadata: true,
    },
    merges: true,
    conditionalFormats: true,
    filterViews: true,
    protectedRanges: true,
    basicFilter: true,
    charts: true,
    bandedRanges: true,
    developerMetadata: true,
    rowGroups: true,
    columnGroups: true,
    slicers: true,
    tables: true,
  },
  namedRanges: true,
  spreadsheetUrl: true,
  developerMetadata: true,
  dataSources: true,
  dataSourceSchedules: true,
} as const

/** Fields of each reply that a `fields` parameter may contain. */
export const REPLIES = {
  spreadsheet: SPREADSHEET,
  batchUpdate: { spreadsheetId: true, replies: true, updatedSpreadsheet: SPREADSHEET },
  sheetProperties: SHEET_PROPERTIES,
  valueRange: VALUE_RANGE,
  valueRanges: { spreadsheetId: true, valueRanges: VALUE_RANGE },
  update: UPDATE,
  updates: {
    spreadsheetId: true,
    totalUpdatedRows: true,
    totalUpdatedColumns: true,
    totalUpdatedCells: true,
    totalUpdatedSheets: true,
    responses: UPDATE,
  },
  append: { spreadsheetId: true, tableRange: true, updates: UPDATE },
  clear: { spreadsheetId: true, clearedRange: true },
  batchClear: { spreadsheetId: true, clearedRanges: true },
} as const satisfies Readonly<Record<string, Known>>

export type ReplyName = keyof typeof REPLIES

/** Parses a `fields` parameter; null if absent. Throws 400 for unknown fields. */
export function replyMask(fields: string | undefined, reply: ReplyName): Mask | null {
  if (fields === undefined || fields === '') return null
  const mask = parseMask(fields)
  if (!mask) throw unknownPath(fields)
  const unknown = unknownIn(mask, REPLIES[reply], '')
  if (unknown !== null) throw unknownPath(unknown)
  return mask
}

function unknownIn(mask: Mask, known: Known, prefix: string): string | null {
  for (const [name, inner] of mask) {
    if (name === '*') continue
    const path = `${prefix}${name}`
    const below = Object.hasOwn(known, name) ? known[name] : undefined
    if (below === undefined) return path
    const deeper = below === true ? null : unknownIn(inner, below, `${path}.`)
    if (deeper !== null) return deeper
  }
  return null
}

function unknownPath(path: string) {
  const refusal = badField(
    path,
    `Error expanding 'fields' parameter. Cannot find matching fields for path '${path}'.`,
  )
  refusal.message = 'Request contains an invalid argument.'
  return refusal
}
