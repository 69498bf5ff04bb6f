import { compilerServerMessages } from '../../../../contract/compiler/server-messages.ts'
import type { Db } from '../../../platform/db.ts'
import { NamedError } from '../../../platform/errors.ts'

export type Readiness = { ready: boolean; message: string }

/** A tab with its header row (from 1) and the accounts that may read it. */
export type SheetQuestion = {
  provider: string
  spreadsheet_id: string
  /** Provider's id of the tab; null until a run has opened it. */
  place: string | null
  /** Blank: the first tab. */
  sheet_name: string
  start_row: number
  account_user_id: number | null
  relevant_user_accounts: string[]
}

/** Checks whether a sheet can be copied now. A refusal of the provider is a normal result. */
export type CheckSheet = (question: SheetQuestion, signal: AbortSignal) => Promise<Readiness>

/** Checks whether the source of a task is ready. Throws NamedError `sync_task_not_found`. */
export async function checkReadiness(db: Db, checkSheet: CheckSheet, id: number, signal: AbortSignal) {
  const task = await db
    .selectFrom('sync_tasks as s')
    .innerJoin('tasks as t', 't.id', 's.task_id')
    .leftJoin('compiler_configs as c', 'c.id', 's.source_compiler_config_id')
    .leftJoin('tasks as k', 'k.id', 'c.task_id')
    .leftJoin('snapshots as r', 'r.id', 'k.snapshot_id')
    .select(['s.source_type', 't.account_user_id', 't.relevant_user_accounts', 's.start_row'])
    .select(['s.source_provider', 's.source_ss_id', 's.source_place', 's.source_sheet_name'])
    .select(['k.name as config', 'k.is_active as config_active', 'r.row_count as records'])
    .where('s.task_id', '=', id)
    .executeTakeFirst()
  if (task === undefined) throw new NamedError('sync_task_not_found')
  if (task.source_type === 'internal') {
    return { ...compiledReadiness(task), source_type: task.source_type }
  }
  const question = {
    provider: task.source_provider,
    spreadsheet_id: task.source_ss_id,
    place: task.source_place,
    sheet_name: task.source_sheet_name,
    start_row: task.start_row,
    account_user_id: task.account_user_id,
    relevant_user_accounts: task.relevant_user_accounts,
  }
  return { ...(await checkSheet(question, signal)), source_type: task.source_type }
}

function compiledReadiness({
  config,
  config_active,
  records,
}: {
  config: string | null
  config_active: boolean | null
  records: number | null
}): Readiness {
  const name = config ?? ''
  if (!config_active) return { ready: false, message: compilerServerMessages.config_inactive(name) }
  return records === null
    ? { ready: false, message: compilerServerMessages.config_not_compiled(name) }
    : { ready: true, message: compilerServerMessages.config_compiled(name, records) }
}
