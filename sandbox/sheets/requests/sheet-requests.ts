import { invalid } from '../../google-error.ts'
import type { Context } from '../changes/context.ts'
import { merge } from '../fields/mask.ts'
import { type BookDraft, SheetDraft as Draft, emptySheet, type SheetDraft } from '../model/book.ts'
import { isJson, type Json } from '../model/json.ts'
import { appearanceOf, sheetPropertiesJson } from '../resource/sheet-properties.ts'
import { resizeGrid } from './dimension-requests.ts'
import { checkFrozenMerges } from './merge-requests.ts'
import { checkTabEditable, holdsProtected, protectedCell } from './protection.ts'
import { retitleReferences } from './references.ts'
import type { RequestArgs } from './shapes.ts'
import { checkCellLimit, checkSheetId, checkSize, sheetOf } from './targets.ts'
import { updateMask } from './update-mask.ts'

export function updateSpreadsheetProperties(
  draft: BookDraft,
  { properties, fields }: RequestArgs<'updateSpreadsheetProperties'>,
) {
  const mask = updateMask(fields, ['title', 'locale', 'timeZone', 'autoRecalc'])
  const { title, locale, timeZone } = draft
  const next = merge({ title, locale, timeZone }, properties, mask)
  if (typeof next.title !== 'string' || next.title === '') throw invalid('Spreadsheet title cannot be empty.')
  draft.title = next.title
  if (typeof next.locale === 'string') draft.locale = next.locale
  if (typeof next.timeZone === 'string') draft.timeZone = next.timeZone
  return {}
}

export function addSheet(draft: BookDraft, { properties }: RequestArgs<'addSheet'>, { random }: Context) {
  const { sheetType = 'GRID', gridProperties, index, sheetId } = properties
  if (sheetType !== 'GRID') throw invalid(`not in the sandbox: a sheet of type ${sheetType}`)
  const title = properties.title ?? freeTitle(draft)
  checkTitle(draft, title)
  const id = newSheetId(draft, sheetId, random)
  // On the wire, an absent number is equal to 0.
  const rowCount = gridProperties?.rowCount || 1000
  const columnCount = gridProperties?.columnCount || 26
  checkSize(rowCount, columnCount)
  const sheet = new Draft(emptySheet(id, { title, ...appearanceOf(properties) }, rowCount, columnCount))
  checkCellLimit(draft, { sheetId: id, rowCount, columnCount })
  checkFrozen(sheet)
  draft.sheets.splice(Math.max(index ?? draft.sheets.length, 0), 0, sheet)
  return { addSheet: { properties: sheetPropertiesJson(sheet, draft.sheets.indexOf(sheet)) } }
}

export function deleteSheet(draft: BookDraft, { sheetId }: RequestArgs<'deleteSheet'>, context: Context) {
  const sheet = sheetOf(draft, sheetId, 'sheet')
  if (holdsProtected(draft, sheet, context)) throw protectedCell()
  const left = draft.sheets.filter((other) => other !== sheet)
  if (left.length === 0) throw invalid("You can't remove all the sheets in a document.")
  if (left.every(({ properties }) => properties.hidden)) {
    throw invalid("You can't remove all the visible sheets in a document.")
  }
  draft.sheets = left
  draft.namedRanges = draft.namedRanges.filter((range) => range.sheetId !== sheetId)
  return {}
}

export function duplicateSheet(draft: BookDraft, args: RequestArgs<'duplicateSheet'>, { random }: Context) {
  const source = sheetOf(draft, args.sourceSheetId, 'sheet')
  const title = args.newSheetName ?? freeTitle(draft, `Copy of ${source.properties.title}`)
  checkTitle(draft, title)
  const id = newSheetId(draft, args.newSheetId, random)
  const { rowCount, columnCount } = source.grid
  checkCellLimit(draft, { sheetId: id, rowCount, columnCount })
  const copy = new Draft({
    ...source,
    grid: source.grid.commit(),
    id,
    properties: { ...source.properties, title },
    // Protected ranges and filter views are not copied.
    layers: { ...source.layers, protectedRanges: [], filterViews: [] },
  })
  draft.sheets.splice(Math.max(args.insertSheetIndex, 0), 0, copy)
  return { duplicateSheet: { properties: sheetPropertiesJson(copy, draft.sheets.indexOf(copy)) } }
}

export function updateSheetProperties(
  draft: BookDraft,
  { properties, fields }: RequestArgs<'updateSheetProperties'>,
  context: Context,
) {
  const mask = updateMask(fields, [
    'sheetId',
    'title',
    'index',
    'sheetType',
    'gridProperties',
    'hidden',
    'tabColor',
    'tabColorStyle',
    'rightToLeft',
  ])
  const sheet = sheetOf(draft, properties.sheetId ?? 0, 'sheet')
  checkTabEditable(draft, sheet, context)
  const index = draft.sheets.indexOf(sheet)
  const before: Json = sheetPropertiesJson(sheet, index)
  const merged = merge(before, properties, mask)
  // A mask names one of the two equivalent fields; the other must not keep the old colour.
  const { tabColor, tabColorStyle, ...plain } = merged
  const after: Json = mask.has('tabColor') ? { ...plain, tabColor } : { ...plain, tabColorStyle }
  if (typeof after.title !== 'string' || after.title === '') throw invalid('Sheet name cannot be empty.')
  if (after.title !== sheet.properties.title) retitle(draft, sheet, after.title)
  resize(draft, sheet, isJson(after.gridProperties) ? after.gridProperties : {}, context)
  replaceAppearance(sheet, appearanceOf(after))
  checkFrozen(sheet)
  checkFrozenMerges(sheet)
  if (draft.sheets.every((other) => other.properties.hidden)) {
    throw invalid("You can't hide all the sheets in a document.")
  }
  if (mask.has('index') || mask.has('*')) move(draft, sheet, properties.index)
  return {}
}

function retitle(draft: BookDraft, sheet: SheetDraft, title: string): void {
  checkTitle(draft, title, sheet)
  const before = sheet.properties.title
  sheet.properties.title = title
  retitleReferences(draft, before, title)
}

function resize(draft: BookDraft, sheet: SheetDraft, wanted: Json, context: Context): void {
  const { rowCount = 0, columnCount = 0 } = wanted
  const { grid } = sheet
  if (typeof rowCount !== 'number' || typeof columnCount !== 'number') return
  checkSize(rowCount, columnCount)
  // Like the real service, checks the new row count with the old column count first.
  const { id: sheetId } = sheet
  if (rowCount > grid.rowCount) checkCellLimit(draft, { sheetId, rowCount, columnCount: grid.columnCount })
  if (columnCount > grid.columnCount) checkCellLimit(draft, { sheetId, rowCount, columnCount })
  resizeGrid(draft, sheet, { rowCount, columnCount }, context)
}

function replaceAppearance(sheet: SheetDraft, appearance: ReturnType<typeof appearanceOf>): void {
  const { title } = sheet.properties
  sheet.properties = { title, ...appearance }
}

/** Indexes refer to the order before the move: 2 moves the first tab behind the second. */
function move(draft: BookDraft, sheet: SheetDraft, wanted: number | undefined): void {
  const from = draft.sheets.indexOf(sheet)
  const to = Math.min(Math.max(wanted ?? draft.sheets.length, 0), draft.sheets.length)
  if (to === from || to === from + 1) return
  draft.sheets.splice(from, 1)
  draft.sheets.splice(to > from ? to - 1 : to, 0, sheet)
}

function checkTitle(draft: BookDraft, title: string, except?: SheetDraft): void {
  const lower = title.toLowerCase()
  const taken = draft.sheets.some(
    (sheet) => sheet !== except && sheet.properties.title.toLowerCase() === lower,
  )
  if (taken) throw invalid(`A sheet with the name "${title}" already exists. Please enter another name.`)
  if (title === '') throw invalid('Sheet name cannot be empty.')
  if (title.length > 100) throw invalid('Sheet name cannot be longer than 100 characters.')
}

function checkFrozen({ properties, grid }: SheetDraft): void {
  if ((properties.frozenRowCount ?? 0) >= grid.rowCount)
    throw invalid("You can't freeze all visible rows on the sheet.")
  if ((properties.frozenColumnCount ?? 0) >= grid.columnCount) {
    throw invalid("You can't freeze all visible columns on the sheet.")
  }
}

/** The requested id, or a new one. Throws 400 if it is taken. */
export function newSheetId(draft: BookDraft, wanted: number | undefined, random: () => number): number {
  const taken = (id: number) => draft.sheets.some((sheet) => sheet.id === id)
  if (wanted !== undefined) {
    checkSheetId(wanted)
    if (taken(wanted)) throw invalid(`A sheet with the ID ${wanted} already exists. Please enter another ID.`)
    return wanted
  }
  let id = random()
  while (taken(id)) id = random()
  return id
}

/** A unique tab title based on the requested one. */
export function freeTitle(draft: BookDraft, wish?: string): string {
  const taken = (title: string) => draft.sheets.some(({ properties }) => properties.title === title)
  if (wish !== undefined && !taken(wish)) return wish
  for (let number = wish === undefined ? draft.sheets.length + 1 : 2; ; number++) {
    const title = wish === undefined ? `Sheet${number}` : `${wish} ${number}`
    if (!taken(title)) return title
  }
}
