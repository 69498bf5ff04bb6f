import { invalid } from '../../google-error.ts'
import type { Context } from '../changes/context.ts'
import type { Block, BookDraft, SheetDraft } from '../model/book.ts'
import type { Content } from '../model/content.ts'
import { columnName } from '../ranges/a1.ts'
import { beyondGrid, type Found, rangeText } from '../ranges/resolve.ts'
import { checkEditable, holdsProtected } from '../requests/protection.ts'
import type { Dimension } from './read.ts'
import { userEntered } from './user-entered.ts'
import type { Input, Written } from './value-range.ts'

export type ValueInput = 'RAW' | 'USER_ENTERED'

export const MAX_CHARACTERS = 50_000

export const TOO_LONG = `Your input contains more than the maximum of ${MAX_CHARACTERS} characters in a single cell.`

/** Result of one write. `block` extends to the last written cell. */
export interface Touched {
  readonly sheet: SheetDraft
  readonly block: Block
  /** Requested range. A single cell stands for the size of the values. */
  readonly asked: Block
  readonly dimension: Dimension
  readonly rows: ReadonlySet<number>
  readonly columns: ReadonlySet<number>
  readonly cells: number
}

/** Writes values to a range. Throws 400 if they exceed the range (except for a single cell) or the grid. */
export function writeValues(
  draft: BookDraft,
  { sheet, block, single }: Found<SheetDraft>,
  { values, majorDimension: dimension }: Written,
  how: { input: ValueInput; context: Context },
): Touched {
  const { startRow, startColumn } = block
  const rows = new Set<number>()
  const columns = new Set<number>()
  const write = inputWriter(draft, sheet, how)
  const guarded = holdsProtected(draft, sheet, how.context)
  const brought = extent(values, startRow, startColumn, dimension)
  let cells = 0
  const put = (row: number, column: number, input: Exclude<Input, null>) => {
    if (!single) checkWithin(sheet, block, row, column)
    if (row >= sheet.grid.rowCount || column >= sheet.grid.columnCount) {
      throw beyondGrid(sheet, { startRow, startColumn, ...brought })
    }
    if (guarded) checkEditable(draft, sheet, cellAt(row, column), how.context)
    write(row, column, input)
    rows.add(row)
    columns.add(column)
    cells++
  }
  values.forEach((list, outer) => {
    list.forEach((input, inner) => {
      if (input === null) return
      if (dimension === 'ROWS') put(startRow + outer, startColumn + inner, input)
      else put(startRow + inner, startColumn + outer, input)
    })
  })
  const endRow = Math.max(startRow, ...maximum(rows)) + 1
  const endColumn = Math.max(startColumn, ...maximum(columns)) + 1
  const asked = single
    ? {
        startRow,
        endRow: Math.max(brought.endRow, startRow + 1),
        startColumn,
        endColumn: Math.max(brought.endColumn, startColumn + 1),
      }
    : block
  const written = { startRow, endRow, startColumn, endColumn }
  return { sheet, block: written, asked, dimension, rows, columns, cells }
}

/** UpdateValuesResponse without its id. As in all Google JSON, zero counts are omitted. */
export function updateReply({ sheet, block, rows, columns, cells }: Touched) {
  const updatedRange = rangeText(sheet, block)
  if (cells === 0) return { updatedRange }
  return { updatedRange, updatedRows: rows.size, updatedColumns: columns.size, updatedCells: cells }
}

/** Exclusive end of the values, including blanks and nulls. */
export function extent(
  values: Written['values'],
  startRow: number,
  startColumn: number,
  dimension: Dimension,
): { endRow: number; endColumn: number } {
  const longest = values.reduce((most, list) => Math.max(most, list.length), 0)
  const [height, width] = dimension === 'ROWS' ? [values.length, longest] : [longest, values.length]
  return { endRow: startRow + height, endColumn: startColumn + width }
}

function checkWithin(sheet: SheetDraft, block: Block, row: number, column: number): void {
  if (row < block.endRow && column < block.endColumn) return
  const within = `Requested writing within range [${rangeText(sheet, block)}], but tried writing to`
  if (row >= block.endRow) throw invalid(`${within} row [${row + 1}]`)
  throw invalid(`${within} column [${columnName(column)}]`)
}

/** Returns a writer for cell inputs. Throws 400 for text that exceeds the cell limit. */
function inputWriter(
  { formats }: BookDraft,
  { grid }: SheetDraft,
  { input: how, context }: { input: ValueInput; context: Context },
) {
  return (row: number, column: number, input: Exclude<Input, null>): void => {
    if (typeof input === 'string' && input.length > MAX_CHARACTERS) throw invalid(TOO_LONG)
    const format = formats.get(grid.format(row, column))
    if (typeof input !== 'string' || how === 'RAW' || format.numberFormat?.type === 'TEXT') {
      grid.put(row, column, stored(input))
      return
    }
    const entered = userEntered(input, context.at)
    grid.put(row, column, entered.content)
    if (!entered.format) return
    grid.putFormat(row, column, formats.intern({ ...format, numberFormat: entered.format }))
  }
}

function cellAt(row: number, column: number): Block {
  return { startRow: row, endRow: row + 1, startColumn: column, endColumn: column + 1 }
}

function stored(input: Exclude<Input, null>): Content {
  return input === '' ? null : input
}

function maximum(numbers: ReadonlySet<number>): number[] {
  let most: number | undefined
  for (const number of numbers) most = Math.max(most ?? number, number)
  return most === undefined ? [] : [most]
}
