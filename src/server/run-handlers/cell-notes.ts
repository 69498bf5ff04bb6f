import { z } from 'zod'
import type { Row } from '../../contract/tables.ts'
import { isLoading, isSpreadsheetError } from '../snapshots/spreadsheet-errors.ts'

/** What a cell of a spreadsheet has room for, where rows are fetched before it is known where they will go. */
export const CELL_CHARACTERS = 50_000

const NOTED = 5
const MOST_COLUMNS = 18_278

/**
 * Cells that have something in common: how many, and where the first ones are. Rows count from the header row. `mark` is the same
 * for the same cells.
 */
export const Noted = z.object({
  count: z.int(),
  first: z.array(z.object({ row: z.int(), column: z.int() })),
  mark: z.int(),
})
export type Noted = z.infer<typeof Noted>

/** Which cells they are, as a short text that differs for others. */
export const cellsOf = ({ count, first, mark }: Noted): string => JSON.stringify([count, first, mark])

/** What is found in the cells of a table while it is read. */
export const FoundCells = z.object({ errors: Noted, loading: Noted, tooLong: Noted, replaced: Noted })
export type FoundCells = z.infer<typeof FoundCells>

/** Takes note of that. */
export class CellNotes {
  readonly errors: Noted
  readonly loading: Noted
  readonly tooLong: Noted
  readonly replaced: Noted
  readonly #most_characters: number

  /** Goes on from what another one has found. `most_characters`: of one cell. */
  constructor(
    { errors = none(), loading = none(), tooLong = none(), replaced = none() }: Partial<FoundCells> = {},
    most_characters = CELL_CHARACTERS,
  ) {
    this.#most_characters = most_characters
    this.errors = errors
    this.loading = loading
    this.tooLong = tooLong
    this.replaced = replaced
  }

  /** The row as it is kept. What PostgreSQL and Google cannot store, NUL and halves of characters, is replaced by �. */
  take(row: Row, index: number): Row {
    let kept = row
    for (let column = 0; column < row.length; column += 1) {
      const cell = row[column]
      if (typeof cell !== 'string') continue
      if (cell.length > this.#most_characters) note(this.tooLong, index, column)
      if (cell.charCodeAt(0) === 35 && isSpreadsheetError(cell)) note(this.errors, index, column)
      else if (isLoading(cell)) note(this.loading, index, column)
      if (!cell.isWellFormed() || cell.includes('\0')) {
        note(this.replaced, index, column)
        kept = kept.with(column, cell.toWellFormed().replaceAll('\0', '\ufffd'))
      }
    }
    return kept
  }
}

const none = (): Noted => ({ count: 0, first: [], mark: 0 })

function note(noted: Noted, row: number, column: number): void {
  noted.count += 1
  noted.mark = (Math.imul(noted.mark, 31) + row * MOST_COLUMNS + column) | 0
  if (noted.first.length < NOTED) noted.first.push({ row, column })
}
