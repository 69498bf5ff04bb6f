import { sql } from 'kysely'
import type { BodyOf } from '../../../contract/calls.ts'
import { savedViewLimits, type savedViews } from '../../../contract/saved-views/calls.ts'
import { audit } from '../../platform/audit.ts'
import type { SessionUser } from '../../platform/auth/sessions.ts'
import type { Db, Trx } from '../../platform/db.ts'
import { touched } from '../../platform/edit-conflicts.ts'
import { NamedError } from '../../platform/errors.ts'

/**
 * Adds a view of the user and returns its id. Throws NamedError `too_many_views`; a duplicate name fails as `view_name_taken`.
 */
export async function createSavedView(
  db: Db,
  user: SessionUser,
  view: BodyOf<typeof savedViews.create>,
): Promise<number> {
  return db.transaction().execute(async (trx) => {
    // Serializes creation per user, so that concurrent calls cannot exceed the limit.
    await trx.selectFrom('users').select('id').where('id', '=', user.id).forNoKeyUpdate().execute()
    const { count } = await trx
      .selectFrom('saved_views')
      .select(sql<number>`count(*)::int`.as('count'))
      .where('user_id', '=', user.id)
      .executeTakeFirstOrThrow()
    if (count >= savedViewLimits.per_user) throw new NamedError('too_many_views')
    const { id } = await trx
      .insertInto('saved_views')
      .values({ ...view, user_id: user.id })
      .returning('id')
      .executeTakeFirstOrThrow()
    await audit(trx, user, { action: 'create', object_type: 'saved_view', object_id: id, details: view })
    return id
  })
}

/**
 * Changes a view; omitted fields keep their value. Throws NamedError `saved_view_not_found`, and `view_not_yours` for the shared
 * view of another user.
 */
export async function updateSavedView(
  db: Db,
  user: SessionUser,
  id: number,
  change: BodyOf<typeof savedViews.update>,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await holdView(trx, user, id)
    await trx
      .updateTable('saved_views')
      .set({ ...change, updated_at: touched })
      .where('id', '=', id)
      .execute()
    await audit(trx, user, { action: 'update', object_type: 'saved_view', object_id: id, details: change })
  })
}

/** Deletes a view. Throws like updateSavedView. */
export async function deleteSavedView(db: Db, user: SessionUser, id: number): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const { name } = await holdView(trx, user, id)
    await trx.deleteFrom('saved_views').where('id', '=', id).execute()
    await audit(trx, user, { action: 'delete', object_type: 'saved_view', object_id: id, details: { name } })
  })
}

// The private view of another user does not exist for anybody else, also not for administrators.
async function holdView(trx: Trx, user: SessionUser, id: number): Promise<{ name: string }> {
  const view = await trx
    .selectFrom('saved_views')
    .select(['name', 'user_id', 'is_shared'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (view === undefined || !(view.is_shared || view.user_id === user.id))
    throw new NamedError('saved_view_not_found')
  if (view.user_id !== user.id && !user.is_admin) throw new NamedError('view_not_yours')
  return view
}
