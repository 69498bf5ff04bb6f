import type { Db } from '../../../engine/types.ts'

/** The times of day at which all tasks of a category run, in order. */
export async function readRunAll(db: Db, category: 'sync' | 'source') {
  return db
    .selectFrom('run_all_schedules')
    .select('scheduled_times')
    .where('category', '=', category)
    .executeTakeFirstOrThrow()
}
