import { sql } from 'kysely'
import { messages } from '../../../contract/messages.ts'
import type { Db } from '../../platform/db.ts'

type Accounts = { account_user_id: number | null; relevant_user_accounts: string[] }

/** Asks its provider what a spreadsheet is called, or why none of the accounts can open it; neither when it does not tell before the signal fires. */
export type FindSpreadsheet = (
  question: { provider: Role['provider']; accounts: Accounts; spreadsheet_id: string },
  signal: AbortSignal,
) => Promise<{ name: string | null; error: string | null }>

/** What a spreadsheet is to a task, and who keeps it; undefined: whom people choose from. */
export type Role = { role: string; provider?: string | undefined }

/** Names of spreadsheets by id. One that is not in it stays nameless until a run has opened it. */
export type SpreadsheetNames = ReadonlyMap<string, string>

// A person waits for the save, and the save needs nothing of this.
const LOOKUP_TIMEOUT_MS = 2_000

/**
 * What spreadsheets are called, as their providers tell within two seconds, else as other tasks know it; and a warning for each that
 * none of the accounts can open. `roles`: what each is to the task, by its id.
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
      const question = { provider, accounts, spreadsheet_id }
      return { id: spreadsheet_id, role, ...(await findSpreadsheet(question, signal)) }
    }),
  )
  for (const { id, role, name, error } of found) {
    if (name !== null) names.set(id, name)
    if (error !== null) warnings.push(messages.saved_but_closed(role, error))
  }
  return { names, warnings }
}

/** What tasks know already, of all spreadsheets or of some. */
export async function knownNames(db: Db, ids?: readonly string[]): Promise<Map<string, string>> {
  const among = (column: string) => (ids ? sql`${sql.ref(column)} = any(${[...ids]}::text[])` : sql`true`)
  // Some of them by sync_tasks_source_target_key, sync_tasks_target_key and source_tasks_spreadsheet_idx.
  const { rows } = await sql<{ id: string; name: string }>`
    select source_ss_id as id, source_ss_name as name from sync_tasks
    where source_type = 'sheet' and source_ss_name <> '' and ${among('source_ss_id')}
    union
    select target_ss_id, target_ss_name from sync_tasks where target_ss_name <> '' and ${among('target_ss_id')}
    union
    select spreadsheet_id, spreadsheet_name from source_tasks
    where spreadsheet_name <> '' and ${among('spreadsheet_id')}`.execute(db)
  return new Map(rows.map(({ id, name }) => [id, name]))
}
