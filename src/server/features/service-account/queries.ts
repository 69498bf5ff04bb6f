import { sql } from 'kysely'
import type { ServiceAccount } from '../../../contract/service-account/calls.ts'
import { isAllowedServiceAccount } from '../../platform/auth/service-account-use.ts'
import type { Db } from '../../platform/db.ts'

/** Reads the service account with its permission and the number of tasks that use it; null if none is configured. */
export async function readServiceAccount(db: Db, address: string | null): Promise<ServiceAccount> {
  const use = await db
    .selectNoFrom([
      isAllowedServiceAccount(sql`${address}`).as('is_allowed'),
      sql<number>`(select count(*)::int from tasks where ${address} = any(relevant_user_accounts))`.as(
        'tasks_count',
      ),
    ])
    .executeTakeFirstOrThrow()
  return { address, ...use }
}
