import { retitled, type Splice, spliced, splicedArea } from '../formula/shift.ts'
import type { BookDraft, NamedRange, SheetDraft } from '../model/book.ts'
import { Formula } from '../model/content.ts'

/** Lets formulas, named ranges and the tab's filter follow rows or columns that were put in or taken out of a tab. */
export function spliceReferences(draft: BookDraft, sheet: SheetDraft, splice: Splice): void {
  const { title } = sheet.properties
  rewriteFormulas(draft, (formula, home) => spliced(formula, home, title, splice))
  draft.namedRanges = draft.namedRanges.flatMap((range) => splicedNamedRange(range, sheet, splice))
  if (!sheet.basicFilter) return
  const range = splicedArea(sheet.basicFilter.range, splice)
  const { startRow, endRow, startColumn, endColumn } = range ?? {}
  sheet.basicFilter =
    startRow === undefined || endRow === undefined || startColumn === undefined || endColumn === undefined
      ? null
      : { ...sheet.basicFilter, range: { startRow, endRow, startColumn, endColumn } }
}

/** Lets formulas follow a tab that got another title. */
export function retitleReferences(draft: BookDraft, before: string, after: string): void {
  rewriteFormulas(draft, (formula) => retitled(formula, before, after))
}

function splicedNamedRange(range: NamedRange, sheet: SheetDraft, splice: Splice): NamedRange[] {
  if (range.sheetId !== sheet.id) return [range]
  const { namedRangeId, name, sheetId, ...area } = range
  const next = splicedArea(area, splice)
  return next ? [{ namedRangeId, name, sheetId, ...next }] : []
}

function rewriteFormulas(draft: BookDraft, rewrite: (formula: Formula, home: string) => Formula): void {
  for (const { grid, properties } of draft.sheets) {
    if (!grid.hasFormulas) continue
    for (const [row, { cells }] of grid.rows.map((row) => row ?? { cells: [] }).entries()) {
      for (const [column, content] of cells.entries()) {
        if (!(content instanceof Formula)) continue
        const next = rewrite(content, properties.title)
        if (next !== content) grid.put(row, column, next)
      }
    }
  }
}
