import { expect, test } from 'vitest'
import { testDatabase } from '../../../test/database.ts'
import { addTasks, engineProcess, logOf, queueSteps, runOf, stepsOf } from '../../../test/engine.ts'
import { until } from '../../../test/processes.ts'

test('a run whose worker is killed is taken over within 30 s and goes on where it was', {
  timeout: 60_000,
}, async () => {
  const database = await testDatabase()
  const { db } = database
  const first = await engineProcess(database, 'worker,scheduler', 1)
  const { task_ids } = await addTasks(db, 1)
  const [task = 0] = task_ids
  await queueSteps(db, task, 20)
  const { id } = await runOf(db, task, ['running'])
  await until('the first worker is at work', async () => (await stepsOf(db, id)).length >= 3)
  await first.end('SIGKILL')
  const killed_at = performance.now()
  const done_before = (await stepsOf(db, id)).length
  const second = await engineProcess(database, 'worker,scheduler', 1)
  await until('the second worker is at work', async () => (await stepsOf(db, id)).length > done_before, 30)
  expect(performance.now() - killed_at).toBeLessThan(30_000)
  expect(await runOf(db, task)).toMatchObject({ state: 'success', attempts: 1, takeovers: 1 })
  const steps = await stepsOf(db, id)
  expect(steps.map(({ step }) => step)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1))
  expect(steps.slice(done_before).every(({ pid }) => pid === second.pid)).toBe(true)
  expect(await logOf(db, task)).toEqual([
    'INFO Run started, asked for by ada@example.com',
    'INFO A worker fell silent; another one goes on with the run',
    'SUCCESS 20 steps',
  ])
  await second.end()
})
