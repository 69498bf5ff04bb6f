import type { RunAllSchedule } from '../../../../contract/schedules/calls.ts'
import type { Db } from '../../../platform/db.ts'
import type { TaskCategory } from '../../../platform/schema.ts'

/** Reads the run-all times of a category in order, with the time of the last change. */
export async function readRunAll(db: Db, category: TaskCategory): Promise<RunAllSchedule> {
  const { scheduled_times, is_paused, scheduled_since } = await db
    .selectFrom('run_all_schedules')
    .select(['scheduled_times', 'is_paused', 'scheduled_since'])
    .where('category', '=', category)
    .executeTakeFirstOrThrow()
  return { scheduled_times, is_paused, updated_at: scheduled_since.toISOString() }
}
