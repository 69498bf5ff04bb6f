import { Formula } from '../model/content.ts'
import type { Area } from '../ranges/a1.ts'
import { type Reference, referenceText, tokensOf } from './tokens.ts'

/** Shifts relative references as a paste `rows` down and `columns` right does. References beyond the grid become #REF!. */
export function moved(formula: Formula, rows: number, columns: number): Formula {
  return rewritten(formula, ({ area, fixed, ...rest }) => {
    const { startRow, endRow, startColumn, endColumn } = area
    const shifted = {
      ...(startRow !== undefined && { startRow: startRow + (fixed.startRow ? 0 : rows) }),
      ...(endRow !== undefined && { endRow: endRow + (fixed.endRow ? 0 : rows) }),
      ...(startColumn !== undefined && { startColumn: startColumn + (fixed.startColumn ? 0 : columns) }),
      ...(endColumn !== undefined && { endColumn: endColumn + (fixed.endColumn ? 0 : columns) }),
    }
    const lost = (shifted.startRow ?? 0) < 0 || (shifted.startColumn ?? 0) < 0
    return lost ? null : { ...rest, fixed, area: shifted }
  })
}

/** Renames a tab in a formula. */
export function retitled(formula: Formula, before: string, after: string): Formula {
  return rewritten(formula, (reference) =>
    reference.sheet?.toLowerCase() === before.toLowerCase() ? { ...reference, sheet: after } : reference,
  )
}

/** Inserted or removed rows or columns of a tab. A negative `count` removes, starting at `at`. */
export interface Splice {
  readonly dimension: 'ROWS' | 'COLUMNS'
  readonly at: number
  readonly count: number
}

/** Adjusts a formula in tab `home` after cells of tab `title` moved. References to removed cells become #REF!. */
export function rearranged(
  formula: Formula,
  home: string,
  title: string,
  place: (area: Area) => Area | null,
): Formula {
  return rewritten(formula, (reference) => {
    if ((reference.sheet ?? home).toLowerCase() !== title.toLowerCase()) return reference
    const area = place(reference.area)
    return area && { ...reference, area }
  })
}

/** Adjusts an area after a splice; null if it was removed. */
export function splicedArea(area: Area, { dimension, at, count }: Splice): Area | null {
  const [start, end] =
    dimension === 'ROWS' ? [area.startRow, area.endRow] : [area.startColumn, area.endColumn]
  const first = start === undefined ? undefined : bound(start, at, count, false)
  const last = end === undefined ? undefined : bound(end, at, count, true)
  if (first !== undefined && last !== undefined && first >= last) return null
  const { startRow, endRow, startColumn, endColumn } = area
  const kept =
    dimension === 'ROWS'
      ? { startRow: first, endRow: last, startColumn, endColumn }
      : { startRow, endRow, startColumn: first, endColumn: last }
  return Object.fromEntries(Object.entries(kept).filter(([, value]) => value !== undefined))
}

/** Rows or columns from `start` to `end` that were permuted; `index` maps an old to a new index. */
interface Move {
  readonly dimension: 'ROWS' | 'COLUMNS'
  readonly start: number
  readonly end: number
  readonly index: (at: number) => number
}

/** Adjusts an area after a move. It follows only if it stays contiguous. */
export function movedArea(area: Area, { dimension, start, end, index }: Move): Area {
  const rows = dimension === 'ROWS'
  const first = rows ? area.startRow : area.startColumn
  const behind = rows ? area.endRow : area.endColumn
  if (first === undefined || behind === undefined) return area
  const moved = (at: number) => at >= start && at < end
  const cut = moved(first) !== moved(behind - 1) || (first < start && behind > end)
  const [from, to] = [index(first), index(behind - 1) + 1]
  if (cut || to - from !== behind - first) return area
  return rows ? { ...area, startRow: from, endRow: to } : { ...area, startColumn: from, endColumn: to }
}

/** An exclusive end at the insertion point stays, because the inserted cells are behind the area. */
function bound(index: number, at: number, count: number, isEnd: boolean): number {
  const behind = isEnd ? index > at : index >= at
  if (!behind) return index
  return Math.max(at, index + count)
}

function rewritten(formula: Formula, change: (reference: Reference) => Reference | null): Formula {
  const tokens = tokensOf(formula.text.slice(1))
  if (!tokens?.some(({ kind }) => kind === 'reference')) return formula
  const text = tokens.map((token) => {
    if (token.kind !== 'reference') return token.text
    const next = change(token.reference)
    if (next === token.reference) return token.text
    return next ? referenceText(next) : '#REF!'
  })
  return new Formula(`=${text.join('')}`)
}
