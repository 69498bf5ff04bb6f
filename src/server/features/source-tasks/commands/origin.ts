import { sql } from 'kysely'
import type { Actor } from '../../../platform/audit.ts'
import type { Trx } from '../../../platform/db.ts'
import { assignRunAccount } from '../../../tasks/accounts/assign-run-account.ts'
import type { SpreadsheetNames } from '../../../tasks/accounts/find-spreadsheets.ts'
import type { Origin } from './definition.ts'
import type { Reference } from './references.ts'

// Only sheets are read with the account of a user.
const assignAccount = (trx: Trx, actor: Actor, id: number, origin: Origin): Promise<boolean> =>
  assignRunAccount(trx, actor, {
    id,
    definition: 'source_tasks',
    differences: [
      sql<boolean>`(s.source_type = 'sheet') <> ${origin.source_type === 'sheet'}`,
      sql<boolean>`s.spreadsheet_id <> ${origin.spreadsheet_id}`,
      sql<boolean>`s.sheet_name <> ${origin.sheet_name}`,
      sql<boolean>`s.start_row <> ${origin.start_row}`,
    ],
  })

/**
 * Sets the origin of a locked task, and resets what runs recorded about the previous tab. Returns whether its runs use the account of
 * the actor from now on.
 */
export async function setOrigin(
  trx: Trx,
  actor: Actor,
  id: number,
  origin: Origin & Partial<Reference>,
  names: SpreadsheetNames,
): Promise<boolean> {
  const assigned = await assignAccount(trx, actor, id, origin)
  const { spreadsheet_id, sheet_name } = origin
  await trx
    .updateTable('source_tasks')
    .set({
      ...origin,
      spreadsheet_name: sql<string>`case when spreadsheet_id = ${spreadsheet_id} and spreadsheet_name <> ''
        then spreadsheet_name else ${names.get(spreadsheet_id) ?? ''} end`,
      place: sql<string | null>`case when (spreadsheet_id, sheet_name) = (${spreadsheet_id}, ${sheet_name})
        then place end`,
      // Looks up the name if it is now blank.
      names_due_at: sql<Date>`now()`,
    })
    .where('task_id', '=', id)
    .execute()
  return assigned
}
