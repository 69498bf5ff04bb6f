import { sql } from 'kysely'
import type { AllowedHost } from '../../../../contract/connections/calls.ts'
import { type Actor, audit } from '../../../platform/audit.ts'
import type { Db } from '../../../platform/db.ts'
import { NamedError } from '../../../platform/errors.ts'
import type { ConnectionDeps } from './settings.ts'

const aboutHost = { object_type: 'allowed_host', object_id: null } as const

/** Adds a host to the allow list. Succeeds if it is already listed. Throws NamedError `host_entry_invalid`. */
export async function allowHost(
  { db, connectionTools }: ConnectionDeps,
  actor: Actor,
  text: string,
): Promise<AllowedHost> {
  const host = connectionTools.hostEntry(text)
  if (host === null) throw new NamedError('host_entry_invalid', { field: 'host' })
  return db.transaction().execute(async (trx) => {
    const { is_new, ...entry } = await trx
      .insertInto('allowed_hosts')
      .values({ host, added_by: actor.email })
      .onConflict((conflict) => conflict.column('host').doUpdateSet({ host }))
      .returning(['host', 'added_by', 'created_at', sql<boolean>`xmax = 0`.as('is_new')])
      .executeTakeFirstOrThrow()
    if (is_new) await audit(trx, actor, { action: 'create', ...aboutHost, details: { host } })
    return { ...entry, created_at: entry.created_at.toISOString() }
  })
}

/** Removes a host from the allow list. Throws NamedError `host_not_listed`. */
export async function refuseHost(db: Db, actor: Actor, host: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const { numDeletedRows } = await trx
      .deleteFrom('allowed_hosts')
      .where('host', '=', host)
      .executeTakeFirst()
    if (numDeletedRows === 0n) throw new NamedError('host_not_listed')
    await audit(trx, actor, { action: 'delete', ...aboutHost, details: { host } })
  })
}
