import type { z } from 'zod'
import type { SyncTaskUpdate } from '../../../../contract/sync-tasks/edits.ts'
import type { Role } from '../../../tasks/accounts/find-spreadsheets.ts'

type Definition = Omit<z.output<typeof SyncTaskUpdate>, 'updated_at'>

/** Columns of sync_tasks from a request body, without read-only fields. */
export function definitionOf(body: Definition) {
  return {
    source_type: body.source_type,
    source_ss_id: body.source_ss_id,
    source_sheet_name: body.source_sheet_name,
    target_ss_id: body.target_ss_id,
    target_sheet_name: body.target_sheet_name,
    source_compiler_config_id: body.source_compiler_config_id,
    sync_preset_id: body.sync_preset_id,
    start_row: body.start_row,
  }
}

/** Columns of `tasks`, which all categories share. */
export const sharedOf = ({ chunk_size, scheduled_times, relevant_user_accounts }: Definition) => ({
  chunk_size,
  scheduled_times,
  relevant_user_accounts,
})

type Spreadsheets = {
  source_ss_id: string
  source_provider?: string
  target_ss_id: string
  target_provider?: string
}

/** Roles of the task's spreadsheets by id. A blank source is skipped. */
export function rolesOf({ source_ss_id, source_provider, target_ss_id, target_provider }: Spreadsheets) {
  const source: [string, Role] = [source_ss_id, { role: 'source', provider: source_provider }]
  const role = source_ss_id === target_ss_id ? 'source and target' : 'target'
  return new Map<string, Role>(source_ss_id ? [source] : []).set(target_ss_id, {
    role,
    provider: target_provider,
  })
}
