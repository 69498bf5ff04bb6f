import { sql } from 'kysely'
import type { PgBoss } from 'pg-boss'
import type { Db, Trx } from '../platform/db.ts'
import type { TaskCategory } from '../platform/schema.ts'
import { BEGUN_PRIORITY, newJobId, queueOfRun, sendJobs } from './delivery.ts'
import { writeLog } from './log-entries.ts'
import { MAX_REDELIVERIES, tooManyRedeliveriesMessage } from './retry-policy.ts'
import { shortTransaction } from './short-transaction.ts'
import { stoppedMessage } from './transitions.ts'

type OrphanedRun = {
  id: number
  task_id: number | null
  category: TaskCategory
  state: string
  stop_asked_by: string | null
  redeliveries: number
  mounts: string[]
}

// No worker has the run and none will get it: its job failed, was cancelled or is missing.
const undeliverable = sql<boolean>`not exists (select from pgboss.job
  where job.name = ${queueOfRun} and job.id = runs.job_id and job.state in ('created', 'retry', 'active'))`
// No worker has the run now; a stopped one can be ended without a worker.
const unattended = sql<boolean>`not exists (select from pgboss.job
  where job.name = ${queueOfRun} and job.id = runs.job_id and job.state = 'active')`

/**
 * Recovers running runs that have no deliverable job: a run that was asked to stop ends; any other is sent again,
 * which counts as a redelivery. Returns the number of recovered runs.
 */
export const reconcile = (db: Db, boss: PgBoss): Promise<number> =>
  shortTransaction(db, async (trx) => {
    const orphaned = await trx
      .selectFrom('runs')
      .select(['id', 'task_id', 'category', 'state', 'stop_asked_by', 'redeliveries', 'mounts'])
      .where((where) =>
        where.or([
          where.and([where('state', '=', 'running'), undeliverable]),
          where.and([where('state', '=', 'stopping'), unattended]),
        ]),
      )
      .forNoKeyUpdate()
      .skipLocked()
      .execute()
    for (const run of orphaned) await recoverOrphanedRun(trx, boss, run)
    return orphaned.length
  })

async function recoverOrphanedRun(trx: Trx, boss: PgBoss, run: OrphanedRun): Promise<void> {
  const log = async (level: 'WARNING' | 'ERROR', message: string) => {
    if (run.task_id !== null) await writeLog(trx, { task_id: run.task_id, run_id: run.id, level, message })
  }
  const redeliveries = run.redeliveries + 1
  if (run.state === 'stopping') {
    await end(trx, run.id, { state: 'stopped', error: null })
    await log('WARNING', stoppedMessage(run.stop_asked_by))
  } else if (redeliveries >= MAX_REDELIVERIES) {
    const error = tooManyRedeliveriesMessage(redeliveries)
    await end(trx, run.id, { state: 'error', error })
    await log('ERROR', error)
  } else {
    const job_id = newJobId()
    await trx
      .updateTable('runs')
      .set({ job_id, job_retry: null, worker: null, redeliveries, updated_at: sql`now()` })
      .where('id', '=', run.id)
      .execute()
    await sendJobs(boss, trx, [
      { run_id: run.id, category: run.category, job_id, priority: BEGUN_PRIORITY, mounts: run.mounts },
    ])
    await log('WARNING', 'The run’s job was missing from the queue and was sent again.')
  }
}

async function end(
  trx: Trx,
  id: number,
  values: { state: 'stopped' | 'error'; error: string | null },
): Promise<void> {
  await trx
    .updateTable('runs')
    .set({ ...values, finished_at: sql`now()`, updated_at: sql`now()` })
    .where('id', '=', id)
    .execute()
}
