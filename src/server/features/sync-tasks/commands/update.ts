import { sql } from 'kysely'
import type { z } from 'zod'
import { decidingFields, type SyncTaskUpdate } from '../../../../contract/sync-tasks/edits.ts'
import { type Actor, audit } from '../../../platform/audit.ts'
import type { Db, Trx } from '../../../platform/db.ts'
import { notify } from '../../../platform/notify.ts'
import { assignRunAccount } from '../../../tasks/accounts/assign-run-account.ts'
import {
  type FindSpreadsheet,
  findSpreadsheets,
  type SpreadsheetNames,
} from '../../../tasks/accounts/find-spreadsheets.ts'
import { editTask } from '../../../tasks/edit/edit-task.ts'
import { checkAccounts, holdType } from '../../../tasks/edit/task-settings.ts'
import { definitionOf, rolesOf, sharedOf } from './definition.ts'

type Update = z.output<typeof SyncTaskUpdate>
type Deps = { db: Db; findSpreadsheet: FindSpreadsheet }

/**
 * Updates a sync task. Omitted fields keep their value. Returns warnings about spreadsheets that its runs cannot open. Refused
 * while a run is live, and if the task changed since it was read.
 */
export async function updateSyncTask(deps: Deps, actor: Actor, id: number, body: Update): Promise<string[]> {
  const { names, warnings } = await lookUp(deps, actor, id, body)
  await deps.db.transaction().execute((trx) => changeSyncTask(trx, actor, id, body, names))
  return warnings
}

/** Variant of updateSyncTask for an open transaction. */
export async function changeSyncTask(
  trx: Trx,
  actor: Actor,
  id: number,
  body: Update,
  names: SpreadsheetNames,
): Promise<void> {
  const { sync_task_type_id: type_id } = body
  if (type_id !== undefined)
    await holdType(trx, { category: 'sync', id: type_id, field: 'sync_task_type_id' })
  await editTask(trx, 'sync', id, {
    name: body.name,
    task_type_id: type_id,
    is_active: body.is_active,
    ...sharedOf(body),
    updated_at: body.updated_at,
  })
  const assignsAccount = await assignRunAccount(trx, actor, {
    id,
    definition: 'sync_tasks',
    differences: decidingFields.flatMap((field) => {
      const value = body[field]
      return value === undefined ? [] : [sql<boolean>`${sql.ref(`s.${field}`)} is distinct from ${value}`]
    }),
  })
  const definition = definitionOf(body)
  await trx
    .updateTable('sync_tasks')
    .set({ ...definition, ...unbound(body, names) })
    .where('task_id', '=', id)
    .execute()
  await checkAccounts(trx, [id])
  await audit(trx, actor, {
    action: 'update',
    object_type: 'sync_task',
    object_id: id,
    details: {
      name: body.name,
      sync_task_type_id: body.sync_task_type_id,
      is_active: body.is_active,
      ...definition,
      ...sharedOf(body),
      ...(assignsAccount && { account_user_id: actor.id }),
    },
  })
  await notify(trx, { kind: 'tasks', task_ids: [id] })
}

// Looks up spreadsheets with the accounts of the updated task, but only if the update changes spreadsheets or accounts.
async function lookUp(deps: Deps, actor: Actor, id: number, body: Update) {
  const asks = [...decidingFields, 'relevant_user_accounts' as const].some((field) => field in body)
  const task = asks
    ? await deps.db
        .selectFrom('sync_tasks')
        .innerJoin('tasks', 'tasks.id', 'task_id')
        .select([...decidingFields, 'source_provider', 'target_provider'])
        .select(['relevant_user_accounts', 'account_user_id'])
        .where('task_id', '=', id)
        .executeTakeFirst()
    : undefined
  if (task === undefined) return { names: new Map<string, string>(), warnings: [] }
  const assignsAccount = decidingFields.some(
    (field) => body[field] !== undefined && body[field] !== task[field],
  )
  const { relevant_user_accounts = task.relevant_user_accounts } = body
  const accounts = {
    account_user_id: assignsAccount ? actor.id : task.account_user_id,
    relevant_user_accounts,
  }
  const source_ss_id =
    (body.source_type ?? task.source_type) === 'sheet' ? (body.source_ss_id ?? task.source_ss_id) : ''
  const { target_ss_id = task.target_ss_id } = body
  return findSpreadsheets(deps, accounts, rolesOf({ ...task, source_ss_id, target_ss_id }))
}

// Resets what runs recorded about the previous tab.
function unbound(body: Update, names: SpreadsheetNames) {
  const {
    source_ss_id = null,
    source_sheet_name = null,
    target_ss_id = null,
    target_sheet_name = null,
  } = body
  const same_source = sql`(source_ss_id, source_sheet_name)
    = (coalesce(${source_ss_id}, source_ss_id), coalesce(${source_sheet_name}, source_sheet_name))`
  const same_target = sql`(target_ss_id, target_sheet_name)
    = (coalesce(${target_ss_id}, target_ss_id), coalesce(${target_sheet_name}, target_sheet_name))`
  const known = JSON.stringify(Object.fromEntries(names))
  const nameOf = (id: string | null, id_column: string, name_column: string) => sql<string>`case
    when ${sql.ref(id_column)} = coalesce(${id}, ${sql.ref(id_column)}) and ${sql.ref(name_column)} <> '' then ${sql.ref(name_column)}
    else coalesce(${known}::jsonb ->> coalesce(${id}, ${sql.ref(id_column)}), '') end`
  return {
    source_ss_name: nameOf(source_ss_id, 'source_ss_id', 'source_ss_name'),
    source_place: sql<string | null>`case when ${same_source} then source_place end`,
    target_ss_name: nameOf(target_ss_id, 'target_ss_id', 'target_ss_name'),
    target_place: sql<string | null>`case when ${same_target} then target_place end`,
    owned_columns: sql<number>`case when ${same_target} then owned_columns else 0 end`,
    owned_rows: sql<number>`case when ${same_target} then owned_rows else 0 end`,
    owned_start_row: sql<number | null>`case when ${same_target} then owned_start_row end`,
    intended: sql<string>`case when ${same_target} then intended else '[]' end`,
    foreign_cells: null,
    // Looks up names that are now blank.
    names_due_at: sql<Date>`now()`,
  }
}
