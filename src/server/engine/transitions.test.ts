import { randomUUID } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { PgBoss } from 'pg-boss'
import pino from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../test/fixtures/database.ts'
import { addTasks, done, handlerOf, logOf } from '../../../test/fixtures/engine.ts'
import { queueRun } from '../../../test/fixtures/run-requests.ts'
import { queueOf } from '../platform/queue-name.ts'
import { admit } from './admit.ts'
import { type Lease, LeaseLost, startDelivery } from './delivery.ts'
import {
  type ActiveLease,
  end,
  endStopped,
  finish,
  release,
  releaseRefused,
  retryLater,
} from './transitions.ts'
import { claimRuns } from './worker.ts'

let database: TestDatabase
let boss: PgBoss
let lease: Lease
let active: ActiveLease

beforeAll(async () => {
  database = await testDatabase()
  boss = await startDelivery({
    databaseUrl: database.url,
    supervise: false,
    log: pino({ level: 'silent' }),
  })
  await database.db
    .insertInto('workers')
    .values({ id: randomUUID(), name: 'here', categories: ['sync'] })
    .execute()
})
afterAll(() => boss.stop({ graceful: false }))

/** The job of the only admitted run, fetched by a worker that has not claimed the run yet. */
async function fetched(): Promise<Lease> {
  const [job] = await boss.fetch(queueOf('sync'), { batchSize: 1 })
  const run = await database.db
    .selectFrom('runs')
    .select('id')
    .where('job_id', '=', job?.id ?? null)
    .executeTakeFirstOrThrow()
  return { run_id: run.id, category: 'sync', job_id: job?.id ?? '', job_retry: job?.retryCount ?? 0 }
}

/** The job delivered to another worker, as pg-boss does after missing heartbeats. */
async function handedOutAgain(): Promise<Lease> {
  await fallSilent()
  return fetched()
}

/** pg-boss makes the job available for another worker. */
const fallSilent = () =>
  sql`update pgboss.job set state = 'retry', start_after = now() where id = ${lease.job_id}`.execute(
    database.db,
  )

beforeEach(async () => {
  const { db } = database
  await sql`delete from pgboss.job`.execute(db)
  await sql`delete from runs`.execute(db)
  const { task_ids } = await addTasks(db, 1, { name: randomUUID() })
  await queueRun(db, [handlerOf(async () => done)], task_ids[0] ?? 0)
  await admit(db, boss)
  lease = await fetched()
  expect(await claimRuns(db, [lease], { worker: 'here', refused: false })).toHaveLength(1)
  active = { db, boss, lease }
})

const stored = async () => {
  const { db } = database
  const { rows } = await sql<{ task_id: number }>`
    select to_jsonb(runs) as run, to_jsonb(tasks) as task, task_id from runs join tasks on tasks.id = task_id
    where runs.id = ${lease.run_id}`.execute(db)
  return { rows, log: await logOf(db, rows[0]?.task_id ?? 0) }
}

const renameTask = { ...done, commit: (trx: Parameters<NonNullable<typeof done.commit>>[0]) => rename(trx) }
const rename = async (trx: Parameters<NonNullable<typeof done.commit>>[0]) => {
  await trx.updateTable('tasks').set({ name: randomUUID() }).execute()
}
const progress = { rows_done: 9, rows_total: 9, phase: 'Late' }
const again = { error: 'Busy', delay_seconds: 0, message: 'Attempt 1 of 4 failed' }

const transitions: [string, () => Promise<void>][] = [
  ['success', () => finish(active, done, progress)],
  ['success with what its handler commits', () => finish(active, renameTask, progress)],
  ['failure', () => end(active, 'failed', 'Late')],
  ['stop', () => endStopped(active)],
  ['next attempt', () => retryLater(active, again)],
  ['release', () => release(active, { counts: true, message: 'Late' })],
]

const losses: [string, () => Promise<unknown>][] = [
  ['its worker was silent for too long', fallSilent],
  // The run still has this worker's lease: the other worker has not claimed it yet.
  ['its job is in other hands', handedOutAgain],
  [
    'another worker has claimed it',
    async () => {
      expect(
        await claimRuns(database.db, [await handedOutAgain()], { worker: 'there', refused: false }),
      ).toHaveLength(1)
    },
  ],
  ['it has another job', () => set(sql`job_id = gen_random_uuid()`)],
  ['another process has ended it', () => set(sql`state = 'stopped', finished_at = now()`)],
]
const set = (change: RawBuilder<unknown>) =>
  sql`update runs set ${change} where id = ${lease.run_id}`.execute(database.db)

describe.each(losses)('a run of which %s', (_why, lose) => {
  test.each(transitions)(
    'no longer belongs to its former worker: %s changes nothing',
    async (_what, leave) => {
      await lose()
      const before = await stored()
      await expect(leave()).rejects.toThrow(LeaseLost)
      expect(await stored()).toEqual(before)
    },
  )
})

test.each(transitions)('a worker with a valid lease can end the run: %s', async (_what, leave) => {
  await leave()
  const { rows } = await sql<{ state: string }>`
    select state from pgboss.job where id = ${lease.job_id}`.execute(database.db)
  expect(rows).toEqual([{ state: 'completed' }])
})

const reassignments: [string, () => Promise<void>][] = [
  ['next attempt', () => retryLater(active, again)],
  ['release', () => release(active, { counts: true, message: 'Late' })],
  ['refusal', () => releaseRefused(active, { pause_seconds: 1, reason: 'Full', is_first: true })],
]

test.each(reassignments)('a run with a stop request is stopped, not reassigned: %s', async (_what, leave) => {
  await set(sql`state = 'stopping', stop_asked_by = 'ben@example.com'`)
  await leave()
  const { rows, log } = await stored()
  expect(rows).toMatchObject([{ run: { state: 'stopped', finished_at: expect.any(String) } }])
  expect(log.at(-1)).toBe('WARNING Stopped by ben@example.com')
})

test('an older delivery, another job or the job of an ended run claims nothing', async () => {
  const { db } = database
  const older = lease
  const newer = await handedOutAgain()
  expect(newer).toEqual({ ...older, job_retry: 1 })
  expect(await claimRuns(db, [newer], { worker: 'there', refused: false })).toMatchObject([
    { redeliveries: 1, lease: newer },
  ])
  expect(await claimRuns(db, [older, newer], { worker: 'here', refused: false })).toEqual([])
  expect(
    await claimRuns(db, [{ ...newer, job_id: randomUUID(), job_retry: 2 }], {
      worker: 'here',
      refused: false,
    }),
  ).toEqual([])
  await set(sql`state = 'stopped', finished_at = now()`)
  expect(await claimRuns(db, [{ ...newer, job_retry: 2 }], { worker: 'here', refused: false })).toEqual([])
})
