import { sql } from 'kysely'
import type { z } from 'zod'
import { SourceTaskUpdate } from '../../../../contract/source-tasks/edits.ts'
import { type Actor, audit } from '../../../platform/audit.ts'
import { type Db, retriedTransaction, type Trx } from '../../../platform/db.ts'
import { parseInput } from '../../../platform/http/parse.ts'
import { notify } from '../../../platform/notify.ts'
import {
  type FindSpreadsheet,
  findSpreadsheets,
  type SpreadsheetNames,
} from '../../../tasks/accounts/find-spreadsheets.ts'
import { editTask } from '../../../tasks/edit/edit-task.ts'
import { lockOrigins, refuseCycle } from '../../../tasks/edit/origins.ts'
import { isOwnershipOnly, ownershipOf } from '../../../tasks/edit/ownership.ts'
import { checkAccounts, holdType } from '../../../tasks/edit/task-settings.ts'
import type { FormerValues } from '../../../tasks/setting-changes/revert.ts'
import { byMainNames, checkProvider, type Origin, readOrigin, rolesOf, soundOrigin } from './definition.ts'
import { setOrigin } from './origin.ts'
import { referenceOf } from './references.ts'
import { ownUploads } from './uploaded-files.ts'

type Update = z.output<typeof SourceTaskUpdate>
type Deps = { db: Db; findSpreadsheet: FindSpreadsheet }
type Edit = ReturnType<typeof byMainNames<Update>>

/**
 * Updates a source task. Omitted fields keep their value. Returns warnings about spreadsheets that its runs cannot open. Refused
 * while a run is live, and if the task changed since it was read.
 */
export async function updateSourceTask(
  deps: Deps,
  actor: Actor,
  id: number,
  body: Update,
): Promise<string[]> {
  const { names, warnings } = await lookUp(deps, actor, id, byMainNames(body))
  await retriedTransaction(deps.db, async (trx) => {
    if (setsOrigin(body)) await lockOrigins(trx)
    await changeSourceTask(trx, actor, id, body, names)
  })
  return warnings
}

/** Restores former values, by column, as an edit of the actor does. Throws like updateSourceTask. */
export const revertSourceTask = (deps: Deps, id: number, { actor, before, updated_at }: FormerValues) => {
  const { task_type_id, ...same } = before
  const type = 'task_type_id' in before ? { source_task_type_id: task_type_id } : {}
  return updateSourceTask(deps, actor, id, parseInput(SourceTaskUpdate, { ...same, ...type, updated_at }))
}

/** True if an update may change the origin task. */
const setsOrigin = ({ source_type, source_identifier }: Update) =>
  source_type !== undefined || source_identifier !== undefined

/** Variant of updateSourceTask for an open transaction. The caller holds the origins lock if the update sets an origin. */
export async function changeSourceTask(
  trx: Trx,
  actor: Actor,
  id: number,
  body: Update,
  names: SpreadsheetNames,
): Promise<void> {
  const edit = byMainNames(body)
  const { source_task_type_id: type_id } = edit
  if (typeof type_id === 'number')
    await holdType(trx, { category: 'source', id: type_id, field: 'source_task_type_id' })
  await editTask(trx, 'source', id, {
    name: edit.name,
    task_type_id: type_id,
    is_active: edit.is_active,
    chunk_size: edit.chunk_size,
    relevant_user_accounts: edit.relevant_user_accounts,
    ...ownershipOf(edit),
    updated_at: edit.updated_at,
    is_ownership_only: isOwnershipOnly(edit),
  })
  const former = await readOrigin(trx, id)
  const origin = changedOrigin(former, edit)
  checkProvider(edit.source_provider, origin ?? former)
  let assignsAccount = false
  if (origin) {
    const reference = setsOrigin(edit) ? await referenceOf(trx, origin) : null
    assignsAccount = await setOrigin(trx, actor, id, { ...origin, ...reference }, names)
    await ownUploads(trx, [id])
    if (typeof reference?.origin_task_id === 'number') await refuseCycle(trx, id, 'source_identifier')
  }
  const { is_master_catalog, description, min_rows_percent, max_rows, file_expected_hours } = edit
  const { csv_delimiter, csv_encoding, csv_quote } = edit
  const csv = { csv_delimiter, csv_encoding, csv_quote }
  const settings = { is_master_catalog, description, min_rows_percent, max_rows, ...csv, file_expected_hours }
  if (Object.values(settings).some((value) => value !== undefined))
    await trx.updateTable('source_tasks').set(settings).where('task_id', '=', id).execute()
  await checkAccounts(trx, [id])
  await audit(trx, actor, {
    action: 'update',
    object_type: 'source_task',
    object_id: id,
    details: {
      name: edit.name,
      source_task_type_id: type_id,
      is_active: edit.is_active,
      chunk_size: edit.chunk_size,
      relevant_user_accounts: edit.relevant_user_accounts,
      ...ownershipOf(edit),
      ...origin,
      ...settings,
      ...(assignsAccount && { account_user_id: actor.id }),
    },
  })
  await notify(trx, { kind: 'tasks', task_ids: [id] })
}

/** Origin after the update; null if the update does not set it. */
function changedOrigin(former: Origin, edit: Edit): Origin | null {
  const { source_type, source_identifier, spreadsheet_id, sheet_name, start_row } = edit
  const said = [source_type, source_identifier, spreadsheet_id, sheet_name, start_row].filter(
    (value) => value !== undefined,
  )
  if (said.length === 0) return null
  const origin = {
    source_type: source_type ?? former.source_type,
    source_identifier: source_identifier ?? former.source_identifier,
    spreadsheet_id: spreadsheet_id ?? former.spreadsheet_id,
    sheet_name: sheet_name ?? former.sheet_name,
    start_row: start_row ?? former.start_row,
  }
  return soundOrigin(origin, former)
}

// Looks up spreadsheets with the accounts of the updated task, but only if the update changes the spreadsheet or the accounts.
async function lookUp(deps: Deps, actor: Actor, id: number, edit: Edit) {
  type Task = Origin & {
    provider: string
    relevant_user_accounts: string[]
    account_user_id: number | null
  }
  const { rows } = await sql<Task>`
    select s.source_type, s.provider, s.spreadsheet_id, s.sheet_name, s.start_row, s.source_identifier,
      t.relevant_user_accounts, t.account_user_id
    from source_tasks s join tasks t on t.id = s.task_id where s.task_id = ${id}`.execute(deps.db)
  const [task] = rows
  const origin = task && changedOrigin(task, edit)
  if (!task || !(origin || edit.relevant_user_accounts))
    return { names: new Map<string, string>(), warnings: [] }
  const changed = origin ?? task
  const assignsAccount =
    changed.spreadsheet_id !== task.spreadsheet_id ||
    changed.sheet_name !== task.sheet_name ||
    changed.start_row !== task.start_row ||
    (changed.source_type === 'sheet') !== (task.source_type === 'sheet')
  const { relevant_user_accounts = task.relevant_user_accounts } = edit
  const accounts = {
    account_user_id: assignsAccount ? actor.id : task.account_user_id,
    relevant_user_accounts,
  }
  const { provider } = task
  const { names, warnings } = await findSpreadsheets(deps, accounts, rolesOf({ ...changed, provider }))
  return { names, warnings }
}
