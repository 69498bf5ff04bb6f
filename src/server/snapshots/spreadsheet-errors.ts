/** What spreadsheets show in place of a value that they could not compute. */
export const SPREADSHEET_ERRORS = [
  '#N/A',
  '#REF!',
  '#VALUE!',
  '#DIV/0!',
  '#NAME?',
  '#NUM!',
  '#NULL!',
  '#ERROR!',
] as const

/** What stands in a cell that was read before it was computed; Google writes it with dots or an ellipsis. */
export const LOADING = ['Loading...', 'Loading…'] as const

const errors = new Set<unknown>(SPREADSHEET_ERRORS)
const loading = new Set<unknown>(LOADING)

/** Whether a cell shows that its value could not be computed. */
export const isSpreadsheetError = (cell: unknown): boolean => errors.has(cell)

/** Whether a cell was read before it was computed. */
export const isLoading = (cell: unknown): boolean => loading.has(cell)
