import { type RawBuilder, sql } from 'kysely'
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
    where t.id = any(${task_ids}) and not ${mayUse(sql`t.account_user_id`)}
    limit 1`.execute(trx)
  const [refused] = rows
  if (refused === undefined) return
  throw new NamedError('account_not_shared', {
    message: accountRefusal(refused.email),
    field: 'relevant_user_accounts',
  })
}

/**
 * Returns by task why it may not use these accounts; tasks that may are omitted. `account_user_id`: their run account after the
 * change; undefined if that stays.
 */
export async function refusedAccounts(
  trx: Trx,
  wanted: { task_ids: readonly number[]; emails: readonly string[]; account_user_id: number | undefined },
): Promise<Map<number, string>> {
  const account =
    wanted.account_user_id === undefined ? sql`t.account_user_id` : sql`${wanted.account_user_id}::int`
  const { rows } = await sql<{ id: number; email: string }>`
    select distinct on (t.id) t.id, named.email
    from tasks t, unnest(${[...wanted.emails]}::text[]) with ordinality as named (email, place)
    where t.id = any(${[...wanted.task_ids]}::int[]) and not ${mayUse(account)}
    order by t.id, named.place`.execute(trx)
  return new Map(rows.map(({ id, email }) => [id, accountRefusal(email)]))
}

// Whether runs with this run account may use the account `named.email`.
const mayUse = (account_user_id: RawBuilder<unknown>) => sql<boolean>`(exists (
  select from users u
  where lower(u.email) = named.email and u.disabled_at is null and (u.shares_grant or u.id = ${account_user_id})
) or ${isAllowedServiceAccount(sql`named.email`)})`

const accountRefusal = (email: string) =>
  isServiceAddress(email)
    ? taskServerMessages.service_account_not_allowed(email)
    : taskServerMessages.account_not_shared(email)
