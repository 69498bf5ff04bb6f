import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createDb } from '../../src/server/platform/db.ts'
import { migrate } from '../../src/server/platform/migrate.ts'
import { startPostgres } from '../../src/server/platform/postgres/start-postgres.ts'
import { addTasks, engineProcess, queueSteps, runOf, stepsOf } from '../fixtures/engine.ts'
import { testFolder } from '../fixtures/folders.ts'
import { until } from '../processes/processes.ts'

test.each([
  ['after an outage of three seconds', 3_000, false],
  ['after an outage longer than a heartbeat', 20_000, false],
  ['after a crash', 3_000, true],
])('runs succeed %s of the database', async (_case, outage_ms, crash) => {
  const dataDir = await testFolder()
  let server = await startPostgres({ dataDir })
  const { url } = server
  await migrate({ url })
  const db = createDb({ url })
  const database = { url, db }
  const worker = await engineProcess(database, 'worker,scheduler')
  const { task_ids } = await addTasks(db, 3, { allowed_concurrent_tasks: 2 })
  for (const id of task_ids) await queueSteps(db, id, 30)
  const [first = 0] = task_ids
  const { id } = await runOf(db, first, ['running'])
  await until('a run is at work', async () => (await stepsOf(db, id)).length > 3)

  if (crash) {
    const [pid] = (await readFile(join(dataDir, 'postgres/data/postmaster.pid'), 'utf8')).split('\n')
    process.kill(Number(pid), 'SIGKILL')
    await server.exited
  } else {
    await server.stop()
  }
  await delay(outage_ms)
  server = await startPostgres({ dataDir })
  expect(server.url).toBe(url)

  for (const task_id of task_ids) {
    const run = await runOf(db, task_id)
    expect(run).toMatchObject({ state: 'success', attempts: 1 })
    const steps = await stepsOf(db, run.id)
    expect(steps.map(({ step }) => step)).toEqual(Array.from({ length: 30 }, (_, index) => index + 1))
  }
  await worker.end()
  await db.destroy()
  await server.stop()
})
