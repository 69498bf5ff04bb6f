import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../test/database.ts'
import { addTasks, by_ada, done, engineOn, jobOf, logOf, runOf } from '../../../test/engine.ts'
import type { Engine } from './engine.ts'
import { queueRun } from './queue-run.ts'
import type { Job } from './types.ts'

let database: TestDatabase
const engines: Engine[] = []

beforeEach(async () => {
  database = await testDatabase()
})
afterEach(async () => {
  await Promise.all(engines.splice(0).map((engine) => engine.stop()))
})

async function start(jobs: Job[], options?: Parameters<typeof engineOn>[2]): Promise<Engine> {
  const engine = engineOn(database, jobs, options)
  engines.push(engine)
  await engine.start()
  return engine
}

describe('a run', () => {
  test('goes from queued to success and leaves its log, its message and its receipt', async () => {
    const { db } = database
    const { task_ids } = await addTasks(db, 1)
    const engine = await start([
      jobOf(async (context) => {
        await context.assertClaim()
        await context.progress({ phase: 'Reading', rows_done: 5, rows_total: 10 })
        await context.log('INFO', 'Read 5 rows')
        return { outcome: 'success', message: 'Copied 5 rows', receipt: { rows: 5 } }
      }),
    ])
    const [task = 0] = task_ids
    const queued = await engine.queueRun({ taskId: task, trigger: by_ada })
    const run = await runOf(db, task)
    expect(run).toMatchObject({
      state: 'success',
      message: 'Copied 5 rows',
      receipt: { rows: 5 },
      attempts: 1,
    })
    expect(queued).toEqual({ ok: true, run_id: run.id })
    expect(await logOf(db, task)).toEqual([
      'INFO Run started, asked for by ada@example.com',
      'INFO Read 5 rows',
      'SUCCESS Copied 5 rows',
    ])
  })

  test('is one however many ask for it at the same time', async () => {
    const { db } = database
    const { task_ids } = await addTasks(db, 1)
    const [task = 0] = task_ids
    const asked = await Promise.all(
      Array.from({ length: 50 }, () =>
        queueRun(db, [jobOf(async () => done)], { taskId: task, trigger: by_ada }),
      ),
    )
    expect(asked.filter(({ ok }) => ok)).toHaveLength(1)
    expect(asked.filter((reply) => !reply.ok && reply.reason === 'live')).toHaveLength(49)
    const runs = await db.selectFrom('runs').select('id').execute()
    expect(runs).toHaveLength(1)
  })
})
