import { z } from 'zod'

const Int = z.number().int()
const Dimension = z.enum(['ROWS', 'COLUMNS'])

export const GridRange = z.strictObject({
  sheetId: Int.default(0),
  startRowIndex: Int.optional(),
  endRowIndex: Int.optional(),
  startColumnIndex: Int.optional(),
  endColumnIndex: Int.optional(),
})
export type GridRange = z.infer<typeof GridRange>

export const GridCoordinate = z.strictObject({
  sheetId: Int.default(0),
  rowIndex: Int.default(0),
  columnIndex: Int.default(0),
})
export type GridCoordinate = z.infer<typeof GridCoordinate>

const DimensionRange = z.strictObject({
  sheetId: Int.default(0),
  dimension: Dimension,
  startIndex: Int.optional(),
  endIndex: Int.optional(),
})
export type DimensionRange = z.infer<typeof DimensionRange>

/** A message that is looked at only where a mask says so. */
const Message = z.record(z.string(), z.unknown())

const SheetProperties = z.strictObject({
  sheetId: Int.optional(),
  title: z.string().optional(),
  index: Int.optional(),
  sheetType: z.string().optional(),
  gridProperties: z
    .strictObject({
      rowCount: Int.optional(),
      columnCount: Int.optional(),
      frozenRowCount: Int.optional(),
      frozenColumnCount: Int.optional(),
      hideGridlines: z.boolean().optional(),
      rowGroupControlAfter: z.boolean().optional(),
      columnGroupControlAfter: z.boolean().optional(),
    })
    .optional(),
  hidden: z.boolean().optional(),
  tabColor: Message.optional(),
  tabColorStyle: Message.optional(),
  rightToLeft: z.boolean().optional(),
})

const SpreadsheetProperties = z.strictObject({
  title: z.string().optional(),
  locale: z.string().optional(),
  timeZone: z.string().optional(),
  autoRecalc: z.string().optional(),
  defaultFormat: Message.optional(),
  iterativeCalculationSettings: Message.optional(),
  spreadsheetTheme: Message.optional(),
  importFunctionsExternalUrlAccessAllowed: z.boolean().optional(),
})

const ExtendedValue = z.strictObject({
  numberValue: z.number().optional(),
  stringValue: z.string().optional(),
  boolValue: z.boolean().optional(),
  formulaValue: z.string().optional(),
  errorValue: Message.optional(),
})
export type ExtendedValue = z.infer<typeof ExtendedValue>

const CellData = z.looseObject({
  userEnteredValue: ExtendedValue.optional(),
  userEnteredFormat: Message.optional(),
  note: z.string().optional(),
})
export type CellData = z.infer<typeof CellData>

const RowData = z.strictObject({ values: z.array(CellData).default([]) })

const PasteType = z
  .enum([
    'PASTE_NORMAL',
    'PASTE_VALUES',
    'PASTE_FORMAT',
    'PASTE_NO_BORDERS',
    'PASTE_FORMULA',
    'PASTE_DATA_VALIDATION',
    'PASTE_CONDITIONAL_FORMATTING',
  ])
  .default('PASTE_NORMAL')
export type PasteType = z.infer<typeof PasteType>

const NamedRange = z.strictObject({
  namedRangeId: z.string().optional(),
  name: z.string().optional(),
  range: GridRange.optional(),
})

const Fields = z.string().default('')

/** The requests of spreadsheets.batchUpdate that the sandbox answers. */
export const SHAPES = {
  updateSpreadsheetProperties: z.strictObject({
    properties: SpreadsheetProperties.default({}),
    fields: Fields,
  }),
  addSheet: z.strictObject({ properties: SheetProperties.default({}) }),
  deleteSheet: z.strictObject({ sheetId: Int.default(0) }),
  duplicateSheet: z.strictObject({
    sourceSheetId: Int.default(0),
    insertSheetIndex: Int.default(0),
    newSheetId: Int.optional(),
    newSheetName: z.string().optional(),
  }),
  updateSheetProperties: z.strictObject({ properties: SheetProperties.default({}), fields: Fields }),
  appendDimension: z.strictObject({ sheetId: Int.default(0), dimension: Dimension, length: Int.default(0) }),
  insertDimension: z.strictObject({ range: DimensionRange, inheritFromBefore: z.boolean().default(false) }),
  deleteDimension: z.strictObject({ range: DimensionRange }),
  copyPaste: z.strictObject({
    source: GridRange,
    destination: GridRange,
    pasteType: PasteType,
    pasteOrientation: z.enum(['NORMAL', 'TRANSPOSE']).default('NORMAL'),
  }),
  cutPaste: z.strictObject({ source: GridRange, destination: GridCoordinate, pasteType: PasteType }),
  updateCells: z.strictObject({
    rows: z.array(RowData).default([]),
    fields: Fields,
    start: GridCoordinate.optional(),
    range: GridRange.optional(),
  }),
  repeatCell: z.strictObject({ range: GridRange, cell: CellData.default({}), fields: Fields }),
  setBasicFilter: z.strictObject({ filter: z.looseObject({ range: GridRange.default({ sheetId: 0 }) }) }),
  clearBasicFilter: z.strictObject({ sheetId: Int.default(0) }),
  addNamedRange: z.strictObject({ namedRange: NamedRange }),
  updateNamedRange: z.strictObject({ namedRange: NamedRange, fields: Fields }),
  deleteNamedRange: z.strictObject({ namedRangeId: z.string().default('') }),
}

export type RequestName = keyof typeof SHAPES
export type RequestArgs<N extends RequestName> = z.infer<(typeof SHAPES)[N]>

export function isRequestName(name: string): name is RequestName {
  return Object.hasOwn(SHAPES, name)
}

/** What else the real service takes in a batchUpdate. */
export const ELSEWHERE: ReadonlySet<string> = new Set([
  'updateDimensionProperties',
  'mergeCells',
  'unmergeCells',
  'updateBorders',
  'addFilterView',
  'appendCells',
  'updateDimensionGroup',
  'addDimensionGroup',
  'deleteDimensionGroup',
  'autoFill',
  'autoResizeDimensions',
  'addConditionalFormatRule',
  'updateConditionalFormatRule',
  'deleteConditionalFormatRule',
  'sortRange',
  'setDataValidation',
  'addProtectedRange',
  'updateProtectedRange',
  'deleteProtectedRange',
  'addChart',
  'updateChartSpec',
  'updateBanding',
  'addBanding',
  'deleteBanding',
  'deleteFilterView',
  'updateFilterView',
  'duplicateFilterView',
  'deleteEmbeddedObject',
  'updateEmbeddedObjectPosition',
  'updateEmbeddedObjectBorder',
  'findReplace',
  'insertRange',
  'deleteRange',
  'moveDimension',
  'pasteData',
  'textToColumns',
  'createDeveloperMetadata',
  'updateDeveloperMetadata',
  'deleteDeveloperMetadata',
  'randomizeRange',
  'addDataSource',
  'updateDataSource',
  'deleteDataSource',
  'refreshDataSource',
  'cancelDataSourceRefresh',
  'trimWhitespace',
  'deleteDuplicates',
  'addSlicer',
  'updateSlicerSpec',
  'addTable',
  'updateTable',
  'deleteTable',
])
