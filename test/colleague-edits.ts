import type { sheets_v4 } from '@googleapis/sheets'

type Request = sheets_v4.Schema$Request

/** What a colleague does in the tab 100 of a shared spreadsheet, in which a task owns A to D from row 3 on. */
export type Edit = {
  what: string
  requests: Request[]
  /** What ends the runs that come after it: the table cannot be put right without a person. */
  ends?: RegExp
  /** Google cannot refuse a commit because of it, so what comes between the last look and the commit is written over (decision 064). */
  unseen?: true
}

const sheetId = 100
const area = (rows: [number, number], columns: [number, number]) => ({
  sheetId,
  startRowIndex: rows[0],
  endRowIndex: rows[1],
  startColumnIndex: columns[0],
  endColumnIndex: columns[1],
})
const cell = (rowIndex: number, columnIndex: number, data: sheets_v4.Schema$CellData): Request => ({
  updateCells: {
    start: { sheetId, rowIndex, columnIndex },
    rows: [{ values: [data] }],
    fields: Object.keys(data).join(),
  },
})
const text = (row: number, column: number, stringValue: string) =>
  cell(row, column, { userEnteredValue: { stringValue } })
const formula = (row: number, column: number, formulaValue: string) =>
  cell(row, column, { userEnteredValue: { formulaValue } })
const line = (dimension: 'ROWS' | 'COLUMNS', startIndex: number, length = 1) => ({
  sheetId,
  dimension,
  startIndex,
  endIndex: startIndex + length,
})
const insert = (...at: Parameters<typeof line>): Request => ({ insertDimension: { range: line(...at) } })
const remove = (...at: Parameters<typeof line>): Request => ({ deleteDimension: { range: line(...at) } })
const move = (source: ReturnType<typeof line>, destinationIndex: number): Request => ({
  moveDimension: { source, destinationIndex },
})
const hide = (range: ReturnType<typeof line>): Request => ({
  updateDimensionProperties: { range, properties: { hiddenByUser: true }, fields: 'hiddenByUser' },
})
const tab = (properties: sheets_v4.Schema$SheetProperties): Request => ({
  updateSheetProperties: { properties: { sheetId, ...properties }, fields: Object.keys(properties).join() },
})
const protect = (range: sheets_v4.Schema$GridRange): Request => ({
  addProtectedRange: { protectedRange: { range, editors: { users: ['ben@example.com'] } } },
})
const filter = (...hiddenValues: string[]): Request => ({
  setBasicFilter: { filter: { range: area([2, 8], [0, 4]), criteria: { 0: { hiddenValues } } } },
})

const moved = /header of .* shows that columns were inserted, moved or deleted: /
const lowered = /does not stand in row 3 any more: rows were inserted above it/
const protectedCell = /You are trying to edit a protected cell or object/

/** A filter that stands before the colleague comes. */
export const FILTER = filter('new 2/0')

// Texts that begin with "mine" are the colleague's wherever they stand; others that are put into cells of the task are not.
export const EDITS: Edit[] = [
  {
    what: 'cells beside the table are filled',
    requests: [text(4, 4, 'mine, beside'), text(5, 6, 'mine, further')],
  },
  {
    what: 'cells above the table are filled',
    requests: [text(0, 2, 'mine, above'), text(1, 0, 'mine, lower')],
  },
  { what: 'cells below and beside the table are filled', requests: [text(90, 5, 'mine, below')] },
  { what: 'a cell of the table is written over', requests: [text(4, 1, 'over')] },
  { what: 'cells below the table in its columns are filled', requests: [text(92, 1, 'over')] },
  { what: 'a header cell is written over', requests: [text(2, 1, 'over')] },
  {
    what: 'cells of the table are blanked',
    requests: [{ repeatCell: { range: area([3, 6], [0, 4]), cell: {}, fields: 'userEnteredValue' } }],
  },
  { what: 'a formula is put into a cell of the table', requests: [formula(4, 1, '="new "&"2/1"')] },
  { what: 'a formula beside looks at the table', requests: [formula(4, 6, '=B5&"!"')] },
  { what: 'a row is inserted in the table', requests: [insert('ROWS', 4), text(4, 5, 'mine, in a new row')] },
  { what: 'a row is inserted above the table', requests: [insert('ROWS', 0)], ends: lowered },
  {
    what: 'a note is put into a new row above the table',
    requests: [insert('ROWS', 2), text(2, 0, 'mine, a note')],
    ends: lowered,
  },
  { what: 'a row of the table is deleted', requests: [remove('ROWS', 5)] },
  { what: 'the row above the table is deleted', requests: [remove('ROWS', 1)] },
  { what: 'rows of the table are moved', requests: [move(line('ROWS', 5, 2), 3)] },
  {
    what: 'a column is inserted in the table',
    requests: [insert('COLUMNS', 1), text(4, 1, 'mine, in a new column')],
    ends: moved,
  },
  {
    what: 'a column is inserted before the table',
    requests: [insert('COLUMNS', 0), text(2, 0, 'mine, first')],
    ends: moved,
  },
  {
    what: 'a column is inserted behind the table',
    requests: [insert('COLUMNS', 4), text(4, 4, 'mine, behind')],
  },
  { what: 'a column of the table is deleted', requests: [remove('COLUMNS', 1)], ends: moved },
  { what: 'a column behind the table is deleted', requests: [remove('COLUMNS', 4)] },
  { what: 'a column of the table is moved away', requests: [move(line('COLUMNS', 1), 6)], ends: moved },
  {
    what: 'a column of theirs is moved into the table',
    requests: [move(line('COLUMNS', 5), 1)],
    unseen: true,
    ends: moved,
  },
  {
    what: 'a column of theirs is moved before the table',
    requests: [move(line('COLUMNS', 5), 0)],
    unseen: true,
    ends: moved,
  },
  {
    what: 'columns of the table are moved away, and one of theirs takes the place of the last',
    requests: [move(line('COLUMNS', 1, 2), 7)],
    unseen: true,
    ends: moved,
  },
  {
    what: 'a column of theirs is moved into the table, and one of it to their place',
    requests: [move(line('COLUMNS', 5), 1), move(line('COLUMNS', 2), 6)],
    unseen: true,
    ends: moved,
  },
  {
    what: 'columns of the table change places',
    requests: [move(line('COLUMNS', 3), 0)],
    ends: moved,
  },
  {
    what: 'a column is inserted in the table, and one behind it deleted',
    requests: [insert('COLUMNS', 1), text(4, 1, 'mine, in a new column'), remove('COLUMNS', 9)],
    unseen: true,
    ends: moved,
  },
  {
    what: 'a column of the table is deleted, and another inserted in it',
    requests: [remove('COLUMNS', 2), insert('COLUMNS', 1), text(4, 1, 'mine, in a new column')],
    unseen: true,
    ends: moved,
  },
  {
    what: 'the tab is renamed, and a column of theirs moved into the table',
    requests: [tab({ title: 'Store' }), move(line('COLUMNS', 5), 1)],
    unseen: true,
    ends: moved,
  },
  {
    what: 'rows and columns are added at the end',
    requests: [
      { appendDimension: { sheetId, dimension: 'ROWS', length: 5 } },
      { appendDimension: { sheetId, dimension: 'COLUMNS', length: 2 } },
    ],
  },
  { what: 'the last rows are deleted', requests: [remove('ROWS', 95, 5)] },
  {
    what: 'rows are sorted',
    requests: [
      {
        sortRange: {
          range: area([3, 8], [0, 8]),
          sortSpecs: [{ dimensionIndex: 2, sortOrder: 'DESCENDING' }],
        },
      },
    ],
  },
  {
    what: 'a basic filter is set',
    requests: [{ clearBasicFilter: { sheetId } }, filter('new 1/0', 'old 1/0')],
  },
  { what: 'the basic filter is cleared', requests: [{ clearBasicFilter: { sheetId } }] },
  {
    what: 'a filter view is added',
    requests: [
      { addFilterView: { filter: { filterViewId: 7, title: 'mine', range: area([2, 8], [0, 4]) } } },
    ],
  },
  {
    what: 'cells of the table are protected',
    requests: [protect(area([2, 6], [0, 4]))],
    ends: protectedCell,
  },
  { what: 'cells beside the table are protected', requests: [protect(area([0, 20], [5, 7]))] },
  { what: 'the tab is protected', requests: [protect({ sheetId })], ends: protectedCell },
  {
    what: 'cells beside the table are merged',
    requests: [{ mergeCells: { range: area([10, 12], [6, 8]) } }],
  },
  {
    what: 'the last cells of the grid are merged',
    requests: [{ mergeCells: { range: area([98, 100], [8, 10]) } }],
  },
  { what: 'the tab is renamed', requests: [tab({ title: 'Store' })] },
  {
    what: 'the tab is moved',
    requests: [{ addSheet: { properties: { title: 'Before', index: 0 } } }, tab({ index: 1 })],
  },
  {
    what: 'the tab is hidden',
    requests: [{ addSheet: { properties: { title: 'Seen' } } }, tab({ hidden: true })],
  },
  {
    what: 'the tab is duplicated',
    requests: [{ duplicateSheet: { sourceSheetId: sheetId, newSheetId: 200, newSheetName: 'Copy' } }],
  },
  {
    what: 'the tab is deleted',
    requests: [{ addSheet: { properties: { title: 'Else' } } }, { deleteSheet: { sheetId } }],
  },
  { what: 'rows and columns are hidden', requests: [hide(line('ROWS', 4, 2)), hide(line('COLUMNS', 1))] },
  {
    what: 'cells get a data validation',
    requests: [
      {
        setDataValidation: {
          range: area([3, 6], [1, 2]),
          rule: { condition: { type: 'ONE_OF_LIST', values: [{ userEnteredValue: 'a' }] }, strict: true },
        },
      },
    ],
  },
  {
    what: 'cells get colours and formats',
    requests: [
      {
        repeatCell: {
          range: area([2, 9], [0, 6]),
          cell: {
            userEnteredFormat: {
              textFormat: { bold: true },
              numberFormat: { type: 'NUMBER', pattern: '0.00' },
            },
          },
          fields: 'userEnteredFormat(textFormat.bold,numberFormat)',
        },
      },
    ],
  },
  { what: 'notes are written', requests: [cell(4, 1, { note: 'mine' }), cell(4, 6, { note: 'mine' })] },
  {
    what: 'cells of theirs are cut and pasted',
    requests: [
      {
        cutPaste: {
          source: area([2, 6], [5, 6]),
          destination: { sheetId, rowIndex: 10, columnIndex: 7 },
          pasteType: 'PASTE_NORMAL',
        },
      },
    ],
  },
  {
    what: 'cells of the table are cut and pasted beside it',
    requests: [
      {
        cutPaste: {
          source: area([3, 5], [1, 2]),
          destination: { sheetId, rowIndex: 10, columnIndex: 7 },
          pasteType: 'PASTE_NORMAL',
        },
      },
    ],
  },
  {
    what: 'cells are inserted, and others moved right',
    requests: [{ insertRange: { range: area([4, 5], [1, 2]), shiftDimension: 'COLUMNS' } }],
  },
  {
    what: 'cells are inserted, and others moved down',
    requests: [{ insertRange: { range: area([4, 5], [0, 2]), shiftDimension: 'ROWS' } }],
  },
  {
    what: 'a name is given to cells',
    requests: [{ addNamedRange: { namedRange: { name: 'prices', range: area([3, 6], [1, 2]) } } }],
  },
  {
    what: 'the spreadsheet is renamed',
    requests: [{ updateSpreadsheetProperties: { properties: { title: 'Renamed' }, fields: 'title' } }],
  },
]
