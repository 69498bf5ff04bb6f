import { z } from 'zod'

// Google leaves out what has its default value, so absent means that here.

const GridRange = z.object({
  sheetId: z.int().default(0),
  startRowIndex: z.int().optional(),
  endRowIndex: z.int().optional(),
  startColumnIndex: z.int().optional(),
  endColumnIndex: z.int().optional(),
})

/** A filter as it stands; what it filters by is passed back to Google as it came. */
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
        // A chart on a tab of its own has no grid.
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

/** What a spreadsheet consists of. */
export const SpreadsheetReply = z
  .object({ properties: z.object({ title: z.string() }), sheets: z.array(Tab).default([]) })
  .transform(({ properties, sheets }) => ({ title: properties.title, tabs: sheets }))
export type Spreadsheet = z.infer<typeof SpreadsheetReply>

const tabFields = 'properties(sheetId,title,hidden,gridProperties(rowCount,columnCount)),basicFilter'

/** The mask under which a spreadsheet is asked for. */
export const spreadsheetFields = `properties.title,sheets(${tabFields})`

/** The same with cells: what they show and the number format that somebody gave them. */
export const shownGridFields = `properties.title,sheets(${tabFields},data(rowData(values(effectiveValue,userEnteredFormat(numberFormat)))))`

/** The same with cells: what they show, and formulas as they were entered. */
export const enteredGridFields = `properties.title,sheets(${tabFields},data(rowData(values(effectiveValue,userEnteredValue(formulaValue)))))`

/** The answer to requests that change a spreadsheet: what it consists of after them. */
export const BatchReply = z
  .object({ updatedSpreadsheet: SpreadsheetReply })
  .transform(({ updatedSpreadsheet }) => updatedSpreadsheet)

/** The mask under which that answer is asked for. */
export const batchFields = `updatedSpreadsheet(${spreadsheetFields})`

const duplicatesFields = 'replies(deleteDuplicates(duplicatesRemovedCount))'

/** The same for one that has cells, with what became of duplicates. */
export const batchGridFields = `${duplicatesFields},updatedSpreadsheet(${enteredGridFields})`

/**
 * The same with nothing of a cell but what was entered into it: what a formula beside it puts there is left out. Of a cell that was
 * written that is all, in two thirds of the bytes.
 */
export const batchEntriesFields = `${duplicatesFields},updatedSpreadsheet(properties.title,sheets(${tabFields},data(rowData(values(userEnteredValue)))))`

/** The mask for one that adds a tab and has cells of others. */
export const addedGridFields = `replies(addSheet(properties(sheetId,title,hidden,gridProperties(rowCount,columnCount)))),updatedSpreadsheet(${enteredGridFields})`

/** The tabs that a batch has added. */
export const AddedReply = z
  .object({ replies: z.array(z.object({ addSheet: Tab.optional() })).default([]) })
  .transform(({ replies }) => replies.flatMap(({ addSheet }) => addSheet ?? []))

/** How many rows the removal of duplicates in a batch took away; null where there was none. */
export const DuplicatesReply = z
  .object({
    replies: z
      .array(
        z.object({ deleteDuplicates: z.object({ duplicatesRemovedCount: z.int().default(0) }).optional() }),
      )
      .default([]),
  })
  .transform(({ replies }) => {
    const found = replies.find(({ deleteDuplicates }) => deleteDuplicates !== undefined)
    return found?.deleteDuplicates?.duplicatesRemovedCount ?? null
  })

const FormatCell = z.object({
  userEnteredFormat: z
    .object({ numberFormat: z.object({ type: z.string(), pattern: z.string().optional() }).optional() })
    .optional(),
})

/** Number formats of rows that were asked for as one range each. */
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

/** The mask under which number formats are asked for. */
export const formatFields = 'sheets(data(rowData(values(userEnteredFormat(numberFormat)))))'

/** The same with what the cells show. */
export const shownFormatFields =
  'sheets(data(rowData(values(effectiveValue,userEnteredFormat(numberFormat)))))'

const FormulaCell = z.object({
  userEnteredValue: z.object({ formulaValue: z.string().optional() }).optional(),
})

/** Cells of some ranges of one tab, by what was entered; answers those that are formulas. */
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

/** The mask under which formulas are asked for. */
export const formulaFields =
  'sheets(data(startRow,startColumn,rowData(values(userEnteredValue(formulaValue)))))'

/** A values reply without its rows. */
export const ValuesFrame = z.object({
  range: z.string(),
  majorDimension: z.literal('ROWS'),
  values: z.tuple([]).optional(),
})

/** The answer to a write: only that it is one. */
export const WriteReply = z.object({ spreadsheetId: z.string() })

/** One file of somebody's Drive. */
export const FileReply = z.object({ name: z.string() })

/** Spreadsheets in somebody's Drive. */
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
