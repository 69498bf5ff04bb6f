import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { databasePerTest } from '../../../test/fixtures/database.ts'
import {
  addTasks,
  depend,
  done,
  handlerOf,
  logOf,
  runOf,
  startEngine,
} from '../../../test/fixtures/engine.ts'
import { queueRun } from '../../../test/fixtures/run-requests.ts'
import { taskStates } from '../tasks/list/task-states.ts'
import { unmetPrerequisites } from './prerequisites.ts'
import { RunFailure, type RunHandler } from './types.ts'

const database = databasePerTest()

test.each([
  ['success', 'success', true, null],
  ['success', 'warning', true, null],
  ['success', 'failed', true, 'Prices (failed)'],
  ['success', 'error', true, 'Prices (error)'],
  ['success', 'stopped', true, 'Prices (stopped)'],
  ['success', null, true, 'Prices (has not run)'],
  ['success', null, false, null],
  ['completion', 'success', true, null],
  ['completion', 'failed', true, null],
  ['completion', 'stopped', true, null],
  ['completion', null, true, 'Prices (has not run)'],
  ['completion', null, false, null],
] as const)('condition %s, last run %s, was due %s: %s', (condition, ended, was_due, unmet) => {
  expect(unmetPrerequisites([{ name: 'Prices', condition, ended, was_due }])).toEqual(unmet ? [unmet] : [])
})

const queueAll = async (handlers: RunHandler[], task_ids: number[]) => {
  for (const task_id of task_ids) await queueRun(database.db, handlers, task_id)
}

test('a run waits for earlier runs of a prerequisite type, across categories', async () => {
  const { db } = database
  const sources = await addTasks(db, 2, { name: 'Prices', category: 'source' })
  const copies = await addTasks(db, 1, { name: 'Copy' })
  await depend(db, copies.type_id, sources.type_id, 'success')
  const order: string[] = []
  const note = (word: string) => async () => {
    order.push(word)
    await delay(50)
    return done
  }
  const handlers = [handlerOf(note('copy')), handlerOf(note('source'), { category: 'source' })]
  const [copy = 0] = copies.task_ids
  await queueAll(handlers, [...sources.task_ids, copy])
  const states = await taskStates(db, [copy])
  expect(states.get(copy)).toMatchObject({ state: 'queued', prerequisites_count: 2 })
  await startEngine(database, handlers)
  expect((await runOf(db, copy)).state).toBe('success')
  expect(order).toEqual(['source', 'source', 'copy'])
  expect((await taskStates(db, [copy])).get(copy)).toMatchObject({ prerequisites_count: 0 })
})

test('of the runs of a type, those queued before a run of a prerequisite type start, and those queued after it wait', async () => {
  const { db } = database
  const sources = await addTasks(db, 1, { name: 'Prices', category: 'source' })
  const copies = await addTasks(db, 2, { name: 'Copy', allowed_concurrent_tasks: 2 })
  await depend(db, copies.type_id, sources.type_id, 'completion')
  let end_source = () => {}
  const held = new Promise<void>((resolve) => {
    end_source = resolve
  })
  const handlers = [
    handlerOf(async () => done),
    handlerOf(() => held.then(() => done), { category: 'source' }),
  ]
  const [source = 0] = sources.task_ids
  const [earlier = 0, later = 0] = copies.task_ids
  await queueAll(handlers, [earlier, source, later])
  await startEngine(database, handlers)
  await runOf(db, source, ['running'])
  await runOf(db, earlier, ['success'])
  expect(await runOf(db, later, ['queued', 'running', 'success'])).toMatchObject({ state: 'queued' })
  end_source()
  const [first, last] = [await runOf(db, source), await runOf(db, later)]
  expect(last.started_at?.getTime()).toBeGreaterThanOrEqual(first.finished_at?.getTime() ?? Infinity)
})

test.each([
  ['success', 'failed', 'Prerequisite not met: Prices 1 (failed)'],
  ['completion', 'success', null],
] as const)('a prerequisite of %s after a failure: the run is %s', async (condition, state, error) => {
  const { db } = database
  const sources = await addTasks(db, 1, { name: 'Prices', category: 'source' })
  const copies = await addTasks(db, 1, { name: 'Copy' })
  await depend(db, copies.type_id, sources.type_id, condition)
  const handlers = [
    handlerOf(async () => done),
    handlerOf(
      async () => {
        throw new RunFailure('The address is gone.', { retryable: false })
      },
      { category: 'source' },
    ),
  ]
  const [copy = 0] = copies.task_ids
  await queueAll(handlers, [...sources.task_ids, copy])
  await startEngine(database, handlers)
  expect(await runOf(db, copy)).toMatchObject({ state, error })
  if (error) expect(await logOf(db, copy)).toEqual([`ERROR ${error}`])
})

test.each(['success', 'completion'] as const)(
  'a task that was due and never ran blocks a %s, and is counted and named; a task that was never due does not block',
  async (condition) => {
    const { db } = database
    const sources = await addTasks(db, 3, { name: 'Prices', category: 'source' })
    const copies = await addTasks(db, 1, { name: 'Copy' })
    await depend(db, copies.type_id, sources.type_id, condition)
    const [due = 0, inactive = 0] = sources.task_ids
    const missed = { schedule: 'type', due_at: new Date(), last_due_at: new Date(), stage: 0 } as const
    await db
      .insertInto('due_moments')
      .values([due, inactive].map((task_id) => ({ ...missed, task_id, outcome: 'missed' as const })))
      .execute()
    await db.updateTable('tasks').set({ is_active: false }).where('id', '=', inactive).execute()
    const [copy = 0] = copies.task_ids
    expect((await taskStates(db, [copy])).get(copy)).toMatchObject({ prerequisites_count: 1 })
    const handlers = [handlerOf(async () => done)]
    await queueAll(handlers, [copy])
    await startEngine(database, handlers)
    expect(await runOf(db, copy)).toMatchObject({
      state: 'failed',
      error: 'Prerequisite not met: Prices 1 (has not run)',
    })
  },
)

test('a pipeline across all categories runs in order: ingest, compile, copy', async () => {
  const { db } = database
  const sources = await addTasks(db, 2, { name: 'Pull', category: 'source', allowed_concurrent_tasks: 2 })
  const compiler = await addTasks(db, 1, { name: 'Compile', category: 'compiler' })
  const copies = await addTasks(db, 2, { name: 'Copy', allowed_concurrent_tasks: 2 })
  await depend(db, compiler.type_id, sources.type_id, 'completion')
  await depend(db, copies.type_id, compiler.type_id, 'success')
  const order: string[] = []
  const noting = (category: RunHandler['category']) =>
    handlerOf(
      async ({ run }) => {
        await delay(30)
        order.push(category)
        if (run.task_id === sources.task_ids[0])
          throw new RunFailure('No such address.', { retryable: false })
        return done
      },
      { category },
    )
  const handlers = [noting('sync'), noting('source'), noting('compiler')]
  const all = [...sources.task_ids, ...compiler.task_ids, ...copies.task_ids]
  await queueAll(handlers, all)
  await startEngine(database, handlers)
  const states = await Promise.all(all.map(async (task) => (await runOf(db, task)).state))
  // Compiling requires the completion of the ingest, copying the success of compiling.
  expect(states).toEqual(['failed', 'success', 'success', 'success', 'success'])
  expect(order).toEqual(['source', 'source', 'compiler', 'sync', 'sync'])
})
