import type { ErrorName } from '../contract/errors.ts'
import { type FailureKind, OriginFailure } from './connectors/connector.ts'
import type { Google } from './connectors/google-sheets/google.ts'
import type { SpreadsheetAccess } from './features/spreadsheets/routes.ts'
import { NamedError } from './platform/errors.ts'

const NAMES: Record<FailureKind, ErrorName> = {
  forbidden: 'spreadsheet_forbidden',
  not_found: 'spreadsheet_not_found',
  reconnect: 'no_grant',
  tab_gone: 'invalid',
  too_large: 'invalid',
  request_too_large: 'invalid',
  invalid: 'invalid',
  unavailable: 'google_unavailable',
}

/** The pickers' view of Google: failures of the connector as errors of the catalogue. */
export function createSpreadsheetAccess(google: Google): SpreadsheetAccess {
  return {
    list: (person, search, signal) =>
      named(() => google.listSpreadsheets({ user_id: person.id, email: person.email }, search, signal)),
    describe: (person, spreadsheetId, signal) =>
      named(() =>
        google.describeSpreadsheet({ user_id: person.id, email: person.email }, spreadsheetId, signal),
      ),
    heldRows: ({ id: user_id, email }, spreadsheet_id, tab, signal) =>
      named(() => google.heldRows({ user_id, email }, { spreadsheet_id, ...tab }, signal)),
  }
}

async function named<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof OriginFailure) throw new NamedError(NAMES[error.kind], { cause: error })
    throw error
  }
}
