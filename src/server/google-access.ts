import type { ErrorName } from '../contract/errors.ts'
import { CSV_TABLE, isDelimited, isFilePath, providerOf } from '../contract/files/providers.ts'
import { limits } from '../contract/limits.ts'
import { shortBackoff } from './connectors/backoff.ts'
import { type FailureKind, OriginFailure } from './connectors/connector.ts'
import type { FolderContent } from './connectors/files/browse.ts'
import type { Google } from './connectors/google-sheets/google.ts'
import type { PlacesOf } from './connectors/registry.ts'
import {
  GOOGLE_SHEETS,
  type Readiness,
  type ReferenceContext,
  type SpreadsheetCatalog,
} from './connectors/table-provider.ts'
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
export function createSpreadsheetAccess(
  placesOf: PlacesOf,
  browse: (path: string, user_id: number) => Promise<FolderContent>,
): SpreadsheetAccess {
  const places = placesOf(GOOGLE_SHEETS)
  const placesOfId = (id: string) => placesOf(providerOf(id))
  const naming = <T>(id: string, work: () => Promise<T>) => namingFailures(work, { tells: isFilePath(id) })
  return {
    list: ({ id: user_id, email }, search, signal) =>
      namingFailures(() => places.list({ user_id, email }, search, signal)),
    describe: ({ id: user_id, email }, spreadsheet_id, { is_target }, signal) =>
      naming(spreadsheet_id, async () => {
        const catalog = placesOfId(spreadsheet_id)
        const found = is_target ? await catalog.inspectTarget?.(spreadsheet_id, user_id) : undefined
        if (found && !found.exists)
          return { id: spreadsheet_id, name: found.name, tabs: newTabs(found.name), is_new: true }
        const described = await catalog.describe({ user_id, email }, spreadsheet_id, signal)
        return { ...described, ...(found && { state: found.message }) }
      }),
    currentRows: ({ id: user_id, email }, spreadsheet_id, tab, signal) =>
      naming(spreadsheet_id, () =>
        placesOfId(spreadsheet_id).currentRows({ user_id, email }, { spreadsheet_id, ...tab }, signal),
      ),
    browse: ({ id: user_id }, path) => namingFailures(() => browse(path, user_id), { tells: true }),
  }
}

// A new workbook has the tab that the user names.
const newTabs = (name: string) => (isDelimited(name) ? [{ title: CSV_TABLE, rows: 0, columns: 0 }] : [])

/**
 * The name of a target, or why no run can write it; null if targets are found as sources are. Throws OriginFailure `forbidden` for a file
 * that the user may not use.
 */
export async function findTarget(
  catalog: SpreadsheetCatalog,
  spreadsheet_id: string,
  user_id: number | null,
): Promise<{ name: string | null; error: string | null } | null> {
  try {
    const found = await catalog.inspectTarget?.(spreadsheet_id, user_id)
    return found ? { name: found.name, error: null } : null
  } catch (error) {
    if (error instanceof OriginFailure && error.kind !== 'forbidden')
      return { name: null, error: error.message }
    throw error
  }
}

/** Whether a run could write a target. */
export async function targetReadiness(
  catalog: SpreadsheetCatalog,
  { spreadsheet_id, account_user_id }: { spreadsheet_id: string; account_user_id: number | null },
): Promise<Readiness> {
  try {
    const found = await catalog.inspectTarget?.(spreadsheet_id, account_user_id)
    return { ready: true, message: found?.message ?? '' }
  } catch (error) {
    if (error instanceof OriginFailure) return { ready: false, message: error.message }
    throw error
  }
}

/** Runs `work`; the connector's failures become named errors, with their own message if `tells`. */
export async function namingFailures<T>(work: () => Promise<T>, { tells = false } = {}): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof OriginFailure)) throw error
    throw new NamedError(NAMES[error.kind], { cause: error, ...(tells && { message: error.message }) })
  }
}

/** What sources need of a page: a user's own account, and no patience when Google is busy. */
export const pageContext = (
  google: Pick<Google, 'session' | 'accountsFor'>,
  user_id: number,
  signal: AbortSignal,
): ReferenceContext => ({
  signal,
  user_id,
  chunk_size: limits.chunk_size_default,
  max_rows: limits.start_row_max,
  beforeRequest: async () => {},
  onRetry: async () => {},
  onWait: () => () => {},
  google: async () =>
    google.session({
      accounts: await google.accountsFor({ account_user_id: user_id, relevant_user_accounts: [] }),
      signal,
      label: 'page',
      backoff: shortBackoff,
    }),
})
