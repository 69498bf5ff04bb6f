import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { z } from 'zod'
import { fieldMessages } from '../../../../contract/field-messages.ts'
import { FurtherSources } from '../../../../contract/rows/write-settings.ts'
import { NO_LIMITS, RunLimits } from '../../../../contract/run-limits/calls.ts'
import { decidingFields, SyncTaskUpdate } from '../../../../contract/sync-tasks/edits.ts'
import { type Actor, audit } from '../../../platform/audit.ts'
import type { Db, Trx } from '../../../platform/db.ts'
import { NamedError } from '../../../platform/errors.ts'
import { parseInput } from '../../../platform/http/parse.ts'
import { notify } from '../../../platform/notify.ts'
import { assignRunAccount } from '../../../tasks/accounts/assign-run-account.ts'
import {
  type FindSpreadsheet,
  findSpreadsheets,
  type SpreadsheetNames,
} from '../../../tasks/accounts/find-spreadsheets.ts'
import { nameFurtherSources } from '../../../tasks/accounts/name-further-sources.ts'
import { editTask } from '../../../tasks/edit/edit-task.ts'
import { isOwnershipOnly, ownershipOf } from '../../../tasks/edit/ownership.ts'
import { checkAccounts, holdType } from '../../../tasks/edit/task-settings.ts'
import type { FormerValues } from '../../../tasks/setting-changes/revert.ts'
import { checkSettings } from './check-settings.ts'
import {
  definitionOf,
  rolesOf,
  rowSettingsOf,
  sharedOf,
  storedLimits,
  writeSettingsOf,
} from './definition.ts'

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

/** Restores former values, by column, as an edit of the actor does. Throws like updateSyncTask. */
export const revertSyncTask = (deps: Deps, id: number, { actor, before, updated_at }: FormerValues) => {
  const { task_type_id, ...same } = before
  const limits = 'limits' in before ? { limits: { ...NO_LIMITS, ...RunLimits.parse(before.limits) } } : {}
  const type = 'task_type_id' in before ? { sync_task_type_id: task_type_id } : {}
  return updateSyncTask(
    deps,
    actor,
    id,
    parseInput(SyncTaskUpdate, { ...same, ...type, ...limits, updated_at }),
  )
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
    ...ownershipOf(body),
    updated_at: body.updated_at,
    is_ownership_only: isOwnershipOnly(body),
  })
  const assignsAccount = await assignRunAccount(trx, actor, {
    id,
    definition: 'sync_tasks',
    differences: decidingFields.flatMap((field) => {
      const value = body[field]
      if (value === undefined) return []
      // Lists and objects are stored as JSON.
      const stored =
        typeof value === 'object' && value !== null ? sql`${JSON.stringify(value)}::jsonb` : value
      return [sql<boolean>`${sql.ref(`s.${field}`)} is distinct from ${stored}`]
    }),
  })
  const definition = { ...definitionOf(body), ...rowSettingsOf(body), ...writeSettingsOf(body) }
  if (!isOwnershipOnly(body))
    await trx
      .updateTable('sync_tasks')
      .set({
        ...definition,
        ...unbound(body, names),
        ...(body.limits && {
          limits: sql<string>`jsonb_strip_nulls(limits || ${JSON.stringify(storedLimits(body.limits))}::jsonb)`,
        }),
      })
      .where('task_id', '=', id)
      .execute()
  await checkProviders(trx, id, body)
  await checkSettings(trx, id, body)
  await nameFurtherSources(trx, [id], names)
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
      limits: body.limits,
      ...sharedOf(body),
      ...ownershipOf(body),
      ...(assignsAccount && { account_user_id: actor.id }),
    },
  })
  await notify(trx, { kind: 'tasks', task_ids: [id] })
}

// The ids of the spreadsheets decide; a body may repeat what they say.
async function checkProviders(trx: Trx, id: number, body: Update): Promise<void> {
  const sides = (['source_provider', 'target_provider'] as const).filter((side) => body[side] !== undefined)
  if (sides.length === 0) return
  const task = await trx.selectFrom('sync_tasks').select(sides).where('task_id', '=', id).executeTakeFirst()
  for (const field of sides) {
    const provider = task?.[field] ?? ''
    if (provider !== body[field])
      throw new NamedError('invalid', { field, message: fieldMessages.provider_differs(provider) })
  }
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
    (field) => body[field] !== undefined && !isDeepStrictEqual(body[field], task[field]),
  )
  const { relevant_user_accounts = task.relevant_user_accounts } = body
  const accounts = {
    account_user_id: assignsAccount ? actor.id : task.account_user_id,
    relevant_user_accounts,
  }
  const source_ss_id =
    (body.source_type ?? task.source_type) === 'sheet' ? (body.source_ss_id ?? task.source_ss_id) : ''
  const { target_ss_id = task.target_ss_id } = body
  const more_sources = body.more_sources ?? FurtherSources.parse(task.more_sources)
  return findSpreadsheets(deps, accounts, rolesOf({ ...task, source_ss_id, target_ss_id, more_sources }))
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
