import { describe, expect, test } from 'vitest'
import { databasePerTest } from '../../../test/fixtures/database.ts'
import { addTasks, done, handlerOf, logOf, runOf, startEngine } from '../../../test/fixtures/engine.ts'
import { aRun } from '../../../test/fixtures/factories.ts'
import { queueRun } from '../../../test/fixtures/run-requests.ts'
import { until } from '../../../test/processes/processes.ts'
import { taskStates } from '../tasks/list/task-states.ts'
import { readQuotaBacklog } from './quota-backlog.ts'
import { RunFailure } from './types.ts'
import { type QueuedRun, waitOf } from './waits.ts'

const now = new Date('2026-11-22T04:00:00Z')
const later = (seconds: number) => new Date(now.getTime() + seconds * 1000)

describe('of several obstacles the first is shown', () => {
  const run: QueuedRun = {
    id: 10,
    attempts: 1,
    is_due: true,
    is_attended: true,
    not_before: later(45),
    error: 'Google could not answer (500).',
    inputs: [],
    key_taken_by: null,
  }
  const gate = {
    name: 'Catalogue',
    live_prerequisites: [],
    at_work: 0,
    allowed_concurrent_tasks: 2,
    queue_delay_seconds: 0,
    last_admitted_at: null,
  }
  const full = { ...gate, at_work: 2 }
  const ahead = { ...full, live_prerequisites: [{ type: 'Prices', first_run: 9 }] }
  const taken = { ...run, key_taken_by: 'Shop' }
  const spaced = { ...gate, queue_delay_seconds: 30, last_admitted_at: later(-5) }
  test.each([
    [
      'retry',
      { ...taken, is_due: false },
      ahead,
      { at: later(45).toISOString(), attempt: 2, error: run.error },
      false,
    ],
    ['worker', { ...taken, is_attended: false }, ahead, {}, false],
    ['prerequisites', taken, ahead, { types: ['Prices'] }, false],
    ['prerequisites', { ...taken, inputs: ['Supplier prices'] }, ahead, { types: ['Prices'] }, false],
    ['inputs', { ...taken, inputs: ['A', 'B', 'C', 'D'] }, full, { tasks: ['A', 'B', 'C'], more: 1 }, false],
    ['exclusive', taken, full, { task: 'Shop' }, false],
    ['slot', run, full, { type: 'Catalogue', at_work: 2, slots: 2 }, true],
    ['delay', run, spaced, { type: 'Catalogue', until: later(25).toISOString() }, true],
    ['turn', run, gate, {}, true],
    ['turn', { ...run, id: 8 }, { ...ahead, at_work: 0 }, {}, true],
  ])('%s', (what, queued, at, details, is_ordered) => {
    expect(waitOf(queued, at, now)).toEqual({ wait: { for: what, ...details }, is_ordered })
  })
})

const database = databasePerTest()

const waitsOf = async (task_id: number) =>
  (
    await database.db
      .selectFrom('runs')
      .select('waits')
      .where('task_id', '=', task_id)
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
  ).waits
const stateOf = async (task: number) => {
  const state = (await taskStates(database.db, [task])).get(task)
  return { waits_for: state?.waits_for, place: state?.place }
}

test('queued runs show why they wait and their position, by the rules of admission', async () => {
  const { db } = database
  const gate = Promise.withResolvers<void>()
  const handler = handlerOf(async () => {
    await gate.promise
    return done
  })
  const { type_id: prices, task_ids: before } = await addTasks(db, 1, { name: 'Prices' })
  const { type_id: catalogue, task_ids: after } = await addTasks(db, 1, { name: 'Catalogue' })
  const { task_ids: busy } = await addTasks(db, 4, { name: 'Stock', allowed_concurrent_tasks: 2 })
  await db
    .insertInto('task_type_dependencies')
    .values({ task_type_id: catalogue, depends_on_id: prices, condition: 'success', position: 0 })
    .execute()
  for (const id of [...before, ...after, ...busy]) await queueRun(db, [handler], id)
  expect(await stateOf(busy[0] ?? 0)).toEqual({ waits_for: { for: 'worker' }, place: null })

  await startEngine(database, [handler])
  await until('the line stands', async () => (await stateOf(busy[3] ?? 0)).place === 2)
  const slot = { for: 'slot', type: 'Stock', at_work: 2, slots: 2 }
  expect(await stateOf(busy[2] ?? 0)).toEqual({ waits_for: slot, place: 1 })
  expect(await stateOf(busy[3] ?? 0)).toEqual({ waits_for: slot, place: 2 })
  expect(await stateOf(after[0] ?? 0)).toEqual({
    waits_for: { for: 'prerequisites', types: ['Prices'] },
    place: null,
  })
  gate.resolve()
  for (const id of [...before, ...after, ...busy]) await runOf(db, id, ['success'])
  expect(await stateOf(busy[3] ?? 0)).toEqual({ waits_for: null, place: null })
})

test('a run that waits for its next attempt shows when and why', async () => {
  const { db } = database
  const handler = handlerOf(() => Promise.reject(new RunFailure('Google is busy.', { retryable: true })))
  const { task_ids } = await addTasks(db, 1, { max_retries: 1, retry_delay_seconds: 300 })
  const [task = 0] = task_ids
  await queueRun(db, [handler], task)
  await startEngine(database, [handler])
  await until('it waits', async () => (await stateOf(task)).waits_for?.for === 'retry')
  expect((await stateOf(task)).waits_for).toMatchObject({ attempt: 2, error: 'Google is busy.' })
})

test('a running run shows the longest of its waits until it continues', async () => {
  const { db } = database
  const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const handler = handlerOf(async ({ wait }) => {
    const over = wait({ for: 'quota', service: 'Google', ms: 60_000 })
    const sooner = wait({ for: 'backoff', reason: 'Google could not answer (500).', ms: 8_000 })
    await gates[0]?.promise
    over()
    await gates[1]?.promise
    sooner()
    await gates[2]?.promise
    return done
  })
  const { task_ids } = await addTasks(db, 1)
  const [task = 0] = task_ids
  await startEngine(database, [handler])
  await queueRun(db, [handler], task)
  const waits = (kind: string | undefined) =>
    until(`it waits for ${kind}`, async () => {
      const { waits_for } = await stateOf(task)
      return waits_for !== undefined && waits_for?.for === kind
    })
  await waits('quota')
  expect((await stateOf(task)).waits_for).toMatchObject({ service: 'Google' })
  gates[0]?.resolve()
  await waits('backoff')
  gates[1]?.resolve()
  await until('it goes on', async () => (await stateOf(task)).waits_for === null)
  gates[2]?.resolve()
  await runOf(db, task, ['success'])
  // The history of the run keeps both, one after the other.
  expect(await waitsOf(task)).toEqual([
    { for: 'quota', from: expect.any(String), to: expect.any(String) },
    { for: 'backoff', from: expect.any(String), to: expect.any(String) },
  ])
})

test('the time between two attempts of a run stays in its history', async () => {
  const { db } = database
  let attempts = 0
  const handler = handlerOf(async () => {
    attempts += 1
    if (attempts === 1) throw new RunFailure('Google is busy.', { retryable: true })
    return done
  })
  const { task_ids } = await addTasks(db, 1, { max_retries: 1, retry_delay_seconds: 1 })
  const [task = 0] = task_ids
  await queueRun(db, [handler], task)
  await startEngine(database, [handler])
  await until('it waits', async () => (await stateOf(task)).waits_for?.for === 'retry')
  expect(await waitsOf(task)).toEqual([{ for: 'retry', from: expect.any(String), to: null }])
  await runOf(db, task, ['success'])
  expect(await waitsOf(task)).toEqual([{ for: 'retry', from: expect.any(String), to: expect.any(String) }])
})

test('a quota backlog counts the runs that wait for the quota, the runs queued behind them and their requests', async () => {
  const { db } = database
  const { task_ids, type_id } = await addTasks(db, 12)
  const { task_ids: others } = await addTasks(db, 1, { name: 'Another type' })
  const soon = new Date(Date.now() + 30_000).toISOString()
  const wait = JSON.stringify({ for: 'quota', service: 'Google', until: soon, requests: 3 })
  expect(await readQuotaBacklog(db, 'sync')).toBeNull()
  const minutes = (count: number) => new Date(Date.now() - count * 60_000)
  for (const [index, id] of task_ids.entries()) {
    const fields =
      index < 4
        ? { state: 'success' as const, started_at: minutes(2), finished_at: minutes(1) }
        : index === 4
          ? { state: 'running' as const, job_retry: 0, wait }
          : {}
    await aRun(db, id, { task_type_id: type_id, ...fields })
  }
  await aRun(db, others[0] ?? 0)
  // A finished run is not counted.
  expect(await readQuotaBacklog(db, 'sync')).toEqual({ service: 'Google', runs: 8, requests: 3 })
})

test('a warning is logged once a run; acknowledged, it leaves later runs a Success until it changes', async () => {
  const { db } = database
  let subject = 'B7'
  let attempts = 0
  const handler = handlerOf(async ({ warn }) => {
    attempts += 1
    await warn({ kind: 'error-cells', subject, message: `1 cell (${subject}) with #N/A` })
    await warn({ kind: 'error-cells', subject, message: `1 cell (${subject}) with #N/A` })
    if (attempts === 1) throw new RunFailure('Again.', { retryable: true })
    return done
  })
  const { task_ids } = await addTasks(db, 1, { max_retries: 1 })
  const [task = 0] = task_ids
  await startEngine(database, [handler])
  const run = async (state: 'success' | 'warning') => {
    await queueRun(db, [handler], task)
    const { id } = await runOf(db, task, [state])
    return id
  }
  await run('warning')
  const logged = await logOf(db, task)
  expect(logged.filter((line) => line.includes('#N/A'))).toEqual(['WARNING 1 cell (B7) with #N/A'])
  const state = (await taskStates(db, [task])).get(task)
  expect(state).toMatchObject({ state: 'warning', run_warnings: [{ acknowledged: null }] })
  const [warning] = state?.run_warnings ?? []
  const acknowledge = () =>
    db
      .insertInto('acknowledged_warnings')
      .values({ task_id: task, warning_id: warning?.id ?? '', acknowledged_by: 'ada@example.com' })
      .execute()
  await acknowledge()
  expect((await taskStates(db, [task])).get(task)).toMatchObject({ state: 'success' })
  await run('success')
  subject = 'B8'
  await run('warning')
  // Its acknowledgement was deleted when the warning disappeared, so it is new.
  subject = 'B7'
  await run('warning')
})
