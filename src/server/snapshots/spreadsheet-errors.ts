/** Values that spreadsheets show for a failed computation. */
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

/** The value of a cell that is still being computed; Google uses both spellings. */
export const LOADING = ['Loading...', 'Loading…'] as const

const errors = new Set<unknown>(SPREADSHEET_ERRORS)
const loading = new Set<unknown>(LOADING)

export const isSpreadsheetError = (cell: unknown): boolean => errors.has(cell)

export const isLoading = (cell: unknown): boolean => loading.has(cell)
