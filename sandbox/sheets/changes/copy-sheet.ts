import type { Book, BookDraft } from '../model/book.ts'
import { SheetDraft } from '../model/book.ts'
import { freeTitle, newSheetId } from '../requests/sheet-requests.ts'
import { checkCellLimit, sheetOf } from '../requests/targets.ts'
import { sheetPropertiesJson } from '../resource/sheet-properties.ts'
import type { Context } from './context.ts'

/**
 * Appends a copy of a tab of `source` to a book and returns its SheetProperties. Protected ranges and filter views are not copied.
 * Throws GoogleError.
 */
export function copySheet(draft: BookDraft, source: Book, sheetId: number, { random }: Context): object {
  const from = sheetOf(source.draft(), sheetId, 'sheet')
  const { grid } = from
  const id = newSheetId(draft, undefined, random)
  const title = freeTitle(draft, `Copy of ${from.properties.title}`)
  checkCellLimit(draft, { sheetId: id, rowCount: grid.rowCount, columnCount: grid.columnCount })
  const copy = new SheetDraft({
    ...from,
    id,
    grid: grid.commit(),
    properties: { ...from.properties, title },
    layers: { ...from.layers, protectedRanges: [], filterViews: [] },
  })
  // Format numbers are local to a book, so they are translated.
  for (const [row, { formats }] of grid.rows.map((row) => row ?? { formats: null }).entries()) {
    for (const [column, format] of (formats ?? []).entries()) {
      copy.grid.putFormat(row, column, draft.formats.intern(source.formats.get(format)))
    }
  }
  draft.sheets.push(copy)
  return sheetPropertiesJson(copy, draft.sheets.length - 1)
}
