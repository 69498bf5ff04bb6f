import type { ErrorName } from '../../../contract/errors.ts'
import type { Spreadsheet, SpreadsheetTabs } from '../../../contract/spreadsheets.ts'
import { NamedError } from '../../platform/errors.ts'
import { type FailureKind, OriginFailure } from '../connector.ts'
import type { Google } from './google.ts'

type Person = { id: number; email: string }

const names: Record<FailureKind, ErrorName> = {
  forbidden: 'spreadsheet_forbidden',
  not_found: 'spreadsheet_not_found',
  reconnect: 'no_grant',
  unavailable: 'google_unavailable',
  tab_gone: 'spreadsheet_not_found',
  too_large: 'spreadsheet_not_found',
  invalid: 'spreadsheet_not_found',
}

/** Spreadsheets as a person's own account sees them. All throw NamedError `no_grant`, `spreadsheet_…` or `google_unavailable`. */
export function createSpreadsheetAccess(google: Google) {
  return {
    list: ({ id, email }: Person, search: string, signal: AbortSignal): Promise<Spreadsheet[]> =>
      named(google.listSpreadsheets({ user_id: id, email }, search, signal)),
    describe: ({ id, email }: Person, spreadsheetId: string, signal: AbortSignal): Promise<SpreadsheetTabs> =>
      named(google.describeSpreadsheet({ user_id: id, email }, spreadsheetId, signal)),
  }
}

async function named<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof OriginFailure) throw new NamedError(names[error.kind], { cause: error })
    throw error
  }
}
