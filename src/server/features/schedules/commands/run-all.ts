import type { RunAllBody, RunAllSchedule } from '../../../../contract/schedules/calls.ts'
import { recordDue } from '../../../engine/schedule/record-due.ts'
import { type Actor, audit } from '../../../platform/audit.ts'
import type { Db } from '../../../platform/db.ts'
import { unchangedSince } from '../../../platform/edit-conflicts.ts'
import { NamedError } from '../../../platform/errors.ts'
import type { TaskCategory } from '../../../platform/schema.ts'
import { readRunAll } from '../queries/run-all.ts'

/**
 * Sets the times at which all tasks of a category run, or pauses them. An empty list removes the times. Returns the sorted times.
 * Throws NamedError `stale_update` after a concurrent change of the times.
 */
export async function saveRunAll(
  db: Db,
  zone: string,
  actor: Actor,
  category: TaskCategory,
  body: RunAllBody,
): Promise<RunAllSchedule> {
  // Sorted, because order is irrelevant and only a real change starts a new series of occurrences.
  const scheduled_times = body.scheduled_times?.toSorted()
  const { is_paused } = body
  const changes = {
    ...(scheduled_times && { scheduled_times }),
    ...(is_paused !== undefined && { is_paused }),
  }
  // Occurrences that became due under the previous setting are not affected by it.
  if (is_paused !== undefined) await recordDue(db, zone)
  return db.transaction().execute(async (trx) => {
    const saved = await trx
      .updateTable('run_all_schedules')
      .set(changes)
      .where('category', '=', category)
      .where(unchangedSince(body.updated_at, 'scheduled_since'))
      .returning('category')
      .executeTakeFirst()
    if (saved === undefined) throw new NamedError('stale_update')
    await audit(trx, actor, {
      action: 'schedule_run_all',
      object_type: 'schedule',
      object_id: null,
      details: { category, ...changes },
    })
    return readRunAll(trx, category)
  })
}
