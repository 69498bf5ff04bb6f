import { sql } from 'kysely'
import { notify } from '../../platform/notify.ts'
import type { Db } from '../types.ts'

/** Categories that have a run-all schedule. */
export type RunAllCategory = 'sync' | 'source'

/** The times of day, HH:MM, at which all active tasks of a category are due; empty: none. */
export async function readRunAll(db: Db, category: RunAllCategory): Promise<string[]> {
  const row = await db
    .selectFrom('run_all_schedules')
    .select('scheduled_times')
    .where('category', '=', category)
    .executeTakeFirst()
  return row?.scheduled_times ?? []
}

/** Sets them; times that are new count from now on. */
export async function writeRunAll(db: Db, category: RunAllCategory, times: readonly string[]): Promise<void> {
  const scheduled_times = [...new Set(times)].sort()
  await db
    .insertInto('run_all_schedules')
    .values({ category, scheduled_times })
    .onConflict((conflict) => conflict.column('category').doUpdateSet({ scheduled_times }))
    .execute()
  await notify(db, { kind: 'tasks' })
}

export type SourceSchedule = {
  running: boolean
  /** When a scheduler last looked at the schedules, whether the source schedule is on or not. */
  looked_at: Date
  /** Runs of source tasks that wait, and those at work. */
  queue_depth: number
  active_tasks: number
}

/** State of the source schedule: the crons of types and the run-all of source tasks. */
export async function readSourceSchedule(db: Db): Promise<SourceSchedule> {
  const { rows } = await sql<SourceSchedule>`
    select c.source_running as running, c.looked_at,
      count(r.id) filter (where r.state = 'queued')::int as queue_depth,
      count(r.id) filter (where r.state <> 'queued')::int as active_tasks
    from schedule_clock c
    left join runs r on r.category = 'source' and r.state in ('queued', 'running', 'stopping')
    group by 1, 2`.execute(db)
  const [schedule] = rows
  if (!schedule) throw new Error('The table schedule_clock has lost its row.')
  return schedule
}

/** Switches the source schedule. While it is off its moments are Missed; nothing is caught up on later. */
export async function switchSourceSchedule(db: Db, running: boolean): Promise<void> {
  await db.updateTable('schedule_clock').set({ source_running: running }).execute()
}
