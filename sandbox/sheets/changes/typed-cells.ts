import { z } from 'zod'
import type { FormatTable } from '../model/cell-format.ts'
import { NUMBER_FORMAT_TYPES } from '../model/cell-format.ts'
import { type CellValue, contentOf, type ErrorText, isErrorText } from '../model/content.ts'
import type { GridDraft } from '../model/grid.ts'

const ErrorName = z.custom<ErrorText>((text) => typeof text === 'string' && isErrorText(text))

const VALUES = [
  z.null(),
  z.string(),
  z.number(),
  z.boolean(),
  z.strictObject({ formula: z.string().startsWith('=') }),
  z.strictObject({ error: ErrorName }),
] as const

const TypedValue: z.ZodType<CellValue> = z.union(VALUES)

const TypedFormat = z.looseObject({
  numberFormat: z
    .strictObject({ type: z.enum(NUMBER_FORMAT_TYPES), pattern: z.string().optional() })
    .optional(),
})

// Repeats the value types, because a nested union would give unclear errors for cells with a format.
const TypedCell = z.union([
  ...VALUES,
  z.strictObject({ value: TypedValue.optional(), format: TypedFormat.optional() }),
])

/** Rows of typed cells: a value, or a value with format. Omitted parts are kept. */
export const TypedRows = z.array(z.array(TypedCell.optional()))
export type TypedRows = z.infer<typeof TypedRows>

/** Writes cells starting at `row`, `column` (from 0) and extends the grid if needed. */
export function writeTypedRows(
  grid: GridDraft,
  formats: FormatTable,
  row: number,
  column: number,
  rows: TypedRows,
): void {
  const width = rows.reduce((widest, cells) => Math.max(widest, cells.length), 0)
  grid.resize(Math.max(grid.rowCount, row + rows.length), Math.max(grid.columnCount, column + width))
  rows.forEach((cells, y) => {
    cells.forEach((cell, x) => {
      if (cell === undefined) return
      const dressed = typeof cell === 'object' && cell !== null && !('formula' in cell || 'error' in cell)
      const { value, format } = dressed ? cell : { value: cell, format: undefined }
      if (value !== undefined) grid.put(row + y, column + x, contentOf(value))
      if (format !== undefined) grid.putFormat(row + y, column + x, formats.intern(format))
    })
  })
}
