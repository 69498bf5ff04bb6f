import { type GoogleError, invalid } from '../../google-error.ts'
import type { Context } from '../changes/context.ts'
import type { BookDraft, SheetDraft } from '../model/book.ts'
import { mayEdit, type ProtectedRange } from '../model/layers.ts'
import type { Area } from '../ranges/a1.ts'
import { protectedRangeJson } from '../resource/layers.ts'
import type { RequestArgs } from './shapes.ts'
import { areaOf, blockOf, intersects, isWithin, sheetOf } from './targets.ts'
import { updateMask } from './update-mask.ts'

type Asked = RequestArgs<'addProtectedRange'>['protectedRange']

/** Throws 400 if a protected range prevents the caller from editing some of the cells. */
export function checkEditable(draft: BookDraft, sheet: SheetDraft, area: Area, { by }: Context): void {
  const refused = sheet.layers.protectedRanges.some(
    (range) =>
      intersects(range.area, area) &&
      !range.unprotected.some((free) => isWithin(area, free)) &&
      !mayEdit(draft, range, by),
  )
  if (refused) throw protectedCell()
}

/** Throws 400 if the caller may not edit the tab as a whole; unprotected cells in it may still be editable. */
export function checkTabEditable(draft: BookDraft, sheet: SheetDraft, { by }: Context): void {
  const whole = sheet.layers.protectedRanges.filter(({ area }) => Object.keys(area).length === 0)
  if (whole.some((range) => !mayEdit(draft, range, by))) throw protectedCell()
}

/** True if any cell of the tab is protected from the caller. */
export function holdsProtected(draft: BookDraft, sheet: SheetDraft, { by }: Context): boolean {
  return sheet.layers.protectedRanges.some((range) => !mayEdit(draft, range, by))
}

export function protectedCell(): GoogleError {
  return invalid(
    'You are trying to edit a protected cell or object. Please contact the spreadsheet owner to remove protection if you need to edit.',
  )
}

export function addProtectedRange(
  draft: BookDraft,
  { protectedRange: asked }: RequestArgs<'addProtectedRange'>,
  context: Context,
) {
  const protectedRangeId = asked.protectedRangeId ?? context.random()
  const all = draft.sheets.flatMap(({ layers }) => layers.protectedRanges)
  if (all.some((range) => range.protectedRangeId === protectedRangeId)) {
    throw invalid(`A protected range with the ID ${protectedRangeId} already exists.`)
  }
  const { sheet, area } = placeOf(draft, asked)
  checkEditable(draft, sheet, area, context)
  const users = asked.editors?.users ?? []
  const range = rangeOf(asked, { protectedRangeId, area, users })
  const adder = context.by === undefined || users.includes(context.by) ? [] : [context.by]
  add(sheet, { ...range, editors: { ...range.editors, users: [...range.editors.users, ...adder] } })
  // The reply lists the requested editors; later reads also list the user who added the range.
  const reply = protectedRangeJson(sheet.id, asked.editors ? range : { ...range, editors: null }, true)
  return { addProtectedRange: { protectedRange: reply } }
}

export function updateProtectedRange(
  draft: BookDraft,
  { protectedRange: asked, fields }: RequestArgs<'updateProtectedRange'>,
  { by }: Context,
) {
  const mask = updateMask(fields, [
    'range',
    'namedRangeId',
    'description',
    'warningOnly',
    'unprotectedRanges',
    'editors',
  ])
  const { sheet, range } = find(draft, asked.protectedRangeId ?? 0)
  if (!mayEdit(draft, range, by)) throw protectedCell()
  const has = (name: string) => mask.has(name) || mask.has('*')
  const moves = has('range') || has('namedRangeId')
  const place = moves ? placeOf(draft, asked) : { sheet, area: range.area }
  const { description, warningOnly, unprotected, editors, namedRangeId } = rangeOf(asked, {
    protectedRangeId: range.protectedRangeId,
    area: place.area,
    users: asked.editors?.users ?? [],
  })
  remove(sheet, range)
  add(place.sheet, {
    ...range,
    area: place.area,
    ...(moves && { namedRangeId }),
    ...(has('description') && { description }),
    ...(has('warningOnly') && { warningOnly }),
    ...(has('unprotectedRanges') && { unprotected }),
    ...(has('editors') && { editors }),
  })
  return {}
}

export function deleteProtectedRange(
  draft: BookDraft,
  { protectedRangeId }: RequestArgs<'deleteProtectedRange'>,
  { by }: Context,
) {
  const { sheet, range } = find(draft, protectedRangeId)
  if (!mayEdit(draft, range, by)) throw protectedCell()
  remove(sheet, range)
  return {}
}

function find(draft: BookDraft, id: number): { sheet: SheetDraft; range: ProtectedRange } {
  for (const sheet of draft.sheets) {
    const range = sheet.layers.protectedRanges.find(({ protectedRangeId }) => protectedRangeId === id)
    if (range) return { sheet, range }
  }
  throw invalid(`No protected range with id: ${id}`)
}

function placeOf(draft: BookDraft, { range, namedRangeId }: Asked): { sheet: SheetDraft; area: Area } {
  if (range) {
    const sheet = sheetOf(draft, range.sheetId)
    blockOf(sheet, range)
    return { sheet, area: areaOf(range) }
  }
  const named = draft.namedRanges.find((other) => other.namedRangeId === namedRangeId)
  if (!named) throw invalid('A protected range must have a range or the ID of a named range.')
  const { sheetId, startRow, endRow, startColumn, endColumn } = named
  const area = areaOf({
    sheetId,
    startRowIndex: startRow,
    endRowIndex: endRow,
    startColumnIndex: startColumn,
    endColumnIndex: endColumn,
  })
  return { sheet: sheetOf(draft, sheetId), area }
}

function rangeOf(
  asked: Asked,
  { protectedRangeId, area, users }: { protectedRangeId: number; area: Area; users: readonly string[] },
): ProtectedRange {
  const { namedRangeId, description, warningOnly = false, unprotectedRanges = [], editors } = asked
  return {
    protectedRangeId,
    area,
    unprotected: unprotectedRanges.map(areaOf),
    editors: {
      users: users.map((email) => email.toLowerCase()),
      groups: editors?.groups ?? [],
      domainUsersCanEdit: editors?.domainUsersCanEdit ?? false,
    },
    warningOnly,
    ...(namedRangeId && { namedRangeId }),
    ...(description && { description }),
  }
}

function add(sheet: SheetDraft, range: ProtectedRange): void {
  sheet.layers = { ...sheet.layers, protectedRanges: [...sheet.layers.protectedRanges, range] }
}

function remove(sheet: SheetDraft, range: ProtectedRange): void {
  const protectedRanges = sheet.layers.protectedRanges.filter((other) => other !== range)
  sheet.layers = { ...sheet.layers, protectedRanges }
}
