import { sql } from 'kysely'
import pino from 'pino'
import type { RunHandler } from '../src/server/engine/types.ts'
import { databasePerTest } from './database.ts'
import { addTasks, done, handlerOf } from './engine.ts'

export const zone = 'UTC'
export const log = pino({ level: 'silent' })
export const handlers: RunHandler[] = [
  handlerOf(async () => done),
  handlerOf(async () => done, { category: 'source' }),
]

/** A whole minute, so many minutes ago. */
export const minutesAgo = (minutes: number) => new Date(Math.floor(Date.now() / 60_000 - minutes) * 60_000)
export const timeOf = (at: Date) => at.toISOString().slice(11, 16)

/** A database for each test, with what schedules are about. */
export function scheduledDatabase() {
  const database = databasePerTest()
  return {
    database,
    /** Tasks with times of day, as though they had had them for a month. */
    scheduledTasks: (count: number, times: Date[], settings: Parameters<typeof addTasks>[2] = {}) =>
      addTasks(database.db, count, settings, {
        scheduled_times: times.map(timeOf),
        scheduled_since: sql`now() - interval '30 days'`,
      }),
    /** The schedules were last looked at so many minutes ago. */
    lastLook: (minutes: number) =>
      sql`update schedule_clock set scanned_until = now() - make_interval(mins => ${minutes})`.execute(
        database.db,
      ),
    occurrences: () =>
      database.db
        .selectFrom('due_moments')
        .select(['schedule', 'task_id', 'due_at', 'last_due_at', 'moments', 'outcome', 'reason', 'run_id'])
        .orderBy('task_id')
        .orderBy('due_at')
        .orderBy('schedule')
        .execute(),
  }
}
