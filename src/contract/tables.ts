import * as z from 'zod/mini'
import { digits, IdParams, Moment } from './fields.ts'
import { limits } from './limits.ts'

/** A cell of stored rows. */
export const CellValue = z.union([z.string(), z.number(), z.boolean(), z.null()])
export type CellValue = z.infer<typeof CellValue>

/** Number format as Google names it: a type such as DATE, and an optional pattern. */
export const NumberFormat = z.object({ type: z.string(), pattern: z.optional(z.string()) })
export type NumberFormat = z.infer<typeof NumberFormat>

/** Version of stored rows. Pages of different versions must not be combined. Null without rows. */
const DataVersion = z.nullable(z.int())

const ColumnNames = z.union([
  z.pipe(
    z.string(),
    z.transform((name) => [name]),
  ),
  z.array(z.string()),
])

/** Typed cells of a row from the first column, without trailing blanks. A blank cell is null, never ''. */
export type Row = CellValue[]

/** Page, sort order and columns of stored rows. */
export const DataPageQuery = z.strictObject({
  offset: z._default(digits('offset', 0, 10_000_000), 0),
  limit: z._default(digits('limit', 1, limits.data_page_size), limits.data_page_size),
  sort: z.optional(z.string()),
  order: z._default(z.enum(['asc', 'desc']), 'asc'),
  columns: z.optional(ColumnNames),
  'columns[]': z.optional(ColumnNames),
  /** Only rows with a cell that contains this text, ignoring case; numbers and dates as they are stored. */
  search: z.optional(z.string().check(z.maxLength(limits.search_characters))),
  /** Version of the first page, so that all pages are of one version. Default: the current version. */
  version: z.optional(IdParams.shape.id),
})
export type DataPageQuery = z.output<typeof DataPageQuery>

/** A page of stored rows by column, and their version. */
export const DataPage = z.object({
  data: z.array(z.record(z.string(), CellValue)),
  /** For columns with mixed number formats: the format of each row. */
  cell_formats: z.record(z.string(), z.array(z.nullable(NumberFormat))),
  /** Number of rows that the search finds; null without a search. */
  found: z.nullable(z.int()),
  /** Numbers of the rows, counted from 1, of a page that is sorted or searched. */
  row_numbers: z.optional(z.array(z.int())),
  version: DataVersion,
})
export type DataPage = z.infer<typeof DataPage>

/** Columns of stored rows, and those visible by default. */
export const DataColumns = z.object({
  available_columns: z.array(z.string()),
  default_selected_columns: z.array(z.string()),
  /** By column; columns without one are not formatted. */
  number_formats: z.record(z.string(), NumberFormat),
  total: z.int(),
  copied_at: z.nullable(Moment),
  version: DataVersion,
})
export type DataColumns = z.infer<typeof DataColumns>
