import { z } from 'zod'
import { Page } from './pages.ts'

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
})
export type Checkpoint = z.infer<typeof Checkpoint>
