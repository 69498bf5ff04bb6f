import { sql } from 'kysely'
import { messages } from '../../../contract/messages.ts'
import { isAllowedServiceAccount } from '../../platform/auth/service-account-use.ts'
import type { Trx } from '../../platform/db.ts'
import { NamedError } from '../../platform/errors.ts'
import type { TaskCategory } from '../../platform/schema.ts'

// Google gives every service account an address that ends so.
const isServiceAddress = (email: string) => email.endsWith('.gserviceaccount.com')

/** Chunk size of a task without a type that does not say its own. */
export const UNTYPED_CHUNK_SIZE = 1

/**
 * The chunk size of a task type, which then neither changes nor goes away before the transaction ends. Throws NamedError
 * `type_gone` that names the field.
 */
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
