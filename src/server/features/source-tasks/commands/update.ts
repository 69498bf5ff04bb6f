import { sql } from 'kysely'
import type { z } from 'zod'
import type { SourceTaskUpdate } from '../../../../contract/source-tasks/edits.ts'
import { type Actor, audit } from '../../../platform/audit.ts'
import { type Db, retriedTransaction, type Trx } from '../../../platform/db.ts'
import { notify } from '../../../platform/notify.ts'
import { assignRunAccount } from '../../../tasks/accounts/assign-run-account.ts'
import {
  type FindSpreadsheet,
  findSpreadsheets,
  type SpreadsheetNames,
} from '../../../tasks/accounts/find-spreadsheets.ts'
import { editTask } from '../../../tasks/edit/edit-task.ts'
import { lockOrigins, refuseCycle } from '../../../tasks/edit/origins.ts'
import { checkAccounts, holdType } from '../../../tasks/edit/task-settings.ts'
import { byMainNames, type Origin, readOrigin, rolesOf, soundOrigin } from './definition.ts'
import { type Reference, referenceOf } from './references.ts'

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
    updated_at: edit.updated_at,
  })
  const former = await readOrigin(trx, id)
  const origin = changedOrigin(former, edit)
  const assignsAccount = origin !== null && (await assignAccount(trx, actor, id, origin))
  if (origin) {
    const reference = setsOrigin(edit) ? await referenceOf(trx, origin) : null
    await setOrigin(trx, id, { ...origin, ...reference }, names)
    if (typeof reference?.origin_task_id === 'number') await refuseCycle(trx, id, 'source_identifier')
  }
  const { is_master_catalog, description, min_rows_percent, max_rows } = edit
  const settings = { is_master_catalog, description, min_rows_percent, max_rows }
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

// Resets what runs recorded about the previous tab.
async function setOrigin(
  trx: Trx,
  id: number,
  origin: Origin & Partial<Reference>,
  names: SpreadsheetNames,
): Promise<void> {
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
