import type { FilteredList, SavedView } from '../../../contract/saved-views/calls.ts'
import type { SessionUser } from '../../platform/auth/sessions.ts'
import type { Db } from '../../platform/db.ts'

type Reader = Pick<SessionUser, 'id' | 'is_admin'>

/** The user's own views and shared ones, of one list or of all, by name. */
export async function listSavedViews(db: Db, user: Reader, list?: FilteredList): Promise<SavedView[]> {
  let query = views(db).where((eb) => eb.or([eb('v.user_id', '=', user.id), eb('v.is_shared', '=', true)]))
  if (list !== undefined) query = query.where('v.list', '=', list)
  const rows = await query
    .orderBy((eb) => eb.fn('lower', ['v.name']))
    .orderBy('v.id')
    .execute()
  return rows.map((row) => viewOf(row, user))
}

/** Reads a view that the user has just saved. An administrator may have withdrawn it from sight. */
export async function readSavedView(db: Db, user: Reader, id: number): Promise<SavedView> {
  return viewOf(await views(db).where('v.id', '=', id).executeTakeFirstOrThrow(), user)
}

const views = (db: Db) =>
  db
    .selectFrom('saved_views as v')
    .innerJoin('users as u', 'u.id', 'v.user_id')
    .select(['v.id', 'v.list', 'v.name', 'v.query', 'v.is_shared', 'v.user_id', 'u.name as owner_name'])

type Row = Awaited<ReturnType<ReturnType<typeof views>['execute']>>[number]

const viewOf = ({ user_id, owner_name, ...view }: Row, user: Reader): SavedView => ({
  ...view,
  owner: { id: user_id, name: owner_name },
  can_edit: user_id === user.id || (user.is_admin && view.is_shared),
})
