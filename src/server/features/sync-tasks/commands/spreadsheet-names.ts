import { sql } from 'kysely'
import type { Db } from '../../../engine/types.ts'

type Accounts = { account_user_id: number | null; relevant_user_accounts: string[] }

/** Asks Google what a spreadsheet is called; null when none of the accounts can tell before the signal fires. */
export type NameSpreadsheet = (
  accounts: Accounts,
  spreadsheetId: string,
  signal: AbortSignal,
) => Promise<string | null>

/** Names of spreadsheets by id. One that is not in it stays nameless until a run has opened it. */
export type SpreadsheetNames = ReadonlyMap<string, string>

// A person waits for the save, and the save does not need the name.
const LONGEST_WAIT_MS = 2_000

/** What the spreadsheets are called: as other tasks know it, else as Google tells within two seconds. */
export async function findNames(
  { db, nameSpreadsheet }: { db: Db; nameSpreadsheet: NameSpreadsheet },
  accounts: Accounts,
  ids: readonly string[],
): Promise<SpreadsheetNames> {
  const names = await knownNames(db, ids)
  const unknown = [...new Set(ids)].filter((id) => id !== '' && !names.has(id))
  const signal = AbortSignal.timeout(LONGEST_WAIT_MS)
  const found = await Promise.all(
    unknown.map(async (id) => ({ id, name: await nameSpreadsheet(accounts, id, signal) })),
  )
  for (const { id, name } of found) if (name !== null) names.set(id, name)
  return names
}

/** What tasks know already, of all spreadsheets or of some. */
export async function knownNames(db: Db, ids?: readonly string[]): Promise<Map<string, string>> {
  const among = (column: string) => (ids ? sql`${sql.ref(column)} = any(${[...ids]}::text[])` : sql`true`)
  // Some of them by sync_tasks_source_target_key and sync_tasks_target_key.
  const { rows } = await sql<{ id: string; name: string }>`
    select source_ss_id as id, source_ss_name as name from sync_tasks
    where source_type = 'sheet' and source_ss_name <> '' and ${among('source_ss_id')}
    union
    select target_ss_id, target_ss_name from sync_tasks where target_ss_name <> '' and ${among('target_ss_id')}`.execute(
    db,
  )
  return new Map(rows.map(({ id, name }) => [id, name]))
}
