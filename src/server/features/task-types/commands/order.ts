import { sql } from 'kysely'
import { type Actor, audit } from '../../../platform/audit.ts'
import type { Db } from '../../../platform/db.ts'
import { NamedError } from '../../../platform/errors.ts'
import { notify } from '../../../platform/notify.ts'
import type { TaskCategory } from '../../../platform/schema.ts'
import { lockDependencies } from './dependencies.ts'

/** Sets the order of all types of a category. Throws NamedError `order_changed` unless `ids` are exactly its current types. */
export async function orderTaskTypes(
  db: Db,
  actor: Actor,
  category: TaskCategory,
  ids: readonly number[],
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await lockDependencies(trx)
    const types = await trx
      .selectFrom('task_types')
      .select('id')
      .where('category', '=', category)
      .orderBy('id')
      .forUpdate()
      .execute()
    const known = new Set(types.map(({ id }) => id))
    if (ids.length !== known.size || !ids.every((id) => known.has(id)))
      throw new NamedError('order_changed', { field: 'order' })
    await sql`
      update task_types t set sort_order = wanted.place
      from unnest(${[...ids]}::int[]) with ordinality as wanted (id, place)
      where t.id = wanted.id and t.sort_order <> wanted.place`.execute(trx)
    await audit(trx, actor, {
      action: 'reorder',
      object_type: `${category}_task_type`,
      object_id: null,
      details: { order: ids },
    })
    await notify(trx, { kind: 'tasks' })
  })
}
