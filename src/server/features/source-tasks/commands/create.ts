import type { z } from 'zod'
import type { SourceTaskCreate } from '../../../../contract/source-tasks/edits.ts'
import { type Actor, auditAll } from '../../../platform/audit.ts'
import type { Db, Trx } from '../../../platform/db.ts'
import { NamedError } from '../../../platform/errors.ts'
import { insertRows } from '../../../platform/insert-rows.ts'
import { notify } from '../../../platform/notify.ts'
import {
  type FindSpreadsheet,
  findSpreadsheets,
  type SpreadsheetNames,
} from '../../../tasks/accounts/find-spreadsheets.ts'
import { addTasks } from '../../../tasks/edit/add-tasks.ts'
import { ownershipOf } from '../../../tasks/edit/ownership.ts'
import { checkAccounts, holdType, UNTYPED_CHUNK_SIZE } from '../../../tasks/edit/task-settings.ts'
import { byMainNames, checkProvider, rolesOf, soundOrigin } from './definition.ts'
import { referencesOf } from './references.ts'
import { ownUploads } from './uploaded-files.ts'

/** A new task with canonical field names and defaults. */
export type NewSourceTask = ReturnType<typeof newTaskOf> & { chunk_size: number }

/** Parses the body of a create call. Throws NamedError if a sheet is incomplete. */
export function newTaskOf(body: z.output<typeof SourceTaskCreate>) {
  const {
    source_task_type_id = null,
    source_provider,
    spreadsheet_id = '',
    sheet_name = '',
    ...task
  } = byMainNames(body)
  const { source_type, source_identifier, start_row } = task
  const origin = soundOrigin({ source_type, source_identifier, spreadsheet_id, sheet_name, start_row })
  checkProvider(source_provider, origin)
  return { ...task, ...origin, source_task_type_id }
}

/**
 * Adds a source task as the last one in its section. The chunk size defaults to that of its type. Returns its id and warnings about
 * spreadsheets that its runs cannot open.
 */
export async function createSourceTask(
  deps: { db: Db; findSpreadsheet: FindSpreadsheet },
  actor: Actor,
  body: z.output<typeof SourceTaskCreate>,
): Promise<{ id: number; warnings: string[] }> {
  const task = newTaskOf(body)
  const { relevant_user_accounts, source_task_type_id: type_id } = task
  const accounts = { account_user_id: actor.id, relevant_user_accounts }
  const { names, warnings } = await findSpreadsheets(deps, accounts, rolesOf(task))
  return deps.db.transaction().execute(async (trx) => {
    const type =
      type_id === null
        ? null
        : await holdType(trx, { category: 'source', id: type_id, field: 'source_task_type_id' })
    const chunk_size = task.chunk_size ?? type?.chunk_size ?? UNTYPED_CHUNK_SIZE
    const [id] = await addSourceTasks(trx, actor, [{ ...task, chunk_size }], names)
    if (id === undefined) throw new TypeError('The database added no task')
    return { id, warnings }
  })
}

/** Adds source tasks in the given order, all or none, and returns their ids. The caller holds locks on their types. */
export async function addSourceTasks(
  trx: Trx,
  actor: Actor,
  bodies: readonly NewSourceTask[],
  names: SpreadsheetNames,
): Promise<number[]> {
  const references = await referencesOf(trx, bodies)
  const ids = await addTasks(
    trx,
    actor,
    'source',
    bodies.map((body) => ({
      name: body.name,
      task_type_id: body.source_task_type_id,
      is_active: body.is_active,
      chunk_size: body.chunk_size,
      sort_order: 0,
      scheduled_times: [],
      relevant_user_accounts: body.relevant_user_accounts,
      ...ownershipOf(body),
    })),
  )
  const definitions = bodies.map((body, place) => {
    const reference = references[place]
    if (reference === undefined || reference instanceof NamedError)
      throw reference ?? new TypeError('A task without an answer to where its rows come from')
    return {
      task_id: ids[place] ?? 0,
      source_type: body.source_type,
      spreadsheet_id: body.spreadsheet_id,
      spreadsheet_name: names.get(body.spreadsheet_id) ?? '',
      sheet_name: body.sheet_name,
      start_row: body.start_row,
      source_identifier: body.source_identifier,
      ...reference,
      is_master_catalog: body.is_master_catalog,
      description: body.description,
      min_rows_percent: body.min_rows_percent,
      max_rows: body.max_rows,
      csv_delimiter: body.csv_delimiter,
      csv_encoding: body.csv_encoding,
      csv_quote: body.csv_quote,
      file_expected_hours: body.file_expected_hours,
    }
  })
  await insertRows(trx, 'source_tasks', definitions).execute()
  await ownUploads(trx, ids)
  await checkAccounts(trx, ids)
  await auditAll(
    trx,
    actor,
    bodies.map((body, place) => {
      const { task_id, spreadsheet_name: _, ...definition } = definitions[place] ?? { task_id: 0 }
      const { name, source_task_type_id, chunk_size, relevant_user_accounts } = body
      return {
        action: 'create',
        object_type: 'source_task',
        object_id: task_id,
        details: {
          name,
          source_task_type_id,
          chunk_size,
          relevant_user_accounts,
          ...ownershipOf(body),
          ...definition,
        },
      }
    }),
  )
  await notify(trx, { kind: 'tasks' })
  return ids
}
