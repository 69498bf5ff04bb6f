/** Maximum columns of a tab. A range beyond the tab's last column ends there. */
export const MAX_COLUMNS = 18_278

/** Letters of a column, counted from 0: 0 is A, 25 is Z, 26 is AA. */
export function columnLetters(index: number): string {
  let letters = ''
  for (let rest = index + 1; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters
  }
  return letters
}

/** A1 address of a cell; row and column count from 0. */
export const cellAddress = (row: number, column: number) => `${columnLetters(column)}${row + 1}`

/** A quoted tab title. Always quoted, because an unquoted CRM26 is a cell. */
const quoteTitle = (title: string) => `'${title.replaceAll("'", "''")}'`

/** Rows and columns of a tab, counted from 0, ends exclusive. Without `endRow` it extends to the last row. */
export type Area = { startRow: number; endRow?: number; startColumn: number; endColumn: number }

/** The A1 range of an area of a tab; a blank title means the first visible tab. */
export function a1Range(title: string, { startRow, endRow, startColumn, endColumn }: Area): string {
  const from = cellAddress(startRow, startColumn)
  // Sheets counts rows from 1, so an exclusive end from 0 is the last row itself.
  const tab = title === '' ? '' : `${quoteTitle(title)}!`
  return `${tab}${from}:${columnLetters(endColumn - 1)}${endRow ?? ''}`
}

/** Maximum characters of ranges in a URL. Google accepts about 20,000 in all. */
const ADDRESS_CHARACTERS = 12_000

/** How many ranges of this length fit into one URL. */
export const rangesPerRequest = (range: string): number =>
  Math.max(1, Math.floor(ADDRESS_CHARACTERS / encodeURIComponent(`&ranges=${range}`).length))
