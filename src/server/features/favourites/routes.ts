import { favourites } from '../../../contract/favourites/calls.ts'
import type { Db, Trx } from '../../platform/db.ts'
import { NamedError } from '../../platform/errors.ts'
import type { Feature } from '../../platform/http/feature.ts'

/** Favourite tasks of each user. */
export const favouritesFeature: Feature<typeof favourites, { db: Db }> = {
  calls: favourites,
  handlers: {
    list: async ({ user }, { db }) => ({ task_ids: await readFavourites(db, user.id) }),
    set: async ({ params, body, user }, { db }) => {
      const favourite = { user_id: user.id, task_id: params.id }
      await db.transaction().execute((trx) => setFavourite(trx, favourite, body.is_favourite))
      return { task_id: params.id, ...body }
    },
  },
}

async function readFavourites(db: Db, user_id: number): Promise<number[]> {
  const rows = await db
    .selectFrom('favourites')
    .select('task_id')
    .where('user_id', '=', user_id)
    .orderBy('task_id')
    .execute()
  return rows.map(({ task_id }) => task_id)
}

/** Repeating a request changes nothing. Throws NamedError `task_not_found`. */
async function setFavourite(db: Trx, favourite: { user_id: number; task_id: number }, wanted: boolean) {
  if (!wanted) {
    await db
      .deleteFrom('favourites')
      .where('user_id', '=', favourite.user_id)
      .where('task_id', '=', favourite.task_id)
      .execute()
    return
  }
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('favourites')
    .columns(['user_id', 'task_id'])
    .expression((eb) =>
      eb
        .selectFrom('tasks')
        .select([eb.val(favourite.user_id).$castTo<number>().as('user_id'), 'id'])
        .where('id', '=', favourite.task_id)
        // A concurrent deletion waits, so that it also deletes the favourite.
        .forKeyShare(),
    )
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'task_id']).doUpdateSet({ task_id: favourite.task_id }),
    )
    .executeTakeFirst()
  if (numInsertedOrUpdatedRows === 0n) throw new NamedError('task_not_found')
}
