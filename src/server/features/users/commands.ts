import { sql } from 'kysely'
import type { Db } from '../../engine/types.ts'
import { type Actor, audit } from '../../platform/audit.ts'
import { NamedError } from '../../platform/errors.ts'

/** Allows or forbids colleagues' tasks to use the person's own account; runs check it again when they begin. */
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

/** Keeps a person out, which ends their sessions at once, or lets them in again. Throws NamedError `disable_yourself` or `user_not_found`. */
export async function disableUser(db: Db, actor: Actor, id: number, is_disabled: boolean): Promise<void> {
  if (is_disabled && id === actor.id) throw new NamedError('disable_yourself')
  await db.transaction().execute(async (trx) => {
    const user = await trx
      .updateTable('users')
      .set({ disabled_at: is_disabled ? sql<Date>`coalesce(disabled_at, now())` : null })
      .where('id', '=', id)
      .returning('email')
      .executeTakeFirst()
    if (user === undefined) throw new NamedError('user_not_found')
    if (is_disabled) await trx.deleteFrom('sessions').where('user_id', '=', id).execute()
    await audit(trx, actor, {
      action: is_disabled ? 'disable' : 'enable',
      object_type: 'user',
      object_id: id,
      details: { email: user.email },
    })
  })
}
