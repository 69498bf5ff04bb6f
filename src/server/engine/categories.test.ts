import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { databasePerTest } from '../../../test/fixtures/database.ts'
import { addTasks, done, handlerOf, logOf, runOf, startEngine } from '../../../test/fixtures/engine.ts'
import { queueRun } from '../../../test/fixtures/run-requests.ts'
import { until } from '../../../test/processes/processes.ts'
import { RunFailure, type RunHandler } from './types.ts'
import { countWorkers } from './workers.ts'

const worker = { roles: ['worker'] as const }

const database = databasePerTest()

const sync = handlerOf(async () => done)
const source = handlerOf(async () => done, { category: 'source' })

test('a run of a category without a handler in any worker is queued and shows what it waits for', async () => {
  const { db } = database
  const { task_ids } = await addTasks(db, 1, { name: 'Prices', category: 'source' })
  const [task = 0] = task_ids
  expect(await queueRun(db, [sync], task)).toMatchObject({ ok: true })
  await db.updateTable('runs').set({ not_before: sql<Date>`now() - interval '11 seconds'` }).execute()
  await startEngine(database, [sync])
  const waits = 'WARNING No worker for source tasks is running. The run waits for one.'
  await until('the log tells it', async () => (await logOf(db, task)).length > 0)
  expect(await logOf(db, task)).toEqual([waits])
  expect(await runOf(db, task, ['queued'])).toMatchObject({ job_id: null, attempts: 0 })
  expect(await countWorkers(db, 'source')).toBe(0)

  await startEngine(database, [sync, source], worker)
  expect(await runOf(db, task)).toMatchObject({ state: 'success', definition: { task_id: task } })
  expect(await logOf(db, task)).toEqual([
    waits,
    'INFO Run started, requested by ada@example.com',
    'SUCCESS Done',
  ])
})

test('during an upgrade, a worker without the handler leaves the run to one that has it', async () => {
  const { db } = database
  const sources = await addTasks(db, 12, { name: 'Prices', category: 'source', allowed_concurrent_tasks: 12 })
  const copies = await addTasks(db, 12, { name: 'Copy', allowed_concurrent_tasks: 12 })
  const ran: string[] = []
  const noting = (program: string, category: RunHandler['category']) =>
    handlerOf(
      async () => {
        ran.push(`${program} ${category}`)
        return done
      },
      { category },
    )
  const old_program = [noting('old', 'sync')]
  const new_program = [noting('new', 'sync'), noting('new', 'source')]
  await startEngine(database, old_program, { concurrency: 20 })
  await startEngine(database, new_program, { ...worker, concurrency: 20 })
  for (const task_id of [...sources.task_ids, ...copies.task_ids]) await queueRun(db, old_program, task_id)
  for (const task of [...sources.task_ids, ...copies.task_ids])
    expect(await runOf(db, task)).toMatchObject({ state: 'success', attempts: 1, redeliveries: 0 })
  expect(ran.filter((line) => line === 'new source')).toHaveLength(12)
  expect(ran.filter((line) => line.endsWith('sync'))).toHaveLength(12)
  expect(ran).not.toContain('old source')
})

test('a busy category does not take the slots of another one', async () => {
  const { db } = database
  const copies = await addTasks(db, 20, { name: 'Copy', allowed_concurrent_tasks: 20 })
  const sources = await addTasks(db, 1, { name: 'Prices', category: 'source' })
  const ran: string[] = []
  const noting = (category: RunHandler['category']) =>
    handlerOf(
      async () => {
        ran.push(category)
        return done
      },
      { category },
    )
  const handlers = [noting('sync'), noting('source')]
  const all = [...copies.task_ids, ...sources.task_ids]
  for (const task_id of all) await queueRun(db, handlers, task_id)
  await startEngine(database, handlers, { concurrency: 1 })
  for (const task of all) await runOf(db, task)
  expect(ran).toHaveLength(21)
  expect(ran.indexOf('source')).toBeLessThan(10)
})

test('an invalid definition read after queueing fails the run with the refusal it would have got when queued', async () => {
  const { db } = database
  const { task_ids } = await addTasks(db, 1, { name: 'Prices', category: 'source' })
  const [task = 0] = task_ids
  const picky: RunHandler = {
    ...source,
    snapshotDefinition: async () => {
      throw new RunFailure('The connection is gone.', { retryable: false })
    },
  }
  await queueRun(db, [], task)
  await startEngine(database, [picky])
  expect(await runOf(db, task)).toMatchObject({ state: 'failed', error: 'The connection is gone.' })
})

test('a run with a definition read after queueing retries while its target is taken', async () => {
  const { db } = database
  const { task_ids } = await addTasks(db, 2, { allowed_concurrent_tasks: 2, retry_delay_seconds: 0 })
  const [first = 0, second = 0] = task_ids
  const gate = Promise.withResolvers<void>()
  const handler = handlerOf(
    async ({ run }) => {
      if (run.task_id === first) await gate.promise
      return done
    },
    { keys: { [first]: 'tab', [second]: 'tab' } },
  )
  await startEngine(database, [handler])
  await queueRun(db, [handler], first)
  await runOf(db, first, ['running'])
  await queueRun(db, [], second)
  await until('the second was refused the target', async () =>
    (await logOf(db, second)).some((line) => line.includes('Another run is working on the same data')),
  )
  gate.resolve()
  const [one, two] = [await runOf(db, first), await runOf(db, second)]
  expect(two).toMatchObject({ state: 'success', exclusive_key: 'tab' })
  expect(two.finished_at?.getTime()).toBeGreaterThanOrEqual(one.finished_at?.getTime() ?? Infinity)
})

test('a worker that shuts down removes its categories at once; those of a dead worker expire', async () => {
  const { db } = database
  const engine = await startEngine(database, [sync, source], worker)
  await until('it is there', async () => (await countWorkers(db, 'source')) === 1)
  await engine.stop()
  expect(await countWorkers(db, 'source')).toBe(0)
  await sql`insert into workers (id, name, categories, seen_at)
    values (gen_random_uuid(), 'dead', '{sync}', now() - interval '16 seconds')`.execute(db)
  expect(await countWorkers(db, 'sync')).toBe(0)
})
