import { expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../fixtures/database.ts'
import {
  addTasks,
  done,
  engineProcess,
  handlerOf,
  logOf,
  queueSteps,
  runOf,
  startEngine,
  stepsOf,
} from '../fixtures/engine.ts'
import { stopRun } from '../fixtures/run-requests.ts'
import { until } from '../processes/processes.ts'

const all = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

async function atWork(database: TestDatabase, steps: number, settings: Parameters<typeof addTasks>[2] = {}) {
  const { db } = database
  const { task_ids } = await addTasks(db, 1, settings)
  const [task = 0] = task_ids
  await queueSteps(db, task, steps)
  const { id } = await runOf(db, task, ['running'])
  await until('a worker is at work', async () => (await stepsOf(db, id)).length >= 3)
  return { task, id }
}

test('a worker that sleeps past its heartbeat and wakes up changes nothing', async () => {
  const database = await testDatabase()
  const { db } = database
  const scheduler = await engineProcess(database, 'scheduler')
  const sleeper = await engineProcess(database, 'worker', 1)
  const { task, id } = await atWork(database, 100)
  sleeper.kill('SIGSTOP')
  const other = await engineProcess(database, 'worker', 1)
  await until(
    'the other worker is at work',
    async () => (await stepsOf(db, id)).at(-1)?.pid === other.pid,
    30,
  )
  sleeper.kill('SIGCONT')
  expect(await runOf(db, task)).toMatchObject({ state: 'success', redeliveries: 1 })
  const steps = await stepsOf(db, id)
  expect(steps.map(({ step }) => step)).toEqual(all(100))
  const handover = steps.findIndex(({ pid }) => pid === other.pid)
  expect(steps.slice(handover).every(({ pid }) => pid === other.pid)).toBe(true)
  // The resumed worker continues to work and may execute the next run.
  await queueSteps(db, task, 3)
  await runOf(db, task, ['success'])
  await Promise.all([scheduler.end(), sleeper.end(), other.end()])
})

test('a worker that shuts down releases its run at once without a redelivery', async () => {
  const database = await testDatabase()
  const { db } = database
  const first = await engineProcess(database, 'worker,scheduler', 1)
  const { task, id } = await atWork(database, 40)
  const second = await engineProcess(database, 'worker,scheduler', 1)
  const told_at = performance.now()
  expect(await first.end('SIGTERM')).toEqual({ code: 0, signal: null })
  expect(performance.now() - told_at).toBeLessThan(10_000)
  expect(await runOf(db, task)).toMatchObject({ state: 'success', redeliveries: 0, attempts: 1 })
  expect((await stepsOf(db, id)).map(({ step }) => step)).toEqual(all(40))
  expect(await logOf(db, task)).toEqual([
    'INFO Run started, requested by ada@example.com',
    'INFO The worker shuts down; another resumes the run.',
    'INFO A worker resumed the run.',
    'SUCCESS 40 steps',
  ])
  await second.end()
})

test('a run that kills three workers ends as Error', async () => {
  const database = await testDatabase()
  const { db } = database
  const scheduler = await engineProcess(database, 'scheduler')
  let worker = await engineProcess(database, 'worker', 1)
  const { task, id } = await atWork(database, 300)
  for (const _life of [1, 2]) {
    await worker.end('SIGKILL')
    worker = await engineProcess(database, 'worker', 1)
    await until(
      'the next worker is at work',
      async () => (await stepsOf(db, id)).at(-1)?.pid === worker.pid,
      30,
    )
  }
  await worker.end('SIGKILL')
  worker = await engineProcess(database, 'worker', 1)
  expect(await runOf(db, task)).toMatchObject({ state: 'error', redeliveries: 3 })
  expect((await logOf(db, task)).at(-1)).toBe(
    'ERROR Given up after 3 lost workers. The server log may say why.',
  )
  await Promise.all([scheduler.end(), worker.end()])
})

test('a run of a dead worker can be stopped without another worker', async () => {
  const database = await testDatabase()
  const { db } = database
  const scheduler = await engineProcess(database, 'scheduler')
  const worker = await engineProcess(database, 'worker', 1)
  const { task } = await atWork(database, 300)
  await worker.end('SIGKILL')
  expect(await stopRun(db, task)).toBe('stopping')
  expect(await runOf(db, task)).toMatchObject({ state: 'stopped' })
  expect((await logOf(db, task)).at(-1)).toBe('WARNING Stopped by bob@example.com')
  await scheduler.end()
})

test('a handler that does not return does not prevent its process from ending, and its run is redelivered', async () => {
  const database = await testDatabase()
  const { db } = database
  const { task_ids } = await addTasks(db, 1)
  const [task = 0] = task_ids
  const began = Promise.withResolvers<void>()
  const deaf = await startEngine(database, [
    handlerOf(async () => {
      began.resolve()
      return new Promise(() => {})
    }),
  ])
  await deaf.queueRun(task)
  await began.promise
  const told_at = performance.now()
  await deaf.stop()
  expect(performance.now() - told_at).toBeLessThan(10_000)
  await startEngine(database, [handlerOf(async () => done)])
  expect(await runOf(db, task)).toMatchObject({ state: 'success', redeliveries: 1 })
})
