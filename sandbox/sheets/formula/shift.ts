import { Formula } from '../model/content.ts'
import type { Area } from '../ranges/a1.ts'
import { type Reference, referenceText, tokensOf } from './tokens.ts'

/** The formula as it reads when pasted `rows` lower and `columns` further right; what leaves the grid's edge becomes #REF!. */
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

/** The formula after tab `before` was given the title `after`. */
export function retitled(formula: Formula, before: string, after: string): Formula {
  return rewritten(formula, (reference) =>
    reference.sheet?.toLowerCase() === before.toLowerCase() ? { ...reference, sheet: after } : reference,
  )
}

/** Rows or columns put in or taken out of one tab. `count` is negative for a removal, which starts at `at`. */
export interface Splice {
  readonly dimension: 'ROWS' | 'COLUMNS'
  readonly at: number
  readonly count: number
}

/** The formula, standing in `home`, after that splice of tab `title`; references to what is gone become #REF!. */
export function spliced(formula: Formula, home: string, title: string, splice: Splice): Formula {
  return rewritten(formula, (reference) => {
    if ((reference.sheet ?? home).toLowerCase() !== title.toLowerCase()) return reference
    const area = splicedArea(reference.area, splice)
    return area && { ...reference, area }
  })
}

/** The area after that splice, or null when nothing of it is left. */
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

/** An end (exclusive) right at an insertion stays: what is put in there lies behind the area. */
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
