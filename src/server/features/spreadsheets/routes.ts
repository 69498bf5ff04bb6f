import { type Spreadsheet, type SpreadsheetTabs, spreadsheets } from '../../../contract/spreadsheets/calls.ts'
import type { Feature } from '../../platform/http/feature.ts'

type Person = { id: number; email: string }

/**
 * Spreadsheets that a user's own account can access. All methods throw NamedError `no_grant`, `spreadsheet_…` or
 * `google_unavailable`.
 */
export type SpreadsheetAccess = {
  /** Most recently changed first. `search` matches names. */
  list: (person: Person, search: string, signal: AbortSignal) => Promise<Spreadsheet[]>
  describe: (person: Person, spreadsheetId: string, signal: AbortSignal) => Promise<SpreadsheetTabs>
  /** Counts non-blank rows of a tab below a row; 0 if the tab does not exist. */
  heldRows: (
    person: Person,
    spreadsheetId: string,
    tab: { sheet_name: string; start_row: number },
    signal: AbortSignal,
  ) => Promise<number>
}

type Deps = { spreadsheetAccess: SpreadsheetAccess }

/** Spreadsheet picker for the signed-in user. */
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
