import { sql } from 'kysely'
import type { z } from 'zod'
import type { SyncTaskCreate } from '../../../../contract/sync-tasks.ts'
import type { Db } from '../../../engine/types.ts'
import { type Actor, audit } from '../../../platform/audit.ts'
import { notify } from '../../../platform/notify.ts'
import { checkAccounts, definitionOf, holdType } from './definition.ts'

/** Adds a sync task, last in its type unless it brings a sort order; gives its id. Without a chunk size it takes its type's. */
export async function createSyncTask(
  db: Db,
  actor: Actor,
  body: z.output<typeof SyncTaskCreate>,
): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const type = await holdType(trx, body.sync_task_type_id)
    const { id } = await trx
      .insertInto('tasks')
      .values((eb) => ({
        category: 'sync',
        task_type_id: body.sync_task_type_id,
        name: body.name,
        is_active: body.is_active,
        created_by: actor.id,
        sort_order:
          body.sort_order ||
          eb
            .selectFrom('tasks')
            .select(sql<number>`coalesce(max(sort_order), 0) + 1`.as('last'))
            .where('category', '=', 'sync')
            .where('task_type_id', '=', body.sync_task_type_id),
      }))
      .returning('id')
      .executeTakeFirstOrThrow()
    const definition = { ...definitionOf(body), chunk_size: body.chunk_size ?? type.chunk_size }
    await trx
      .insertInto('sync_tasks')
      .values({
        ...definition,
        task_id: id,
        target_ss_id: body.target_ss_id,
        target_sheet_name: body.target_sheet_name,
        source_type: body.source_type,
      })
      .execute()
    await checkAccounts(trx, id)
    await audit(trx, actor, {
      action: 'create',
      object_type: 'sync_task',
      object_id: id,
      details: { name: body.name, sync_task_type_id: body.sync_task_type_id, ...definition },
    })
    await notify(trx, { kind: 'tasks' })
    return id
  })
}
