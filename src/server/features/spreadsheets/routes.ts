import { type Spreadsheet, type SpreadsheetTabs, spreadsheets } from '../../../contract/spreadsheets.ts'
import type { Feature } from '../../platform/http/feature.ts'

type Person = { id: number; email: string }

/** Spreadsheets as a person's own account sees them. All throw NamedError `no_grant`, `spreadsheet_…` or `google_unavailable`. */
export type SpreadsheetAccess = {
  /** Last changed first; `search` looks in their names. */
  list: (person: Person, search: string, signal: AbortSignal) => Promise<Spreadsheet[]>
  describe: (person: Person, spreadsheetId: string, signal: AbortSignal) => Promise<SpreadsheetTabs>
  /** Rows that a tab holds below a row; 0 where there is no such tab. */
  heldRows: (
    person: Person,
    spreadsheetId: string,
    tab: { sheet_name: string; start_row: number },
    signal: AbortSignal,
  ) => Promise<number>
}

type Deps = { spreadsheetAccess: SpreadsheetAccess }

/** Spreadsheets to choose from, through the grant of whoever is signed in. */
export const spreadsheetsFeature: Feature<typeof spreadsheets, Deps> = {
  calls: spreadsheets,
  handlers: {
    list: ({ query, user, signal }, { spreadsheetAccess }) =>
      spreadsheetAccess.list(user, query.search ?? '', signal),
    get: ({ params, user, signal }, { spreadsheetAccess }) =>
      spreadsheetAccess.describe(user, params.spreadsheet_id, signal),
    held: async ({ params, query, user, signal }, { spreadsheetAccess }) => ({
      rows: await spreadsheetAccess.heldRows(user, params.spreadsheet_id, query, signal),
    }),
  },
}
