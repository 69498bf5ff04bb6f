import { z } from 'zod'
import { plainRows, plainUpdate } from './plain-rows.ts'

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

/** A message that is validated only if a mask includes it. */
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

const ValidationRule = z.strictObject({
  condition: z
    .strictObject({
      type: z.string().default('CONDITION_TYPE_UNSPECIFIED'),
      values: z.array(Message).optional(),
    })
    .optional(),
  inputMessage: z.string().optional(),
  strict: z.boolean().optional(),
  showCustomUi: z.boolean().optional(),
})

const CellData = z.looseObject({
  userEnteredValue: ExtendedValue.optional(),
  userEnteredFormat: Message.optional(),
  dataValidation: ValidationRule.optional(),
  note: z.string().optional(),
})
export type CellData = z.infer<typeof CellData>

const RowData = z.strictObject({ values: z.array(CellData).default([]) })
type RowData = z.infer<typeof RowData>

/** Parses a message with the fast path `plain`; if it returns null, `schema` parses it or reports the error. */
const quickly = <T>(plain: (json: unknown) => T | null, schema: z.ZodType<T>) =>
  z.unknown().transform((json, context): T => {
    const message = plain(json)
    if (message !== null) return message
    const result = schema.safeParse(json)
    if (result.success) return result.data
    context.issues.push(...result.error.issues.map((issue) => ({ ...issue, input: undefined })))
    return z.NEVER
  })

export const RowList = quickly<RowData[]>(plainRows, z.array(RowData)).default([])

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

/** Sorting by colour is accepted by the parser and refused at execution. */
const SortSpec = z.looseObject({
  dimensionIndex: Int.default(0),
  sortOrder: z.enum(['SORT_ORDER_UNSPECIFIED', 'ASCENDING', 'DESCENDING']).default('ASCENDING'),
})
export type SortSpec = z.infer<typeof SortSpec>

const filterFields = {
  sortSpecs: z.array(SortSpec).optional(),
  criteria: z.record(z.string(), Message).optional(),
  filterSpecs: z
    .array(z.looseObject({ columnIndex: Int.default(0), filterCriteria: Message.optional() }))
    .optional(),
}

const FilterView = z.strictObject({
  filterViewId: Int.optional(),
  title: z.string().optional(),
  range: GridRange.default({ sheetId: 0 }),
  namedRangeId: z.string().optional(),
  ...filterFields,
})

const ProtectedRange = z.strictObject({
  protectedRangeId: Int.optional(),
  range: GridRange.optional(),
  namedRangeId: z.string().optional(),
  description: z.string().optional(),
  warningOnly: z.boolean().optional(),
  /** Output only; input is ignored. */
  requestingUserCanEdit: z.boolean().optional(),
  unprotectedRanges: z.array(GridRange).optional(),
  editors: z
    .strictObject({
      users: z.array(z.string()).optional(),
      groups: z.array(z.string()).optional(),
      domainUsersCanEdit: z.boolean().optional(),
    })
    .optional(),
})

const Fields = z.string().default('')

const UpdateCells = z.strictObject({
  rows: RowList,
  fields: Fields,
  start: GridCoordinate.optional(),
  range: GridRange.optional(),
})

/** The supported requests of spreadsheets.batchUpdate. */
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
  updateCells: quickly<z.infer<typeof UpdateCells>>(plainUpdate, UpdateCells),
  repeatCell: z.strictObject({ range: GridRange, cell: CellData.default({}), fields: Fields }),
  appendCells: z.strictObject({
    sheetId: Int.default(0),
    rows: RowList,
    fields: Fields,
    tableId: z.string().optional(),
  }),
  setDataValidation: z.strictObject({
    range: GridRange,
    rule: ValidationRule.optional(),
    filteredRowsIncluded: z.boolean().default(false),
  }),
  mergeCells: z.strictObject({
    range: GridRange,
    mergeType: z.enum(['MERGE_ALL', 'MERGE_COLUMNS', 'MERGE_ROWS']).default('MERGE_ALL'),
  }),
  unmergeCells: z.strictObject({ range: GridRange }),
  insertRange: z.strictObject({ range: GridRange, shiftDimension: Dimension }),
  deleteRange: z.strictObject({ range: GridRange, shiftDimension: Dimension }),
  moveDimension: z.strictObject({ source: DimensionRange, destinationIndex: Int.default(0) }),
  sortRange: z.strictObject({ range: GridRange, sortSpecs: z.array(SortSpec).default([]) }),
  deleteDuplicates: z.strictObject({
    range: GridRange,
    comparisonColumns: z.array(DimensionRange).default([]),
  }),
  updateDimensionProperties: z.strictObject({
    range: DimensionRange,
    properties: z
      .strictObject({ hiddenByUser: z.boolean().optional(), pixelSize: Int.optional() })
      .default({}),
    fields: Fields,
  }),
  autoResizeDimensions: z.strictObject({ dimensions: DimensionRange }),
  addProtectedRange: z.strictObject({ protectedRange: ProtectedRange.default({}) }),
  updateProtectedRange: z.strictObject({ protectedRange: ProtectedRange.default({}), fields: Fields }),
  deleteProtectedRange: z.strictObject({ protectedRangeId: Int.default(0) }),
  setBasicFilter: z.strictObject({
    filter: z.looseObject({ range: GridRange.default({ sheetId: 0 }), ...filterFields }),
  }),
  clearBasicFilter: z.strictObject({ sheetId: Int.default(0) }),
  addFilterView: z.strictObject({ filter: FilterView }),
  updateFilterView: z.strictObject({ filter: FilterView, fields: Fields }),
  duplicateFilterView: z.strictObject({ filterId: Int.default(0) }),
  deleteFilterView: z.strictObject({ filterId: Int.default(0) }),
  addNamedRange: z.strictObject({ namedRange: NamedRange }),
  updateNamedRange: z.strictObject({ namedRange: NamedRange, fields: Fields }),
  deleteNamedRange: z.strictObject({ namedRangeId: z.string().default('') }),
}

export type RequestName = keyof typeof SHAPES
export type RequestArgs<N extends RequestName> = z.infer<(typeof SHAPES)[N]>

export function isRequestName(name: string): name is RequestName {
  return Object.hasOwn(SHAPES, name)
}

/** Requests that only the real service supports. */
export const ELSEWHERE: ReadonlySet<string> = new Set([
  'updateBorders',
  'updateDimensionGroup',
  'addDimensionGroup',
  'deleteDimensionGroup',
  'autoFill',
  'addConditionalFormatRule',
  'updateConditionalFormatRule',
  'deleteConditionalFormatRule',
  'addChart',
  'updateChartSpec',
  'updateBanding',
  'addBanding',
  'deleteBanding',
  'deleteEmbeddedObject',
  'updateEmbeddedObjectPosition',
  'updateEmbeddedObjectBorder',
  'findReplace',
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
  'addSlicer',
  'updateSlicerSpec',
  'addTable',
  'updateTable',
  'deleteTable',
])
