import { sql } from 'kysely'
import { taskServerMessages } from '../../../contract/tasks/server-messages.ts'

import type { Db } from '../../platform/db.ts'

type Accounts = { account_user_id: number | null; relevant_user_accounts: string[] }

/**
 * Asks the provider for the name of a spreadsheet, or for the reason why none of the accounts can open it. Both are null if the
 * provider does not reply before the signal is aborted.
 */
export type FindSpreadsheet = (
  question: {
    provider: Role['provider']
    accounts: Accounts
    spreadsheet_id: string
    /** A target need not exist. */
    is_target: boolean
  },
  signal: AbortSignal,
) => Promise<{ name: string | null; error: string | null }>

/** Role of a spreadsheet in a task, and its provider. An undefined provider means the default one. */
export type Role = { role: string; provider?: string | undefined }

/** Names of spreadsheets by id. A missing name is set by the next run that opens the spreadsheet. */
export type SpreadsheetNames = ReadonlyMap<string, string>

// The save request waits for this lookup, which is optional.
const LOOKUP_TIMEOUT_MS = 2_000

/**
 * Looks up spreadsheet names at their providers for up to two seconds, with names known from other tasks as fallback. Returns a
 * warning for each spreadsheet that none of the accounts can open. `roles`: role in the task by spreadsheet id.
 */
export async function findSpreadsheets(
  { db, findSpreadsheet }: { db: Db; findSpreadsheet: FindSpreadsheet },
  accounts: Accounts,
  roles: ReadonlyMap<string, Role>,
): Promise<{ names: SpreadsheetNames; warnings: string[] }> {
  const names = await knownNames(db, [...roles.keys()])
  const warnings: string[] = []
  const signal = AbortSignal.timeout(LOOKUP_TIMEOUT_MS)
  const found = await Promise.all(
    [...roles].map(async ([spreadsheet_id, { role, provider }]) => {
      const question = { provider, accounts, spreadsheet_id, is_target: role === 'target' }
      return { id: spreadsheet_id, role, ...(await findSpreadsheet(question, signal)) }
    }),
  )
  for (const { id, role, name, error } of found) {
    if (name !== null) names.set(id, name)
    if (error !== null) warnings.push(taskServerMessages.saved_but_closed(role, error))
  }
  return { names, warnings }
}

/** Reads the names stored in tasks, for all or for the given spreadsheets. */
export async function knownNames(db: Db, ids?: readonly string[]): Promise<Map<string, string>> {
  const among = (column: string) => (ids ? sql`${sql.ref(column)} = any(${[...ids]}::text[])` : sql`true`)
  // Indexes for given ids: sync_tasks_source_target_key, sync_tasks_target_key, further_sources_spreadsheet_idx, source_tasks_spreadsheet_idx.
  const { rows } = await sql<{ id: string; name: string }>`
    select source_ss_id as id, source_ss_name as name from sync_tasks
    where source_type = 'sheet' and source_ss_name <> '' and ${among('source_ss_id')}
    union
    select target_ss_id, target_ss_name from sync_tasks where target_ss_name <> '' and ${among('target_ss_id')}
    union
    select source_ss_id, source_ss_name from further_sources
    where source_type = 'sheet' and source_ss_name <> '' and ${among('source_ss_id')}
    union
    select spreadsheet_id, spreadsheet_name from source_tasks
    where spreadsheet_name <> '' and ${among('spreadsheet_id')}`.execute(db)
  return new Map(rows.map(({ id, name }) => [id, name]))
}
