import { invalid } from '../../google-error.ts'
import type { Context } from '../changes/context.ts'
import type { BookDraft, SheetDraft } from '../model/book.ts'
import type { FilterView } from '../model/layers.ts'
import { filterViewJson } from '../resource/layers.ts'
import { filteredRows } from '../values/filtered-rows.ts'
import { checkTabEditable } from './protection.ts'
import type { RequestArgs } from './shapes.ts'
import { sortRows } from './sort-requests.ts'
import { areaOf, blockOf, intersects, sheetOf } from './targets.ts'
import { updateMask } from './update-mask.ts'

type Asked = RequestArgs<'addFilterView'>['filter']

export function setBasicFilter(
  draft: BookDraft,
  { filter }: RequestArgs<'setBasicFilter'>,
  context: Context,
) {
  const { range, ...rest } = filter
  const sheet = sheetOf(draft, range.sheetId)
  const block = blockOf(sheet, range)
  checkTabEditable(draft, sheet, context)
  if (sheet.layers.merges.some((merge) => merge.endRow - merge.startRow > 1 && intersects(merge, block))) {
    throw invalid("You can't create a filter over a range containing vertical merges.")
  }
  sheet.basicFilter = { range: block, rest }
  // Throws for unsupported criteria.
  filteredRows(draft, sheet)
  const { sortSpecs = [] } = rest
  if (sortSpecs.length > 0)
    sortRows(draft, sheet, { ...block, startRow: block.startRow + 1 }, sortSpecs, context)
  return {}
}

export function clearBasicFilter(
  draft: BookDraft,
  { sheetId }: RequestArgs<'clearBasicFilter'>,
  context: Context,
) {
  const sheet = sheetOf(draft, sheetId)
  checkTabEditable(draft, sheet, context)
  sheet.basicFilter = null
  return {}
}

export function addFilterView(
  draft: BookDraft,
  { filter }: RequestArgs<'addFilterView'>,
  { random }: Context,
) {
  const id = filter.filterViewId ?? random()
  if (views(draft).some(({ filterViewId }) => filterViewId === id)) {
    throw invalid(`A filter view with the ID ${id} already exists.`)
  }
  const { title = `Filter ${views(draft).length + 1}`, ...rest } = filter
  const { sheet, view } = placed(draft, { ...rest, title, filterViewId: id })
  put(sheet, [...sheet.layers.filterViews, view])
  return { addFilterView: { filter: filterViewJson(sheet.id, view) } }
}

export function updateFilterView(draft: BookDraft, { filter, fields }: RequestArgs<'updateFilterView'>) {
  const mask = updateMask(fields, ['title', 'range', 'namedRangeId', 'sortSpecs', 'criteria', 'filterSpecs'])
  const { sheet, view } = find(draft, filter.filterViewId ?? 0)
  const { title, range, ...given } = filter
  const has = (name: string) => mask.has(name) || mask.has('*')
  const kept = Object.entries(view.rest).filter(([name]) => !has(name))
  const added = Object.entries(given).filter(([name]) => has(name) && name !== 'filterViewId')
  if (has('range') && range) blockOf(sheet, { ...range, sheetId: sheet.id })
  const next: FilterView = {
    filterViewId: view.filterViewId,
    title: has('title') ? (title ?? '') : view.title,
    area: has('range') && range ? areaOf(range) : view.area,
    rest: Object.fromEntries([...kept, ...added]),
  }
  put(
    sheet,
    sheet.layers.filterViews.map((other) => (other === view ? next : other)),
  )
  return {}
}

export function duplicateFilterView(
  draft: BookDraft,
  { filterId }: RequestArgs<'duplicateFilterView'>,
  { random }: Context,
) {
  const { sheet, view } = find(draft, filterId)
  const copy = { ...view, filterViewId: random(), title: `Copy of ${view.title}` }
  put(sheet, [...sheet.layers.filterViews, copy])
  return { duplicateFilterView: { filter: filterViewJson(sheet.id, copy) } }
}

export function deleteFilterView(draft: BookDraft, { filterId }: RequestArgs<'deleteFilterView'>) {
  const { sheet, view } = find(draft, filterId)
  put(
    sheet,
    sheet.layers.filterViews.filter((other) => other !== view),
  )
  return {}
}

function placed(draft: BookDraft, asked: Asked & { filterViewId: number; title: string }) {
  const { filterViewId, title, range, ...rest } = asked
  const sheet = sheetOf(draft, range.sheetId)
  blockOf(sheet, range)
  return { sheet, view: { filterViewId, title, area: areaOf(range), rest } }
}

function views(draft: BookDraft): FilterView[] {
  return draft.sheets.flatMap(({ layers }) => layers.filterViews)
}

function find(draft: BookDraft, id: number): { sheet: SheetDraft; view: FilterView } {
  for (const sheet of draft.sheets) {
    const view = sheet.layers.filterViews.find(({ filterViewId }) => filterViewId === id)
    if (view) return { sheet, view }
  }
  throw invalid(`No filter view with id: ${id}`)
}

function put(sheet: SheetDraft, filterViews: readonly FilterView[]): void {
  sheet.layers = { ...sheet.layers, filterViews }
}
