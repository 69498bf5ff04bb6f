import * as z from 'zod/mini'
import { digits, IdParams, Moment } from './fields.ts'
import { limits } from './limits.ts'

/** A cell of stored rows. */
export const CellValue = z.union([z.string(), z.number(), z.boolean(), z.null()])
export type CellValue = z.infer<typeof CellValue>

/** How numbers are shown, as Google names it: a type such as DATE, and the pattern where there is one. */
export const NumberFormat = z.object({ type: z.string(), pattern: z.optional(z.string()) })
export type NumberFormat = z.infer<typeof NumberFormat>

/** Changes with every run that stored rows: pages of different versions do not belong together. Null while there are none. */
const DataVersion = z.nullable(z.int())

const ColumnNames = z.union([
  z.pipe(
    z.string(),
    z.transform((name) => [name]),
  ),
  z.array(z.string()),
])

/** A row's typed cells from the first column on, without blank ones at its end; a blank cell is null, never ''. */
export type Row = CellValue[]

/** Which page of stored rows, in which order, and which of its columns. */
export const DataPageQuery = z.strictObject({
  offset: z._default(digits('offset', 0, 10_000_000), 0),
  limit: z._default(digits('limit', 1, limits.data_page_size), limits.data_page_size),
  sort: z.optional(z.string()),
  order: z._default(z.enum(['asc', 'desc']), 'asc'),
  columns: z.optional(ColumnNames),
  'columns[]': z.optional(ColumnNames),
  /** Pages of one table name the version that the first one came with: it stays while it is read. Left out: the current one. */
  version: z.optional(IdParams.shape.id),
})
export type DataPageQuery = z.output<typeof DataPageQuery>

/** A page of stored rows by column, and the version that they belong to. */
export const DataPage = z.object({
  data: z.array(z.record(z.string(), CellValue)),
  /** Of columns whose numbers are shown in different ways: the format of each row of the page. */
  cell_formats: z.record(z.string(), z.array(z.nullable(NumberFormat))),
  version: DataVersion,
})
export type DataPage = z.infer<typeof DataPage>

/** Columns of stored rows, and those shown at first. */
export const DataColumns = z.object({
  available_columns: z.array(z.string()),
  default_selected_columns: z.array(z.string()),
  /** By column; a column without one is shown as it is. */
  number_formats: z.record(z.string(), NumberFormat),
  total: z.int(),
  copied_at: z.nullable(Moment),
  version: DataVersion,
})
export type DataColumns = z.infer<typeof DataColumns>
