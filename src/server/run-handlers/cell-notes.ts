import type { Row } from '../../contract/tables.ts'
import { isLoading } from '../connectors/connector.ts'

/** Google's own limit for the text of one cell. */
export const CELL_CHARACTERS = 50_000

const ERROR_VALUE = /^#(?:N\/A|REF!|VALUE!|DIV\/0!|NAME\?|NUM!|NULL!|ERROR!)$/
const NOTED = 5
const MOST_COLUMNS = 18_278

/**
 * Cells that have something in common: how many, and where the first ones are. Rows count from the header row. `mark` is the same
 * for the same cells.
 */
export type Noted = { count: number; first: { row: number; column: number }[]; mark: number }

/** Which cells they are, as a short text that differs for others. */
export const cellsOf = ({ count, first, mark }: Noted): string => JSON.stringify([count, first, mark])

/** What was found in the cells of a table while it was read. */
export class CellNotes {
  readonly errors: Noted = { count: 0, first: [], mark: 0 }
  readonly loading: Noted = { count: 0, first: [], mark: 0 }
  readonly tooLong: Noted = { count: 0, first: [], mark: 0 }
  readonly replaced: Noted = { count: 0, first: [], mark: 0 }

  /** The row as it is kept. What PostgreSQL and Google cannot store, NUL and halves of characters, is replaced by �. */
  take(row: Row, index: number): Row {
    let kept = row
    for (let column = 0; column < row.length; column += 1) {
      const cell = row[column]
      if (typeof cell !== 'string') continue
      if (cell.length > CELL_CHARACTERS) note(this.tooLong, index, column)
      if (cell.charCodeAt(0) === 35 && ERROR_VALUE.test(cell)) note(this.errors, index, column)
      else if (isLoading(cell)) note(this.loading, index, column)
      if (!cell.isWellFormed() || cell.includes('\0')) {
        note(this.replaced, index, column)
        kept = kept.with(column, cell.toWellFormed().replaceAll('\0', '\ufffd'))
      }
    }
    return kept
  }
}

function note(noted: Noted, row: number, column: number): void {
  noted.count += 1
  noted.mark = (Math.imul(noted.mark, 31) + row * MOST_COLUMNS + column) | 0
  if (noted.first.length < NOTED) noted.first.push({ row, column })
}
