import { sql } from 'kysely'
import { type Actor, audit } from '../../platform/audit.ts'
import { endTokensOf } from '../../platform/auth/tokens.ts'
import type { Db, Trx } from '../../platform/db.ts'
import { NamedError } from '../../platform/errors.ts'

/** Allows or forbids tasks of other users to use the user's account. Runs check it when they start. */
export async function shareGrant(db: Db, actor: Actor, shares_grant: boolean): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await trx.updateTable('users').set({ shares_grant }).where('id', '=', actor.id).execute()
    await audit(trx, actor, {
      action: shares_grant ? 'share_grant' : 'withdraw_grant',
      object_type: 'user',
      object_id: actor.id,
    })
  })
}

/** Disconnects a user's Google account. */
export type DisconnectGoogle = {
  /** Returns false if there is nothing to disconnect or it is already in progress. */
  begin: (trx: Trx, person: { id: number; email: string }, by: Actor) => Promise<boolean>
  /** Completes what is possible now; a background job does the rest. */
  finish: () => Promise<void>
}

type Deps = { db: Db; disconnect: DisconnectGoogle }

/**
 * Stops the runs that depend on this account and revokes the grant at Google after their cleanup. Allowed for the user and for
 * administrators. Throws NamedError `not_allowed` or `user_not_found`.
 */
export async function disconnectGoogle(
  { db, disconnect }: Deps,
  actor: Actor & { is_admin: boolean },
  id: number,
): Promise<void> {
  if (id !== actor.id && !actor.is_admin) throw new NamedError('not_allowed')
  await db.transaction().execute(async (trx) => {
    const user = await trx.selectFrom('users').select(['id', 'email']).where('id', '=', id).executeTakeFirst()
    if (user === undefined) throw new NamedError('user_not_found')
    if (!(await disconnect.begin(trx, user, actor))) return
    await audit(trx, actor, {
      action: 'disconnect_google',
      object_type: 'user',
      object_id: id,
      details: { email: user.email },
    })
  })
  await disconnect.finish()
}

/**
 * Disables a user, which ends sessions, tokens and Google access immediately, or enables the user again. Throws NamedError
 * `disable_yourself` or `user_not_found`.
 */
export async function disableUser(
  { db, disconnect }: Deps,
  actor: Actor,
  id: number,
  is_disabled: boolean,
): Promise<void> {
  if (is_disabled && id === actor.id) throw new NamedError('disable_yourself')
  await db.transaction().execute(async (trx) => {
    const user = await trx
      .updateTable('users')
      .set({ disabled_at: is_disabled ? sql<Date>`coalesce(disabled_at, now())` : null })
      .where('id', '=', id)
      .returning(['id', 'email'])
      .executeTakeFirst()
    if (user === undefined) throw new NamedError('user_not_found')
    if (is_disabled) {
      await trx.deleteFrom('sessions').where('user_id', '=', id).execute()
      await endTokensOf(trx, id)
      await disconnect.begin(trx, user, actor)
    }
    await audit(trx, actor, {
      action: is_disabled ? 'disable' : 'enable',
      object_type: 'user',
      object_id: id,
      details: { email: user.email },
    })
  })
  if (is_disabled) await disconnect.finish()
}
