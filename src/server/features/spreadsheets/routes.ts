import { type Spreadsheet, type SpreadsheetTabs, spreadsheets } from '../../../contract/spreadsheets.ts'
import type { Feature } from '../../platform/http/feature.ts'

type Person = { id: number; email: string }

/** Spreadsheets as a person's own account sees them. Both throw NamedError `no_grant`, `spreadsheet_…` or `google_unavailable`. */
export type SpreadsheetAccess = {
  /** Last changed first; `search` looks in their names. */
  list: (person: Person, search: string, signal: AbortSignal) => Promise<Spreadsheet[]>
  describe: (person: Person, spreadsheetId: string, signal: AbortSignal) => Promise<SpreadsheetTabs>
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
  },
}
