import { z } from 'zod'

// Google omits fields that have their default value.

const GridRange = z.object({
  sheetId: z.int().default(0),
  startRowIndex: z.int().optional(),
  endRowIndex: z.int().optional(),
  startColumnIndex: z.int().optional(),
  endColumnIndex: z.int().optional(),
})

/** A basic filter. Its criteria are sent back unchanged. */
const BasicFilter = z.object({
  range: GridRange.optional(),
  criteria: z.record(z.string(), z.unknown()).optional(),
  filterSpecs: z.array(z.unknown()).optional(),
})
export type BasicFilter = z.infer<typeof BasicFilter>

const Tab = z
  .object({
    properties: z.object({
      sheetId: z.int().default(0),
      title: z.string(),
      hidden: z.boolean().default(false),
      gridProperties: z
        .object({ rowCount: z.int().default(0), columnCount: z.int().default(0) })
        // A chart sheet has no grid.
        .optional(),
    }),
    basicFilter: BasicFilter.optional(),
  })
  .transform(({ properties, basicFilter }) => ({
    sheet_id: properties.sheetId,
    title: properties.title,
    hidden: properties.hidden,
    grid: properties.gridProperties && {
      rows: properties.gridProperties.rowCount,
      columns: properties.gridProperties.columnCount,
    },
    filter: basicFilter,
  }))
export type Tab = z.infer<typeof Tab>

/** Title and tabs of a spreadsheet. */
export const SpreadsheetReply = z
  .object({ properties: z.object({ title: z.string() }), sheets: z.array(Tab).default([]) })
  .transform(({ properties, sheets }) => ({ title: properties.title, tabs: sheets }))
export type Spreadsheet = z.infer<typeof SpreadsheetReply>

const tabFields = 'properties(sheetId,title,hidden,gridProperties(rowCount,columnCount)),basicFilter'

/** Field mask for SpreadsheetReply. */
export const spreadsheetFields = `properties.title,sheets(${tabFields})`

/** The same with the displayed values and number formats of cells. */
export const shownGridFields = `properties.title,sheets(${tabFields},data(rowData(values(effectiveValue,userEnteredFormat(numberFormat)))))`

/** The same with the displayed values and the formulas of cells. */
export const enteredGridFields = `properties.title,sheets(${tabFields},data(rowData(values(effectiveValue,userEnteredValue(formulaValue)))))`

/** Response to a batchUpdate: the spreadsheet afterwards. */
export const BatchReply = z
  .object({ updatedSpreadsheet: SpreadsheetReply })
  .transform(({ updatedSpreadsheet }) => updatedSpreadsheet)

/** Field mask for BatchReply. */
export const batchFields = `updatedSpreadsheet(${spreadsheetFields})`

const duplicatesFields = 'replies(deleteDuplicates(duplicatesRemovedCount))'

/** The same with cells and the result of deleteDuplicates. */
export const batchGridFields = `${duplicatesFields},updatedSpreadsheet(${enteredGridFields})`

/**
 * The same with entered values only. Cells that are filled by an array formula elsewhere are empty in it. It has two
 * thirds of the bytes and is enough to read back written cells.
 */
export const batchEntriesFields = `${duplicatesFields},updatedSpreadsheet(properties.title,sheets(${tabFields},data(rowData(values(userEnteredValue)))))`

/** Field mask for a batch that adds a tab and returns cells of another tab. */
export const addedGridFields = `replies(addSheet(properties(sheetId,title,hidden,gridProperties(rowCount,columnCount)))),updatedSpreadsheet(${enteredGridFields})`

/** Tabs that a batch has added. */
export const AddedReply = z
  .object({ replies: z.array(z.object({ addSheet: Tab.optional() })).default([]) })
  .transform(({ replies }) => replies.flatMap(({ addSheet }) => addSheet ?? []))

/** Numbers of rows that the deleteDuplicates of a batch removed, in the order of these requests. */
export const DuplicatesReply = z
  .object({
    replies: z
      .array(
        z.object({ deleteDuplicates: z.object({ duplicatesRemovedCount: z.int().default(0) }).optional() }),
      )
      .default([]),
  })
  .transform(({ replies }) =>
    replies.flatMap(({ deleteDuplicates }) => deleteDuplicates?.duplicatesRemovedCount ?? []),
  )

const FormatCell = z.object({
  userEnteredFormat: z
    .object({ numberFormat: z.object({ type: z.string(), pattern: z.string().optional() }).optional() })
    .optional(),
})

/** Number formats of rows, each requested as one range. */
export const FormatsReply = z
  .object({
    sheets: z
      .array(
        z.object({
          data: z
            .array(
              z.object({
                rowData: z.array(z.object({ values: z.array(FormatCell).default([]) })).default([]),
              }),
            )
            .default([]),
        }),
      )
      .default([]),
  })
  .transform(({ sheets }) => (sheets[0]?.data ?? []).map(({ rowData }) => rowData[0]?.values ?? []))
export type FormatCell = z.infer<typeof FormatCell>

/** Field mask for FormatsReply. */
export const formatFields = 'sheets(data(rowData(values(userEnteredFormat(numberFormat)))))'

/** The same with displayed values. */
export const shownFormatFields =
  'sheets(data(rowData(values(effectiveValue,userEnteredFormat(numberFormat)))))'

/** Field mask for the entered values of one range. */
export const constantsFields = 'sheets(data(rowData(values(userEnteredValue))))'

const FormulaCell = z.object({
  userEnteredValue: z.object({ formulaValue: z.string().optional() }).optional(),
})

/** Entered values of ranges of one tab; parses to the positions of formulas. */
export const FormulasReply = z
  .object({
    sheets: z
      .array(
        z.object({
          data: z
            .array(
              z.object({
                startRow: z.int().default(0),
                startColumn: z.int().default(0),
                rowData: z.array(z.object({ values: z.array(FormulaCell).default([]) })).default([]),
              }),
            )
            .default([]),
        }),
      )
      .default([]),
  })
  .transform(({ sheets }) =>
    (sheets[0]?.data ?? []).flatMap(({ startRow, startColumn, rowData }) =>
      rowData.flatMap(({ values }, row) =>
        values.flatMap(({ userEnteredValue }, column) =>
          userEnteredValue?.formulaValue === undefined
            ? []
            : { row: startRow + row, column: startColumn + column },
        ),
      ),
    ),
  )

/** Field mask for FormulasReply. */
export const formulaFields =
  'sheets(data(startRow,startColumn,rowData(values(userEnteredValue(formulaValue)))))'

/** A values response without its rows. */
export const ValuesFrame = z.object({
  range: z.string(),
  majorDimension: z.literal('ROWS'),
  values: z.tuple([]).optional(),
})

/** Response to a write; its content is not used. */
export const WriteReply = z.object({ spreadsheetId: z.string() })

/** A Drive file. */
export const FileReply = z.object({ name: z.string() })

/** A list of Drive files. */
export const FilesReply = z.object({
  nextPageToken: z.string().optional(),
  files: z
    .array(
      z.object({
        id: z.string(),
        name: z.string(),
        modifiedTime: z.string().optional(),
        owners: z.array(z.object({ emailAddress: z.string().optional() })).optional(),
      }),
    )
    .default([]),
})
