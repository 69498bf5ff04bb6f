import { z } from 'zod'
import { Page } from './pages.ts'

/** By which a later reply tells whether the first page still is what it was. `digest`: of its rows. */
const FirstPage = z.strictObject({
  etag: z.string().nullable(),
  last_modified: z.string().nullable(),
  digest: z.string(),
})
export type FirstPage = z.infer<typeof FirstPage>

/** Where a list is read on: its next page, and what the pages before it came to. */
export const Checkpoint = z.strictObject({
  /** Null: there is none. */
  next: Page.nullable(),
  pages: z.int(),
  /** Rows of the first page, and of the last one so far. */
  first_rows: z.int(),
  last_rows: z.int(),
  /** Rows in all, as the API says. */
  total: z.int().nullable(),
  /** Whether each of those totals has been the number of rows on its own page: then they are none. */
  counts_pages: z.boolean().optional(),
  /** By what the first page is known again. */
  first: FirstPage.nullable().optional(),
})
export type Checkpoint = z.infer<typeof Checkpoint>
