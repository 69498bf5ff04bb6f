import {
  type FolderEntry,
  type Spreadsheet,
  type SpreadsheetTabs,
  spreadsheets,
} from '../../../contract/spreadsheets/calls.ts'
import type { Feature } from '../../platform/http/feature.ts'

type Person = { id: number; email: string }

/**
 * Spreadsheets that a user's own account can access. All methods throw NamedError `no_grant`, `spreadsheet_…` or
 * `google_unavailable`.
 */
export type SpreadsheetAccess = {
  /** Most recently changed first. `search` matches names. */
  list: (person: Person, search: string, signal: AbortSignal) => Promise<Spreadsheet[]>
  /** `is_target`: a file need not exist, and must be one that runs can write. */
  describe: (
    person: Person,
    spreadsheetId: string,
    as: { is_target: boolean },
    signal: AbortSignal,
  ) => Promise<SpreadsheetTabs>
  /** Counts non-blank rows of a tab below a row; 0 if the tab does not exist. */
  currentRows: (
    person: Person,
    spreadsheetId: string,
    tab: { sheet_name: string; start_row: number },
    signal: AbortSignal,
  ) => Promise<number>
  /** Folders and files in a folder; with a blank path the folders of the configuration that the user may use. Throws NamedError `spreadsheet_not_found` or `invalid`. */
  browse: (person: Person, path: string) => Promise<{ entries: FolderEntry[]; has_more: boolean }>
}

type Deps = { spreadsheetAccess: SpreadsheetAccess }

/** Spreadsheet picker for the signed-in user. */
export const spreadsheetsFeature: Feature<typeof spreadsheets, Deps> = {
  calls: spreadsheets,
  handlers: {
    list: ({ query, user, signal }, { spreadsheetAccess }) =>
      spreadsheetAccess.list(user, query.search ?? '', signal),
    get: ({ params, query, user, signal }, { spreadsheetAccess }) => {
      const as = { is_target: query.role === 'target' }
      return spreadsheetAccess.describe(user, params.spreadsheet_id, as, signal)
    },
    files: ({ query, user }, { spreadsheetAccess }) => spreadsheetAccess.browse(user, query.path ?? ''),
    held: async ({ params, query, user, signal }, { spreadsheetAccess }) => ({
      rows: await spreadsheetAccess.currentRows(user, params.spreadsheet_id, query, signal),
    }),
  },
}
