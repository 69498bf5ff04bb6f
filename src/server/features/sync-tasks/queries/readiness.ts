import { sql } from 'kysely'
import { compilerServerMessages } from '../../../../contract/compiler/server-messages.ts'
import { isFilePath } from '../../../../contract/files/providers.ts'
import { syncTaskServerMessages as messages } from '../../../../contract/sync-tasks/server-messages.ts'
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
  /** Whether it is a target, which need not exist. */
  is_target?: boolean
}

/** Checks whether a sheet can be copied now. A refusal of the provider is a normal result. */
export type CheckSheet = (question: SheetQuestion, signal: AbortSignal) => Promise<Readiness>

/**
 * Checks whether all sources of a task are ready, and its target if that is a file. The message is that of the first one that is not. Throws NamedError
 * `sync_task_not_found`.
 */
export async function checkReadiness(db: Db, checkSheet: CheckSheet, id: number, signal: AbortSignal) {
  const [first, ...others] = await readSources(db, id)
  if (first === undefined) throw new NamedError('sync_task_not_found')
  const check = (source: SourceOfTask) =>
    source.source_type === 'internal' ? compiledReadiness(source) : checkSheet(questionOf(source), signal)
  const { source_type } = first
  const found = await check(first)
  if (!found.ready) return { ...found, source_type }
  for (const [index, source] of others.entries()) {
    const { ready, message } = await check(source)
    if (!ready) return { ready, message: messages.source_not_ready(index + 2, message), source_type }
  }
  const message = others.length === 0 ? found.message : messages.all_ready(1 + others.length, found.message)
  const { target_ss_id } = first
  if (!isFilePath(target_ss_id)) return { ready: true, message, source_type }
  const target = await checkSheet(targetQuestion(first), signal)
  return target.ready
    ? { ready: true, message: `${message} ${target.message}`, source_type }
    : { ...target, source_type }
}

type SourceOfTask = Omit<SheetQuestion, 'spreadsheet_id'> & {
  source_type: 'sheet' | 'internal'
  source_ss_id: string
  target_ss_id: string
  target_provider: string
  config: string | null
  config_active: boolean | null
  records: number | null
}

const questionOf = ({ source_ss_id, ...source }: SourceOfTask): SheetQuestion => ({
  provider: source.provider,
  spreadsheet_id: source_ss_id,
  place: source.place,
  sheet_name: source.sheet_name,
  start_row: source.start_row,
  account_user_id: source.account_user_id,
  relevant_user_accounts: source.relevant_user_accounts,
})

const targetQuestion = (source: SourceOfTask): SheetQuestion => ({
  ...questionOf(source),
  provider: source.target_provider,
  spreadsheet_id: source.target_ss_id,
  is_target: true,
})

async function readSources(db: Db, id: number): Promise<SourceOfTask[]> {
  const { rows } = await sql<SourceOfTask>`
    with sources as (
      select 0 as number, source_type, source_provider, source_ss_id, source_sheet_name, source_place, source_compiler_config_id from sync_tasks where task_id = ${id}
      union all
      select place, source_type, source_provider, source_ss_id, source_sheet_name, null, source_compiler_config_id from further_sources where task_id = ${id}
    )
    select o.source_type, o.source_ss_id, o.source_sheet_name as sheet_name, o.source_place as place, o.source_provider as provider,
      s.target_ss_id, s.target_provider, s.start_row, t.account_user_id, t.relevant_user_accounts,
      k.name as config, k.is_active as config_active, r.row_count as records
    from sources o
    join sync_tasks s on s.task_id = ${id}
    join tasks t on t.id = s.task_id
    left join compiler_configs c on c.id = o.source_compiler_config_id
    left join tasks k on k.id = c.task_id
    left join snapshots r on r.id = k.snapshot_id
    order by o.number`.execute(db)
  return rows
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
