import { z } from 'zod'
import { invalid } from '../../google-error.ts'
import type { BookDraft } from '../model/book.ts'
import { TypedRows, writeTypedRows } from './typed-cells.ts'

export const Fill = z.strictObject({
  sheetId: z.number().int(),
  row: z.number().int().nonnegative(),
  column: z.number().int().nonnegative(),
  rows: TypedRows,
})

/** Writes typed cells into one tab. Throws GoogleError for an unknown tab. */
export function fill(draft: BookDraft, args: unknown): undefined {
  const { sheetId, row, column, rows } = Fill.parse(args)
  const sheet = draft.sheets.find(({ id }) => id === sheetId)
  if (!sheet) throw invalid(`No grid with id: ${sheetId}`)
  writeTypedRows(sheet.grid, draft.formats, row, column, rows)
}
