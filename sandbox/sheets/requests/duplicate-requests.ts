import { invalid } from '../../google-error.ts'
import type { Context } from '../changes/context.ts'
import { Calculator } from '../formula/calculate.ts'
import type { BookDraft } from '../model/book.ts'
import { CellError, type Result } from '../model/content.ts'
import { deleteRange, insertRange } from './move-requests.ts'
import type { RequestArgs } from './shapes.ts'
import { blockOf, lineOf, sheetOf } from './targets.ts'

/** Removes rows of a range that display the same values (case-insensitive) as an earlier row, and moves the following rows up. */
export function deleteDuplicates(
  draft: BookDraft,
  { range, comparisonColumns }: RequestArgs<'deleteDuplicates'>,
  context: Context,
) {
  const sheet = sheetOf(draft, range.sheetId)
  const block = blockOf(sheet, range)
  const { startColumn, endColumn } = block
  const compared =
    comparisonColumns.length > 0 ? comparisonColumns.map((line) => lineOf(sheet, line)) : [block]
  const columns = compared.flatMap((area) => {
    const { start, end } = 'start' in area ? area : { start: startColumn, end: endColumn }
    if (start < startColumn || end > endColumn) throw invalid('comparisonColumns must lie within the range.')
    return Array.from({ length: end - start }, (_, index) => start + index)
  })
  const calculator = new Calculator(draft)
  const seen = new Set<string>()
  const duplicates: number[] = []
  for (let row = block.startRow; row < Math.min(block.endRow, sheet.grid.rows.length); row += 1) {
    const key = JSON.stringify(
      columns.map((column) => shown(calculator.result(sheet, sheet.grid.content(row, column)))),
    )
    if (seen.has(key)) duplicates.push(row)
    seen.add(key)
  }
  for (const row of duplicates.toReversed()) {
    const line = (at: number) => ({
      range: { ...range, startRowIndex: at, endRowIndex: at + 1 },
      shiftDimension: 'ROWS' as const,
    })
    deleteRange(draft, line(row), context)
    // Cells below the range keep their position.
    insertRange(draft, line(block.endRow - 1), context)
  }
  const { length: duplicatesRemovedCount } = duplicates
  return { deleteDuplicates: duplicatesRemovedCount > 0 ? { duplicatesRemovedCount } : {} }
}

const shown = (result: Result) =>
  result instanceof CellError ? result.text : typeof result === 'string' ? result.toLowerCase() : result
