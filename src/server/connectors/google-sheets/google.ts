import type { Kysely } from 'kysely'
import type { Database } from '../../platform/schema.ts'
import { isLoading } from '../../snapshots/spreadsheet-errors.ts'
import { shortBackoff } from '../backoff.ts'
import { OriginFailure } from '../connector.ts'
import { parseRow } from '../row-json.ts'
import type { Readiness, SpreadsheetCatalog } from '../table-provider.ts'
import { type AllowedAccounts, accountsFor, lostAccess, type Purpose, tasksUsing } from './client/accounts.ts'
import { getSpreadsheet } from './client/api.ts'
import { getFileName, listFiles } from './client/drive.ts'
import { type FoundNames, findNames } from './client/names.ts'
import { type Caller, GoogleSession, type GoogleSettings } from './client/session.ts'
import type { Account } from './client/tokens.ts'
import { readCell } from './read/cell.ts'
import { readRows } from './read/rows.ts'
import { requireTab } from './read/source.ts'
import { findTab, sheetIdOf, type TabName, titleOf } from './spreadsheet.ts'

/** A tab with its header row, counted from 1, and the accounts that may be used. */
type ReadinessQuestion = TabName & AllowedAccounts & { spreadsheet_id: string; start_row: number }

/** A task and the accounts that it may use. */
export type TaskAccounts = AllowedAccounts & { task_id: number }

/** Google for the rest of the application. All methods throw OriginFailure or the reason of the signal. */
export type Google = {
  /** A session for a run. */
  session(caller: Caller): GoogleSession
  /** The accounts that a task may use, the least busy first. */
  accountsFor(allowed: AllowedAccounts): Promise<Account[]>
  /** A session to remove staging tabs of a task's run. */
  cleanUpSession(allowed: AllowedAccounts, caller: Pick<Caller, 'signal' | 'label'>): Promise<GoogleSession>
  /** Tasks of which no account may be used any more, each with a message that gives the reason. */
  lostAccess(db: Kysely<Database>, tasks: readonly TaskAccounts[]): Promise<Map<number, string>>
  /** Tasks that use a user's account, and whether each has another account that may be used. */
  tasksUsing(
    db: Kysely<Database>,
    tasks: readonly TaskAccounts[],
    user_id: number,
  ): Promise<{ task_id: number; has_other: boolean }[]>
  /** Tabs without a grid are left out. Rows are counted by the tab's first columns. `find` uses no Sheets quota. */
  places: SpreadsheetCatalog
  /**
   * Looks up names of spreadsheets with a user's own account and reports them in several parts. Returns false if
   * Google did not respond in time. Uses no Sheets quota.
   */
  lookUpNames(
    question: { account_user_id: number | null; spreadsheet_ids: readonly string[] },
    onNames: (names: FoundNames) => Promise<void>,
    signal: AbortSignal,
  ): Promise<boolean>
}

/** Creates it from the settings of this process. */
export function createGoogle(settings: GoogleSettings): Google {
  // A user is waiting, so fail early when Google is busy.
  const whileWaiting = (accounts: readonly Account[], signal: AbortSignal) =>
    new GoogleSession(settings, { accounts, signal, label: 'page', backoff: shortBackoff })
  const forPerson = (account: Account, signal: AbortSignal) => whileWaiting([account], signal)
  const { db, project, quota, entry, service_account } = settings
  const rules = { entry, service_account }
  const { window_ms } = quota
  const accounts = (allowed: AllowedAccounts, purpose: Purpose = 'work') =>
    accountsFor(db, allowed, { ...rules, project, window_ms, purpose })

  const places: SpreadsheetCatalog = {
    async list(person, search, signal) {
      const files = await listFiles(forPerson(person, signal), search)
      return files.map(({ id, name, modifiedTime, owners }) => ({
        id,
        name,
        modified_at: modifiedTime ?? null,
        owner: owners?.[0]?.emailAddress ?? null,
      }))
    },
    async describe(person, spreadsheetId, signal) {
      const { title, tabs } = await getSpreadsheet(forPerson(person, signal), spreadsheetId)
      const described = tabs.flatMap(({ title, grid }) => (grid ? { title, ...grid } : []))
      return { id: spreadsheetId, name: title, tabs: described }
    },
    currentRows: (person, tab, signal) => countRows(forPerson(person, signal), tab),
    async find(allowed, spreadsheetId, signal) {
      try {
        const name = await getFileName(whileWaiting(await accounts(allowed), signal), spreadsheetId)
        return { name, error: null }
      } catch (error) {
        if (error instanceof OriginFailure)
          return { name: null, error: error.kind === 'unavailable' ? null : error.message }
        if (signal.aborted) return { name: null, error: null }
        throw error
      }
    },
    async readiness({ place, ...question }, signal) {
      try {
        const tab = { ...question, sheet_id: sheetIdOf(place) }
        return await checkSheet(whileWaiting(await accounts(question), signal), tab)
      } catch (error) {
        if (error instanceof OriginFailure) return { ready: false, message: error.message }
        throw error
      }
    },
    async readCell({ place, ...cell }, signal) {
      const session = whileWaiting(await accounts(cell), signal)
      return readCell(session, { ...cell, sheet_id: sheetIdOf(place) })
    },
  }

  return {
    session: (caller) => new GoogleSession(settings, caller),
    accountsFor: (allowed) => accounts(allowed),
    async cleanUpSession(allowed, caller) {
      const purpose = 'clean_up'
      return new GoogleSession(settings, { ...caller, purpose, accounts: await accounts(allowed, purpose) })
    },
    lostAccess: (trx, tasks) => lostAccess(trx, tasks, rules),
    tasksUsing: (trx, tasks, user_id) => tasksUsing(trx, tasks, { ...rules, user_id }),
    places,
    async lookUpNames({ account_user_id, spreadsheet_ids }, onNames, signal) {
      try {
        const own = await accounts({ account_user_id, relevant_user_accounts: [] })
        const found = findNames(() => whileWaiting(own, signal), spreadsheet_ids)
        for await (const names of found) await onNames(names)
        return true
      } catch (error) {
        if (error instanceof OriginFailure) return error.kind !== 'unavailable'
        if (signal.aborted) return false
        throw error
      }
    },
  }
}

/** Maximum cells read to count rows; of a long tab only the first columns. */
const COUNTED_CELLS = 300_000

async function countRows(
  session: GoogleSession,
  {
    spreadsheet_id,
    sheet_name,
    start_row,
  }: { spreadsheet_id: string; sheet_name: string; start_row: number },
): Promise<number> {
  const found = findTab(await getSpreadsheet(session, spreadsheet_id), { sheet_id: null, sheet_name })
  if (!found) return 0
  const { title, grid } = found.tab
  const columns = Math.min(grid.columns, Math.max(1, Math.floor(COUNTED_CELLS / grid.rows)))
  const { batches } = readRows(session, {
    spreadsheet_id,
    title,
    start_row: start_row - 1,
    columns,
    grid_rows: grid.rows,
    rendering: 'UNFORMATTED_VALUE',
    chunk_size: 1,
  })
  let rows = 0
  for await (const batch of batches) rows += batch.length
  return Math.max(0, rows - 1)
}

async function checkSheet(session: GoogleSession, question: ReadinessQuestion): Promise<Readiness> {
  const spreadsheet = await getSpreadsheet(session, question.spreadsheet_id)
  const { tab } = requireTab(spreadsheet, question)
  const title = titleOf(spreadsheet, tab.title)
  const { batches } = readRows(session, {
    spreadsheet_id: question.spreadsheet_id,
    title: tab.title,
    start_row: question.start_row - 1,
    columns: tab.grid.columns,
    grid_rows: tab.grid.rows,
    rendering: 'UNFORMATTED_VALUE',
    chunk_size: 1,
  })
  let rows = 0
  let loading = 0
  for await (const batch of batches) {
    rows += batch.length
    for (const row of batch) loading += parseRow(Buffer.from(row).toString()).filter(isLoading).length
  }
  if (rows === 0)
    return { ready: false, message: `${title} has nothing in or below row ${question.start_row}.` }
  if (rows === 1) return { ready: false, message: `${title} has a header but no data below it.` }
  if (loading > 0)
    return {
      ready: false,
      message: `${title} has ${loading} ${loading === 1 ? 'cell that is' : 'cells that are'} still loading.`,
    }
  const below = rows - 1
  return {
    ready: true,
    message: `${title} has ${below.toLocaleString('en')} ${below === 1 ? 'row' : 'rows'} below its header.`,
  }
}
