import { invalid, notInSandbox } from '../../google-error.ts'
import type { Context } from '../changes/context.ts'
import { Calculator } from '../formula/calculate.ts'
import { moved } from '../formula/shift.ts'
import type { Block, BookDraft, SheetDraft } from '../model/book.ts'
import { CellError, type Content, Formula, type Result } from '../model/content.ts'
import { areaText } from '../ranges/a1.ts'
import { hiddenRows } from '../values/filtered-rows.ts'
import { checkCutsNoMerge } from './merge-requests.ts'
import { checkEditable } from './protection.ts'
import type { RequestArgs, SortSpec } from './shapes.ts'
import { blockOf, intersects, isWithin, sheetOf } from './targets.ts'

const collator = new Intl.Collator('en')

export function sortRange(
  draft: BookDraft,
  { range, sortSpecs }: RequestArgs<'sortRange'>,
  context: Context,
) {
  const sheet = sheetOf(draft, range.sheetId)
  const { rowCount } = sheet.grid
  if ((range.startRowIndex ?? 0) >= rowCount) {
    throw invalid(`range.startRowIndex is larger than current grid size (${rowCount})`)
  }
  sortRows(draft, sheet, blockOf(sheet, range), sortSpecs, context)
  return {}
}

/** Sorts the visible rows of a block among their positions. Throws 400 if a merge or protected range is affected. */
export function sortRows(
  draft: BookDraft,
  sheet: SheetDraft,
  block: Block,
  specs: readonly SortSpec[],
  context: Context,
): void {
  const { startRow, endRow, startColumn, endColumn } = block
  checkSortable(draft, sheet, block, specs, context)
  const { grid } = sheet
  const hidden = hiddenRows(draft, sheet)
  const calculator = new Calculator(draft)
  const places = Array.from(
    { length: Math.min(endRow, grid.rows.length) - startRow },
    (_, y) => startRow + y,
  ).filter((row) => !hidden.has(row))
  const rows = places.map((row) => ({
    row,
    keys: specs.map(({ dimensionIndex }) => calculator.result(sheet, grid.content(row, dimensionIndex))),
    cells: Array.from({ length: endColumn - startColumn }, (_, x) => grid.content(row, startColumn + x)),
    formats: Array.from({ length: endColumn - startColumn }, (_, x) => grid.format(row, startColumn + x)),
  }))
  rows.sort((a, b) => compareKeys(a.keys, b.keys, specs))
  // Blank rows sort last; some of them may not be stored.
  const placeOf = new Map<number, number>()
  rows.forEach(({ row, cells, formats }, index) => {
    const to = places[index] ?? row
    placeOf.set(row, to)
    cells.forEach((content, x) => {
      grid.put(to, startColumn + x, placed(content, to - row))
      grid.putFormat(to, startColumn + x, formats[x] ?? 0)
    })
  })
  moveNotesAndMerges(sheet, block, (row) => placeOf.get(row) ?? row)
}

function checkSortable(
  draft: BookDraft,
  sheet: SheetDraft,
  block: Block,
  specs: readonly SortSpec[],
  context: Context,
): void {
  for (const spec of specs) {
    const other = Object.keys(spec).find((name) => name !== 'dimensionIndex' && name !== 'sortOrder')
    if (other) throw notInSandbox(`sorting by ${other}`)
    const { dimensionIndex } = spec
    if (dimensionIndex < block.startColumn || dimensionIndex >= block.endColumn) {
      throw invalid(`Sort column ${dimensionIndex} is outside of the range to be sorted.`)
    }
  }
  checkEditable(draft, sheet, block, context)
  for (const merge of sheet.layers.merges) {
    if (!intersects(merge, block) || merge.endRow - merge.startRow === 1) continue
    const place = `There is a vertical merge at ${areaText(merge)}.`
    throw invalid(`You can't sort a range containing vertical merges. ${place}`)
  }
  checkCutsNoMerge(sheet, block)
}

/** Shifts references of a formula to its new row. */
function placed(content: Content, rows: number): Content {
  return content instanceof Formula ? moved(content, rows, 0) : content
}

function moveNotesAndMerges(sheet: SheetDraft, block: Block, placeOf: (row: number) => number): void {
  sheet.notes = new Map(
    [...sheet.notes].map(([key, note]): [string, string] => {
      const [row = 0, column = 0] = key.split(',').map(Number)
      const inside = column >= block.startColumn && column < block.endColumn
      return inside ? [`${placeOf(row)},${column}`, note] : [key, note]
    }),
  )
  const merges = sheet.layers.merges.map((merge) => {
    if (!isWithin(merge, block)) return merge
    const startRow = placeOf(merge.startRow)
    return { ...merge, startRow, endRow: startRow + 1 }
  })
  sheet.layers = { ...sheet.layers, merges }
}

function compareKeys(a: readonly Result[], b: readonly Result[], specs: readonly SortSpec[]): number {
  for (const [index, { sortOrder }] of specs.entries()) {
    const [first = null, second = null] = [a[index], b[index]]
    // Blank cells sort last in both directions.
    if (first === null || second === null) {
      if (first === second) continue
      return first === null ? 1 : -1
    }
    const order = compare(first, second)
    if (order !== 0) return sortOrder === 'DESCENDING' ? -order : order
  }
  return 0
}

/** Numbers, then text, booleans, errors. */
function compare(a: Exclude<Result, null>, b: Exclude<Result, null>): number {
  const byKind = kindOf(a) - kindOf(b)
  if (byKind !== 0) return byKind
  if (typeof a === 'string' && typeof b === 'string') return collator.compare(a, b)
  return Number(a) - Number(b) || 0
}

function kindOf(value: Exclude<Result, null>): number {
  if (value instanceof CellError) return 3
  return ['number', 'string', 'boolean'].indexOf(typeof value)
}
