import type { ErrorName } from '../contract/errors.ts'
import { type FailureKind, OriginFailure } from './connectors/connector.ts'
import type { PlacesOf } from './connectors/registry.ts'
import { GOOGLE_SHEETS } from './connectors/table-provider.ts'
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

/** Lists of spreadsheets and tabs for the pickers; translates the connector's failures into named errors. */
export function createSpreadsheetAccess(placesOf: PlacesOf): SpreadsheetAccess {
  const places = placesOf(GOOGLE_SHEETS)
  return {
    list: ({ id: user_id, email }, search, signal) =>
      named(() => places.list({ user_id, email }, search, signal)),
    describe: ({ id: user_id, email }, spreadsheet_id, signal) =>
      named(() => places.describe({ user_id, email }, spreadsheet_id, signal)),
    heldRows: ({ id: user_id, email }, spreadsheet_id, tab, signal) =>
      named(() => places.heldRows({ user_id, email }, { spreadsheet_id, ...tab }, signal)),
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
