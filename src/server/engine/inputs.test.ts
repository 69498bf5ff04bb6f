import { describe, expect, test } from 'vitest'
import { depend, done, handlerOf, logOf, runOf, startEngine } from '../../../test/fixtures/engine.ts'
import { aConfig, aCopy, aSourceTask, aSyncTask, aType } from '../../../test/fixtures/factories.ts'
import { byAda, queuePipeline, queueRun, stopRun } from '../../../test/fixtures/run-requests.ts'
import { log, minutesAgo, scheduledDatabase, timeOf, zone } from '../../../test/fixtures/schedules.ts'
import { until } from '../../../test/processes/processes.ts'
import { taskStates } from '../tasks/list/task-states.ts'
import { queueEachIn } from './queue-run.ts'
import { recordDue } from './schedule/record-due.ts'
import { startDue } from './schedule/start-due.ts'
import { RunFailure, type RunHandler, type RunResult } from './types.ts'

const { database, lastLook } = scheduledDatabase()

/** A source, a compile of it and a copy of that, whose types have no dependencies. Ids in the order of their names. */
async function pipeline() {
  const { db } = database
  const copyType = await aType(db)
  const source = await aSourceTask(db, { name: 'Supplier prices' })
  const config = await aConfig(db, { name: 'Merged' })
  await db
    .insertInto('compiler_sources')
    .values({ compiler_config_id: config.id, source_task_id: source.id, position: 0, is_master: true })
    .execute()
  const copy = await aSyncTask(db, {
    name: 'Web shop',
    task_type_id: copyType.id,
    definition: { source_type: 'internal', source_ss_id: '', source_compiler_config_id: config.id },
  })
  for (const task of [source.id, config.task_id]) await aCopy(db, task, ['SKU'], [['1']])
  return { source: source.id, compile: config.task_id, copy: copy.id, config, copyType }
}

/** Handlers of all categories that call this for each task. */
const handlersOf = (run: (task_id: number) => Promise<RunResult>): RunHandler[] =>
  (['source', 'compiler', 'sync'] as const).map((category) =>
    handlerOf((context) => run(context.run.task_id), { category }),
  )
const handlers = handlersOf(async () => done)

const queueTogether = (task_ids: readonly number[]) =>
  database.db.transaction().execute((trx) =>
    queueEachIn(
      trx,
      handlers,
      task_ids.map((task_id) => ({ task_id, trigger: byAda })),
    ),
  )
const waitOf = async (task: number) => (await taskStates(database.db, [task])).get(task)?.waits_for
const inOrder = async () =>
  (await database.db.selectFrom('runs').select('task_id').orderBy('id').execute()).map(
    ({ task_id }) => task_id,
  )

describe('a run waits for runs of the tasks whose rows it reads that were queued before it or together with it', () => {
  /** The order in which the three are queued, for any requested order. */
  const ways: [string, (tasks: number[]) => Promise<unknown>][] = [
    ['together, the last first', (tasks) => queueTogether(tasks.toReversed())],
    ['by Run pipeline', () => queuePipeline(database.db, handlers)],
    [
      'by hand, one after the other',
      async (tasks) => {
        for (const task of tasks) await queueRun(database.db, handlers, task)
      },
    ],
  ]
  test.each(ways)('%s', async (_, queue) => {
    const { db } = database
    const { source, compile, copy } = await pipeline()
    await queue([source, compile, copy])
    expect(await inOrder()).toEqual([source, compile, copy])
    const order: number[] = []
    const gates = new Map([source, compile, copy].map((task) => [task, Promise.withResolvers<void>()]))
    await startEngine(
      database,
      handlersOf(async (task) => {
        order.push(task)
        await gates.get(task)?.promise
        return done
      }),
    )
    await until('the source is at work', () => order.length === 1)
    expect(await waitOf(compile)).toEqual({ for: 'inputs', tasks: ['Supplier prices'], more: 0 })
    expect(await waitOf(copy)).toEqual({ for: 'inputs', tasks: ['Merged'], more: 0 })
    gates.get(source)?.resolve()
    await until('the compile is at work', () => order.length === 2)
    gates.get(compile)?.resolve()
    gates.get(copy)?.resolve()
    expect((await runOf(db, copy)).state).toBe('success')
    expect(order).toEqual([source, compile, copy])
  })

  test('by a schedule, whatever batches it starts them in', async () => {
    const { db } = database
    const { source, compile, copy } = await pipeline()
    const others = await Promise.all(Array.from({ length: 60 }, () => aSyncTask(db)))
    // There is more than one batch between a reader and its input.
    const tasks = [copy, ...others.map(({ id }) => id), compile, source]
    const due = { scheduled_times: [timeOf(minutesAgo(2))] }
    await db.updateTable('tasks').set(due).where('id', 'in', tasks).execute()
    // As if they had had this schedule for a long time.
    await db
      .updateTable('tasks')
      .set({ scheduled_since: new Date(0) })
      .execute()
    await lastLook(5)
    await recordDue(db, zone)
    await startDue({ db, handlers, log, zone })
    const order = await inOrder()
    expect(order).toHaveLength(tasks.length)
    expect(order.indexOf(source)).toBeLessThan(order.indexOf(compile))
    expect(order.indexOf(compile)).toBeLessThan(order.indexOf(copy))
    expect(await waitOf(copy)).toMatchObject({ for: 'worker' })
  })
})

test('chains of internal sources wait for each other in order', async () => {
  const { db } = database
  const first = await aSourceTask(db)
  const internal = (origin_task_id: number) =>
    aSourceTask(db, { definition: { source_type: 'internal', origin_task_id } })
  const second = await internal(first.id)
  const third = await internal(second.id)
  await queueTogether([third.id, second.id, first.id])
  const order: number[] = []
  await startEngine(
    database,
    handlersOf(async (task) => {
      order.push(task)
      return done
    }),
  )
  expect((await runOf(db, third.id)).state).toBe('success')
  expect(order).toEqual([first.id, second.id, third.id])
})

test.each([
  ['fails', () => Promise.reject(new RunFailure('Closed.', { retryable: false })), 'failed'],
  ['breaks', () => Promise.reject(new Error('A fault of the test')), 'error'],
] as const)(
  'an input %s: the run continues with the last good rows and ends as a Warning that names the input',
  async (_, fail, state) => {
    const { db } = database
    const { source, compile, copy } = await pipeline()
    await queueTogether([copy, compile, source])
    await startEngine(
      database,
      handlersOf((task) => (task === source ? fail() : Promise.resolve(done))),
    )
    expect((await runOf(db, source)).state).toBe(state)
    const message = 'Supplier prices failed before this run, which used its last good rows.'
    expect(await runOf(db, compile)).toMatchObject({ state: 'warning', warnings: [{ message }] })
    expect(await logOf(db, compile)).toContain(`WARNING ${message}`)
    // The compile itself has succeeded, so its reader has no warning.
    expect(await runOf(db, copy)).toMatchObject({ state: 'success' })
  },
)

test('with a dependency of condition success the run is refused instead', async () => {
  const { db } = database
  const sources = await aType(db, { category: 'source' })
  const { source, copy, copyType } = await pipeline()
  await db.updateTable('tasks').set({ task_type_id: sources.id }).where('id', '=', source).execute()
  await depend(db, copyType.id, sources.id, 'success')
  await queuePipeline(database.db, handlers)
  await startEngine(
    database,
    handlersOf((task) =>
      task === source
        ? Promise.reject(new RunFailure('Closed.', { retryable: false }))
        : Promise.resolve(done),
    ),
  )
  expect(await runOf(db, copy)).toMatchObject({
    state: 'failed',
    error: 'Prerequisite not met: Supplier prices (failed)',
  })
})

test('a run continues when an input that it waits for is stopped; an input without rows is not mentioned', async () => {
  const { db } = database
  const { source, compile, copy } = await pipeline()
  await db.updateTable('tasks').set({ snapshot_id: null }).where('id', '=', compile).execute()
  await queueTogether([source, compile, copy])
  await stopRun(db, source)
  await stopRun(db, compile)
  await startEngine(database, handlers)
  expect(await runOf(db, copy)).toMatchObject({ state: 'success', warnings: [] })
  await queueTogether([source, compile])
  await stopRun(db, source)
  const message = 'Supplier prices was stopped before this run, which used its last good rows.'
  expect(await runOf(db, compile, ['warning'])).toMatchObject({ warnings: [{ message }] })
})

test("a run waits for an input's next attempt; an input that succeeded since its failure gives no warning", async () => {
  const { db } = database
  const { source, compile } = await pipeline()
  const type = await aType(db, { category: 'source', max_retries: 1, retry_delay_seconds: 0 })
  await db.updateTable('tasks').set({ task_type_id: type.id }).where('id', '=', source).execute()
  let attempts = 0
  const begun: number[] = []
  await queueTogether([compile, source])
  await startEngine(
    database,
    handlersOf(async (task) => {
      begun.push(task)
      if (task !== source) return done
      attempts += 1
      if (attempts === 1) throw new RunFailure('Busy.', { retryable: true })
      return done
    }),
  )
  expect(await runOf(db, compile)).toMatchObject({ state: 'success', warnings: [] })
  expect(begun).toEqual([source, source, compile])
})

test('a run continues when an input that it waits for is deleted', async () => {
  const { db } = database
  const { source, compile, config } = await pipeline()
  await queueTogether([source, compile])
  await db.deleteFrom('compiler_sources').where('compiler_config_id', '=', config.id).execute()
  await stopRun(db, source)
  await db.deleteFrom('tasks').where('id', '=', source).execute()
  await startEngine(database, handlers)
  expect(await runOf(db, compile)).toMatchObject({ state: 'success', warnings: [] })
})

test('contradicting types and inputs never cause a deadlock', async () => {
  const { db } = database
  const { source, compile, copy, copyType } = await pipeline()
  const sources = await aType(db, { category: 'source' })
  await db.updateTable('tasks').set({ task_type_id: sources.id }).where('id', '=', source).execute()
  // Sources after copies, which read the compile of these sources.
  await depend(db, sources.id, copyType.id, 'completion')
  await queueTogether([source, compile, copy])
  const rows = await db.selectFrom('runs').select(['id', 'input_run_ids']).execute()
  expect(rows.every(({ id, input_run_ids }) => input_run_ids.every((input) => input < id))).toBe(true)
  await startEngine(database, handlers)
  for (const task of [source, compile, copy]) expect((await runOf(db, task)).state).toBe('success')
})
