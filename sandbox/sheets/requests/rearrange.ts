import { movedArea, rearranged, type Splice, splicedArea } from '../formula/shift.ts'
import type { BookDraft, NamedRange, SheetDraft } from '../model/book.ts'
import { isJson, type Json } from '../model/json.ts'
import type { Layers } from '../model/layers.ts'
import type { Area } from '../ranges/a1.ts'
import { rewriteFormulas } from './references.ts'

type Dimension = Splice['dimension']

/** Maps cells of a tab to their new position; null for removed cells. */
export interface Rearrangement {
  area(area: Area): Area | null
  index(dimension: Dimension, index: number): number | null
  cell(row: number, column: number): readonly [number, number] | null
}

/** Inserted or removed rows or columns. */
export function splicing(splice: Splice): Rearrangement {
  return ofDimension(
    splice.dimension,
    (index) => splicedIndex(index, splice),
    (area) => splicedArea(area, splice),
  )
}

/** Rows or columns from `start` to `end` that were moved before `to`. */
export function moving(dimension: Dimension, start: number, end: number, to: number): Rearrangement {
  const count = end - start
  const [low, high] = [Math.min(start, to), Math.max(end, to)]
  const index = (at: number) => {
    if (at < low || at >= high) return at
    if (at >= start && at < end) return to > start ? at + to - end : at + to - start
    return to > start ? at - count : at + count
  }
  return ofDimension(dimension, index, (area) => movedArea(area, { dimension, start, end, index }))
}

/** Cells of `band` (its columns if rows are shifted) that were inserted or removed. */
export function shifting(band: Required<Area>, splice: Splice): Rearrangement {
  const rows = splice.dimension === 'ROWS'
  const within = (start: number, end: number) =>
    rows ? start >= band.startColumn && end <= band.endColumn : start >= band.startRow && end <= band.endRow
  return {
    area: (area) => {
      const [start = 0, end = Number.POSITIVE_INFINITY] = rows
        ? [area.startColumn, area.endColumn]
        : [area.startRow, area.endRow]
      return within(start, end) ? splicedArea(area, splice) : area
    },
    index: (_, index) => index,
    cell: (row, column) => {
      const across = rows ? column : row
      if (!within(across, across + 1)) return [row, column]
      const index = splicedIndex(rows ? row : column, splice)
      if (index === null) return null
      return rows ? [index, column] : [row, index]
    },
  }
}

/** Adjusts formulas, named ranges, filter, notes and layers of a tab after its cells moved. */
export function rearrange(draft: BookDraft, sheet: SheetDraft, change: Rearrangement): void {
  const { title } = sheet.properties
  rewriteFormulas(draft, (formula, home) => rearranged(formula, home, title, change.area))
  draft.namedRanges = draft.namedRanges.flatMap((range) => movedNamedRange(range, sheet, change))
  sheet.notes = new Map(
    [...sheet.notes].flatMap(([key, note]): [string, string][] => {
      const [row = 0, column = 0] = key.split(',').map(Number)
      const place = change.cell(row, column)
      return place ? [[place.join(','), note]] : []
    }),
  )
  sheet.layers = movedLayers(sheet.layers, change)
  const filter = sheet.basicFilter
  const range = filter && blockAfter(filter.range, change)
  sheet.basicFilter = range ? { range, rest: movedCriteria(filter.rest, change) } : null
}

function ofDimension(
  dimension: Dimension,
  index: (at: number) => number | null,
  area: Rearrangement['area'],
): Rearrangement {
  return {
    area,
    index: (of, at) => (of === dimension ? index(at) : at),
    cell: (row, column) => {
      const at = index(dimension === 'ROWS' ? row : column)
      if (at === null) return null
      return dimension === 'ROWS' ? [at, column] : [row, at]
    },
  }
}

function splicedIndex(index: number, { at, count }: Splice): number | null {
  if (index < at) return index
  return index + count < at ? null : index + count
}

function movedNamedRange(range: NamedRange, sheet: SheetDraft, change: Rearrangement): NamedRange[] {
  if (range.sheetId !== sheet.id) return [range]
  const { namedRangeId, name, sheetId, ...area } = range
  const next = change.area(area)
  return next ? [{ namedRangeId, name, sheetId, ...next }] : []
}

function movedLayers(layers: Layers, change: Rearrangement): Layers {
  const withArea = <T extends { readonly area: Area }>(item: T): T[] => {
    const area = change.area(item.area)
    return area ? [{ ...item, area }] : []
  }
  const indexed = <T>(dimension: Dimension, items: ReadonlyMap<number, T>) =>
    new Map(
      [...items].flatMap(([index, item]): [number, T][] => {
        const next = change.index(dimension, index)
        return next === null ? [] : [[next, item]]
      }),
    )
  return {
    merges: layers.merges.flatMap((merge) => blockAfter(merge, change) ?? []).filter(isSeveral),
    protectedRanges: layers.protectedRanges.flatMap(withArea).map((range) => ({
      ...range,
      unprotected: range.unprotected.flatMap((area) => change.area(area) ?? []),
    })),
    filterViews: layers.filterViews.flatMap(withArea),
    rows: indexed('ROWS', layers.rows),
    columns: indexed('COLUMNS', layers.columns),
  }
}

function isSeveral({ startRow, endRow, startColumn, endColumn }: Required<Area>): boolean {
  return endRow - startRow > 1 || endColumn - startColumn > 1
}

function blockAfter(block: Required<Area>, change: Rearrangement): Required<Area> | null {
  const { startRow, endRow, startColumn, endColumn } = change.area(block) ?? {}
  if (
    startRow === undefined ||
    endRow === undefined ||
    startColumn === undefined ||
    endColumn === undefined
  ) {
    return null
  }
  return { startRow, endRow, startColumn, endColumn }
}

/** Adjusts column indexes of filter criteria. */
function movedCriteria(rest: Json, change: Rearrangement): Json {
  const { criteria, filterSpecs, sortSpecs, ...others } = rest
  const column = (index: unknown) => change.index('COLUMNS', typeof index === 'number' ? index : 0)
  const specs = (list: unknown, name: string) =>
    (Array.isArray(list) ? list : []).flatMap((spec: Json) => {
      const index = column(spec[name])
      return index === null ? [] : [{ ...spec, [name]: index }]
    })
  return {
    ...others,
    ...(isJson(criteria) && {
      criteria: Object.fromEntries(
        Object.entries(criteria).flatMap(([index, value]) => {
          const next = column(Number(index))
          return next === null ? [] : [[String(next), value]]
        }),
      ),
    }),
    ...(filterSpecs !== undefined && { filterSpecs: specs(filterSpecs, 'columnIndex') }),
    ...(sortSpecs !== undefined && { sortSpecs: specs(sortSpecs, 'dimensionIndex') }),
  }
}
