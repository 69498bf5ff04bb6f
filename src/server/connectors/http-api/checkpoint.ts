import { z } from 'zod'
import { Page } from './pages.ts'

/** Recognises whether the first page has changed. `digest`: hash of its rows. */
const FirstPage = z.strictObject({
  etag: z.string().nullable(),
  last_modified: z.string().nullable(),
  digest: z.string(),
})
export type FirstPage = z.infer<typeof FirstPage>

/** Where a reading resumes: the next page and totals of the pages so far. */
export const Checkpoint = z.strictObject({
  /** Null after the last page. */
  next: Page.nullable(),
  pages: z.int(),
  /** Rows of the first page and of the last page so far. */
  first_rows: z.int(),
  last_rows: z.int(),
  /** Total according to the API. */
  total: z.int().nullable(),
  /** Whether each of these totals equalled the rows of its own page; then they are not totals. */
  counts_pages: z.boolean().optional(),
  /** Recognises the first page. */
  first: FirstPage.nullable().optional(),
})
export type Checkpoint = z.infer<typeof Checkpoint>
