import { scheduleServerMessages } from '../../../../contract/schedules/server-messages.ts'
import { CHECK_INTERVAL } from '../../../engine/schedule/next-scan.ts'
import { recordDue } from '../../../engine/schedule/record-due.ts'
import { type Actor, audit } from '../../../platform/audit.ts'
import type { Db } from '../../../platform/db.ts'
import { readNextRuns } from '../../../tasks/list/next-runs.ts'

const WHOLE = { object_type: 'schedule', object_id: null } as const

/** Enables the schedule of source tasks. Returns a warning if it is already enabled. */
export async function startSourceSchedule(db: Db, zone: string, actor: Actor, check_interval: number) {
  // Records occurrences that became due under the previous setting.
  await recordDue(db, zone)
  return db.transaction().execute(async (trx) => {
    const started = await trx
      .updateTable('schedule_clock')
      .set({ source_running: true })
      .where('source_running', '=', false)
      .returning('single')
      .executeTakeFirst()
    const value = JSON.stringify(check_interval)
    await trx
      .insertInto('settings')
      .values({ key: CHECK_INTERVAL, value })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value, updated_at: new Date() }))
      .execute()
    const result = started ? 'done' : 'was running'
    await audit(trx, actor, { ...WHOLE, action: 'start', details: { check_interval }, result })
    return started
      ? { status: 'success' as const, message: scheduleServerMessages.source_schedule_started }
      : { status: 'warning' as const, message: scheduleServerMessages.source_schedule_runs_already }
  })
}

/** Disables the schedule of source tasks. Returns a warning if it is already disabled. Live runs continue. */
export async function stopSourceSchedule(db: Db, zone: string, actor: Actor) {
  await recordDue(db, zone)
  return db.transaction().execute(async (trx) => {
    const stopped = await trx
      .updateTable('schedule_clock')
      .set({ source_running: false })
      .where('source_running', '=', true)
      .returning('single')
      .executeTakeFirst()
    await audit(trx, actor, { ...WHOLE, action: 'stop', result: stopped ? 'done' : 'was stopped' })
    return stopped
      ? { status: 'success' as const, message: scheduleServerMessages.source_schedule_stopped }
      : { status: 'warning' as const, message: scheduleServerMessages.source_schedule_stopped_already }
  })
}

/** Records due occurrences immediately. Returns the number of source tasks that have a next run. */
export async function recordDueNow(db: Db, zone: string, actor: Actor) {
  await recordDue(db, zone)
  const runs = await readNextRuns(db, { category: 'source', zone, limit: Infinity })
  const updated_count = runs.length
  await audit(db, actor, { ...WHOLE, action: 'update_next_run_times', details: { updated_count } })
  return updated_count > 0
    ? {
        status: 'success' as const,
        message: scheduleServerMessages.next_runs_counted(updated_count),
        updated_count,
      }
    : { status: 'warning' as const, message: scheduleServerMessages.no_next_runs, updated_count }
}
