import { sql } from 'kysely'
import type { z } from 'zod'
import { messages } from '../../../../contract/messages.ts'
import type { SyncTaskUpdate } from '../../../../contract/sync-task-edits.ts'
import { isAllowedServiceAccount } from '../../../platform/auth/service-account-use.ts'
import type { Trx } from '../../../platform/db.ts'
import { NamedError } from '../../../platform/errors.ts'

// Google gives every service account an address that ends so.
const isServiceAddress = (email: string) => email.endsWith('.gserviceaccount.com')

type Definition = Omit<z.output<typeof SyncTaskUpdate>, 'updated_at'>

/** What a sync task copies and how, without the read-only fields that came along: its columns in sync_tasks. */
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

/** What every task has, of whatever category: its columns in tasks. */
export const sharedOf = ({ chunk_size, scheduled_times, relevant_user_accounts }: Definition) => ({
  chunk_size,
  scheduled_times,
  relevant_user_accounts,
})

/**
 * The chunk size of a sync task type, which then neither changes nor goes away before the transaction ends.
 * Throws NamedError `type_gone`.
 */
export async function holdType(trx: Trx, type_id: number): Promise<{ chunk_size: number }> {
  const type = await trx
    .selectFrom('task_types')
    .select('chunk_size')
    .where('id', '=', type_id)
    .where('category', '=', 'sync')
    .forShare()
    .executeTakeFirst()
  if (type === undefined) throw new NamedError('type_gone', { field: 'sync_task_type_id' })
  return type
}

/** Throws NamedError `account_not_shared` unless each account that the tasks name is the one that runs them, shared by its owner, or the service account that tasks may use. */
export async function checkAccounts(trx: Trx, task_ids: number[]): Promise<void> {
  const { rows } = await sql<{ email: string }>`
    select named.email
    from tasks t, unnest(t.relevant_user_accounts) as named (email)
    where t.id = any(${task_ids}) and not exists (
      select from users u
      where lower(u.email) = named.email and u.disabled_at is null and (u.shares_grant or u.id = t.account_user_id)
    ) and not ${isAllowedServiceAccount(sql`named.email`)}
    limit 1`.execute(trx)
  const [refused] = rows
  if (refused === undefined) return
  throw new NamedError('account_not_shared', {
    message: isServiceAddress(refused.email)
      ? messages.service_account_not_allowed(refused.email)
      : messages.account_not_shared(refused.email),
    field: 'relevant_user_accounts',
  })
}
