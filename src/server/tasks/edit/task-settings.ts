import { sql } from 'kysely'
import { taskServerMessages } from '../../../contract/tasks/server-messages.ts'

import { isAllowedServiceAccount } from '../../platform/auth/service-account-use.ts'
import type { Trx } from '../../platform/db.ts'
import { NamedError } from '../../platform/errors.ts'
import type { TaskCategory } from '../../platform/schema.ts'

// Suffix of all service account addresses.
const isServiceAddress = (email: string) => email.endsWith('.gserviceaccount.com')

/** Default chunk size of a task without a type. */
export const UNTYPED_CHUNK_SIZE = 1

/** Reads the chunk size of a type and locks the type until the transaction ends. Throws NamedError `type_gone` with the field. */
export async function holdType(
  trx: Trx,
  { category, id, field }: { category: TaskCategory; id: number; field: string },
): Promise<{ chunk_size: number }> {
  const type = await trx
    .selectFrom('task_types')
    .select('chunk_size')
    .where('id', '=', id)
    .where('category', '=', category)
    .forShare()
    .executeTakeFirst()
  if (type === undefined) throw new NamedError('type_gone', { field })
  return type
}

/**
 * Throws NamedError `account_not_shared` unless each account of the tasks is their run account, shared by its owner, or the allowed
 * service account.
 */
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
      ? taskServerMessages.service_account_not_allowed(refused.email)
      : taskServerMessages.account_not_shared(refused.email),
    field: 'relevant_user_accounts',
  })
}
