import type { Db } from '../../../engine/types.ts'
import { type Actor, audit } from '../../../platform/audit.ts'

/** Sets the times of day at which all tasks of a category run; none clears them. Gives them in order. */
export async function saveRunAll(
  db: Db,
  actor: Actor,
  category: 'sync' | 'source',
  times: readonly string[],
): Promise<{ scheduled_times: string[] }> {
  // The order says nothing, and only a real change makes earlier moments somebody else's.
  const scheduled_times = times.toSorted()
  return db.transaction().execute(async (trx) => {
    await trx
      .updateTable('run_all_schedules')
      .set({ scheduled_times })
      .where('category', '=', category)
      .execute()
    await audit(trx, actor, {
      action: 'schedule_run_all',
      object_type: 'schedule',
      object_id: null,
      details: { category, scheduled_times },
    })
    return { scheduled_times }
  })
}
