import { z } from 'zod'

/** Contract of the page and the calls under /page. Rows and columns are numbered from 0. */

export const BookSummary = z.object({
  id: z.string(),
  title: z.string(),
  owner: z.string(),
  shared_with: z.array(z.string()),
  modified_time: z.string(),
  trashed: z.boolean(),
  tabs: z.array(z.string()),
})
export type BookSummary = z.infer<typeof BookSummary>
export const BookList = z.object({ books: z.array(BookSummary) })

const Tab = z.object({
  id: z.number(),
  title: z.string(),
  hidden: z.boolean(),
  row_count: z.number(),
  column_count: z.number(),
  /** Number of rows that may have content. */
  used_rows: z.number(),
})

export const BookDetail = z.object({
  id: z.string(),
  title: z.string(),
  owner: z.string(),
  /** Increases with every change, so that the page knows when to reload. */
  version: z.number(),
  tabs: z.array(Tab),
})
export type BookDetail = z.infer<typeof BookDetail>

export const CellBlock = z.object({
  version: z.number(),
  /** Displayed texts by row and column. Missing cells at the end are blank. */
  shown: z.array(z.array(z.string())),
  /** One letter per cell: n number, b boolean, e error, t text, space blank. */
  kinds: z.array(z.string()),
})
export type CellBlock = z.infer<typeof CellBlock>

/** Text for editing. Entering it again gives the same cell. */
export const CellSource = z.object({ text: z.string(), number_format: z.string().nullable() })
export type CellSource = z.infer<typeof CellSource>

export const BlockQuery = z.strictObject({
  row: z.coerce.number().int().min(0),
  column: z.coerce.number().int().min(0),
  rows: z.coerce.number().int().min(1).max(1_000),
  columns: z.coerce.number().int().min(1).max(200),
})
export const CellQuery = BlockQuery.pick({ row: true, column: true })

export const CellEntry = z.strictObject({
  row: z.int().min(0),
  column: z.int().min(0),
  /** Entered texts by row and column; "" clears a cell. */
  typed: z.array(z.array(z.string().max(50_000)).min(1)).min(1),
})
export type CellEntry = z.infer<typeof CellEntry>

export const NewBook = z.strictObject({ title: z.string().trim().min(1).max(200), owner: z.email() })
export const TabTitle = z.strictObject({ title: z.string().trim().min(1).max(100) })

export const Refusal = z.object({ error: z.object({ message: z.string() }) })
