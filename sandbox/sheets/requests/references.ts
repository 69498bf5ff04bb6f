import { retitled } from '../formula/shift.ts'
import type { BookDraft } from '../model/book.ts'
import { Formula } from '../model/content.ts'

/** Adjusts formulas after a tab was renamed. */
export function retitleReferences(draft: BookDraft, before: string, after: string): void {
  rewriteFormulas(draft, (formula) => retitled(formula, before, after))
}

/** Rewrites the formulas of a book. `home`: tab of the formula. */
export function rewriteFormulas(
  draft: BookDraft,
  rewrite: (formula: Formula, home: string) => Formula,
): void {
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
