import { z } from 'zod'
import type { Row } from '../../contract/tables.ts'
import { isLoading, isSpreadsheetError } from '../snapshots/spreadsheet-errors.ts'

/** Maximum characters in a cell of Google Sheets. Applied to all ingested rows: any of them may be copied to a sheet. */
export const CELL_CHARACTERS = 50_000

/** Cells of which the position is kept. */
const MAX_POSITIONS = 5
const MAX_COLUMNS = 18_278

/** Cells with one property: how many, the positions of the first (rows count from the header row), and a hash of all positions. */
export const Noted = z.object({
  count: z.int(),
  first: z.array(z.object({ row: z.int(), column: z.int() })),
  mark: z.int(),
})
export type Noted = z.infer<typeof Noted>

/** A short text that identifies the set of cells. */
export const cellsOf = ({ count, first, mark }: Noted): string => JSON.stringify([count, first, mark])

/** Cells of a table that need attention. */
export const FoundCells = z.object({ errors: Noted, loading: Noted, tooLong: Noted, replaced: Noted })
export type FoundCells = z.infer<typeof FoundCells>

/** Collects them while the rows are read. */
export class CellNotes {
  readonly errors: Noted
  readonly loading: Noted
  readonly tooLong: Noted
  readonly replaced: Noted
  readonly #max_characters: number

  /** `found`: what was collected before a checkpoint; `max_characters`: limit of a cell. */
  constructor(
    { errors = none(), loading = none(), tooLong = none(), replaced = none() }: Partial<FoundCells> = {},
    max_characters = CELL_CHARACTERS,
  ) {
    this.#max_characters = max_characters
    this.errors = errors
    this.loading = loading
    this.tooLong = tooLong
    this.replaced = replaced
  }

  /** Returns the row as it is stored: NUL and lone surrogates, which PostgreSQL and Google refuse, are replaced by �. */
  take(row: Row, index: number): Row {
    let stored = row
    for (let column = 0; column < row.length; column += 1) {
      const cell = row[column]
      if (typeof cell !== 'string') continue
      if (cell.length > this.#max_characters) note(this.tooLong, index, column)
      if (cell.charCodeAt(0) === 35 && isSpreadsheetError(cell)) note(this.errors, index, column)
      else if (isLoading(cell)) note(this.loading, index, column)
      if (!cell.isWellFormed() || cell.includes('\0')) {
        note(this.replaced, index, column)
        stored = stored.with(column, cell.toWellFormed().replaceAll('\0', '\ufffd'))
      }
    }
    return stored
  }
}

const none = (): Noted => ({ count: 0, first: [], mark: 0 })

function note(noted: Noted, row: number, column: number): void {
  noted.count += 1
  noted.mark = (Math.imul(noted.mark, 31) + row * MAX_COLUMNS + column) | 0
  if (noted.first.length < MAX_POSITIONS) noted.first.push({ row, column })
}
