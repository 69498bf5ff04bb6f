import type { BookView, SheetView } from '../model/book.ts'
import { type FilterView, mayEdit, type ProtectedRange } from '../model/layers.ts'
import { gridRangeJson } from './grid-range.ts'

/** Layers in a Sheet resource. Empty lists are omitted. */
export function layersJson(book: BookView, sheet: SheetView, reader: string | undefined) {
  const { merges, protectedRanges, filterViews } = sheet.layers
  return {
    ...(merges.length > 0 && { merges: merges.map((merge) => gridRangeJson(sheet.id, merge)) }),
    ...(protectedRanges.length > 0 && {
      protectedRanges: protectedRanges.map((range) => {
        return protectedRangeJson(sheet.id, range, mayEdit(book, range, reader))
      }),
    }),
    ...(filterViews.length > 0 && { filterViews: filterViews.map((view) => filterViewJson(sheet.id, view)) }),
  }
}

/** A protected range. Its editors are shown only to users who may edit it. */
export function protectedRangeJson(
  sheetId: number,
  range: Omit<ProtectedRange, 'editors'> & { editors: ProtectedRange['editors'] | null },
  mayEditIt: boolean,
) {
  const { protectedRangeId, area, namedRangeId, description, warningOnly, unprotected, editors } = range
  return {
    protectedRangeId,
    range: gridRangeJson(sheetId, area),
    ...(namedRangeId && { namedRangeId }),
    ...(description && { description }),
    ...(warningOnly && { warningOnly }),
    ...(mayEditIt && { requestingUserCanEdit: true }),
    ...(unprotected.length > 0 && {
      unprotectedRanges: unprotected.map((free) => gridRangeJson(sheetId, free)),
    }),
    ...(mayEditIt && editors && !warningOnly && { editors: editorsJson(editors) }),
  }
}

export function filterViewJson(sheetId: number, { filterViewId, title, area, rest }: FilterView) {
  return { filterViewId, title, range: gridRangeJson(sheetId, area), ...rest }
}

function editorsJson({ users, groups, domainUsersCanEdit }: ProtectedRange['editors']) {
  return {
    ...(users.length > 0 && { users }),
    ...(groups.length > 0 && { groups }),
    ...(domainUsersCanEdit && { domainUsersCanEdit }),
  }
}
