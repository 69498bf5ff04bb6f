import { type Actor, audit } from '../../platform/audit.ts'
import { allowServiceAccount } from '../../platform/auth/service-account-use.ts'
import type { Db } from '../../platform/db.ts'
import { NamedError } from '../../platform/errors.ts'

/**
 * Allows or forbids all tasks to use the service account. Live runs check it before each request. Throws NamedError
 * `service_account_gone` unless it is the configured account.
 */
export async function changeServiceAccountUse(
  db: Db,
  actor: Actor,
  configured: string | null,
  { address, is_allowed }: { address: string; is_allowed: boolean },
): Promise<void> {
  if (address !== configured) throw new NamedError('service_account_gone', { field: 'address' })
  await db.transaction().execute(async (trx) => {
    const changed = await allowServiceAccount(trx, is_allowed ? address : null)
    await audit(trx, actor, {
      action: is_allowed ? 'allow' : 'forbid',
      object_type: 'service_account',
      object_id: null,
      details: { address },
      result: changed ? 'done' : 'unchanged',
    })
  })
}
