import { z } from 'zod'

/** A cell of copied data. */
export const CellValue = z.union([z.string(), z.number(), z.boolean(), z.null()])
export type CellValue = z.infer<typeof CellValue>

/** How numbers are shown, as Google names it: a type such as DATE, and the pattern where there is one. */
export const NumberFormat = z.object({ type: z.string(), pattern: z.string().optional() })
export type NumberFormat = z.infer<typeof NumberFormat>

/** Changes with every run that copied: pages of different versions do not belong together. Null while nothing was copied. */
export const CopyVersion = z.int().nullable()

export const ColumnNames = z.union([z.string().transform((name) => [name]), z.array(z.string())])

/** A row's typed cells from the first column on, without blank ones at its end; a blank cell is null, never ''. */
export type Row = CellValue[]
