import * as z from 'zod/mini'
import type { Calls } from '../calls.ts'
import { digits, SheetName, SpreadsheetId } from '../fields.ts'
import { limits } from '../limits.ts'

/** A spreadsheet that the signed-in person can open, as the picker lists it. */
export const Spreadsheet = z.object({
  id: z.string(),
  name: z.string(),
  modified_at: z.nullable(z.string()),
  owner: z.nullable(z.string()),
})
export type Spreadsheet = z.infer<typeof Spreadsheet>

/** A tab of a spreadsheet, with the size of its grid. */
const SheetTab = z.object({ title: z.string(), rows: z.int(), columns: z.int() })

/** A spreadsheet's name and tabs. */
export const SpreadsheetTabs = z.object({ id: z.string(), name: z.string(), tabs: z.array(SheetTab) })
export type SpreadsheetTabs = z.infer<typeof SpreadsheetTabs>

/** The calls behind the spreadsheet and tab pickers; they use the signed-in person's own grant. */
export const spreadsheets = {
  list: {
    method: 'GET',
    path: '/api/spreadsheets',
    summary:
      'Spreadsheets in the signed-in person’s Drive, last changed first; `search` looks in their names',
    query: z.strictObject({ search: z.optional(z.string().check(z.maxLength(200))) }),
    reply: z.array(Spreadsheet),
  },
  get: {
    method: 'GET',
    path: '/api/spreadsheets/:spreadsheet_id',
    summary: 'Name and tabs of one spreadsheet',
    params: z.strictObject({ spreadsheet_id: SpreadsheetId }),
    reply: SpreadsheetTabs,
  },
  held: {
    method: 'GET',
    path: '/api/spreadsheets/:spreadsheet_id/held_rows',
    summary: 'How many rows a tab holds below its header row, as the signed-in person’s own account sees it',
    params: z.strictObject({ spreadsheet_id: SpreadsheetId }),
    query: z.strictObject({
      sheet_name: SheetName,
      start_row: z._default(digits('start_row', 1, limits.start_row_max), limits.start_row_default),
    }),
    reply: z.object({ rows: z.int() }),
  },
} satisfies Calls
