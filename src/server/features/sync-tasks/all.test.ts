import { beforeEach, expect, test } from 'vitest'
import { type SignedIn, type TestApp, testApp } from '../../../../test/fixtures/app.ts'
import { handlerOf, startEngine, untilInterrupted } from '../../../../test/fixtures/engine.ts'
import { aRun, aSyncTask, aType } from '../../../../test/fixtures/factories.ts'
import { bulkMessages } from '../../../contract/bulk/client-messages.ts'
import { taskMessages } from '../../../contract/tasks/client-messages.ts'
import { taskServerMessages } from '../../../contract/tasks/server-messages.ts'

const handler = handlerOf(({ signal }) => untilInterrupted(signal))

let app: TestApp
let ada: SignedIn

beforeEach(async () => {
  app = await testApp({ handlers: [handler] })
  ada = await app.signIn('ada@example.com')
})
const post = async (url: string, body?: object) => {
  const reply = await ada.request('POST', url, body)
  return [reply.statusCode, reply.json()]
}

async function statuses(): Promise<Map<number, string>> {
  const { tasks } = (await ada.request('GET', '/api/sync_tasks/status_all')).json()
  return new Map(tasks.map(({ id, task_status }: { id: number; task_status: string }) => [id, task_status]))
}

/** Asks until the answer is yes; the test's own time limit ends it otherwise. */
async function eventually(yes: () => Promise<boolean>) {
  while (!(await yes())) await new Promise((resolve) => setTimeout(resolve, 20))
}

const audited = async (action: string) =>
  (
    await app.db.selectFrom('audit_log').select(['actor', 'details']).where('action', '=', action).execute()
  ).at(-1)

test('execute_all queues every active idle task and returns their number', async () => {
  expect(await post('/api/sync_tasks/execute_all')).toEqual([
    200,
    { status: 'warning', message: bulkMessages.no_tasks_available, started_count: 0, skipped_count: 0 },
  ])
  const [one, two, inactive, live] = await Promise.all([
    aSyncTask(app.db),
    aSyncTask(app.db),
    aSyncTask(app.db, { is_active: false }),
    aSyncTask(app.db),
  ])
  await aRun(app.db, live.id, { state: 'running' })

  expect(await post('/api/sync_tasks/execute_all')).toEqual([
    200,
    { status: 'success', message: taskServerMessages.all_started(2, 2), started_count: 2, skipped_count: 2 },
  ])
  const now = await statuses()
  expect([one, two, inactive, live].map(({ id }) => now.get(id))).toEqual([
    'Queued',
    'Queued',
    'Pending',
    'Running',
  ])
  expect((await ada.request('GET', '/api/sync_tasks/status_all')).json().all_running_status).toBe(true)
  expect(await audited('execute_all')).toEqual({
    actor: 'ada@example.com',
    details: { started_count: 2, skipped_count: 2 },
  })
  expect(await post('/api/sync_tasks/execute_all')).toEqual([
    200,
    { status: 'warning', message: taskServerMessages.nothing_to_start, started_count: 0, skipped_count: 4 },
  ])
})

test('execute_all queues prerequisites before those that wait for them, whatever the order of the types', async () => {
  const copy = await aType(app.db, { name: 'Copy', sort_order: 1 })
  const compile = await aType(app.db, { name: 'Compile', sort_order: 2 })
  const pull = await aType(app.db, { name: 'Pull', sort_order: 3 })
  await app.db
    .insertInto('task_type_dependencies')
    .values([
      { task_type_id: copy.id, depends_on_id: compile.id, condition: 'success', position: 0 },
      { task_type_id: compile.id, depends_on_id: pull.id, condition: 'success', position: 0 },
    ])
    .execute()
  for (const { id } of [copy, compile, pull]) await aSyncTask(app.db, { task_type_id: id })
  await post('/api/sync_tasks/execute_all')
  const runs = await app.db.selectFrom('runs').select('task_type_id').orderBy('id').execute()
  expect(runs.map(({ task_type_id }) => task_type_id)).toEqual([pull.id, compile.id, copy.id])
})

test('execute_all ten times at once starts each task once', async () => {
  for (let n = 0; n < 20; n += 1) await aSyncTask(app.db)
  const replies = await Promise.all(Array.from({ length: 10 }, () => post('/api/sync_tasks/execute_all')))
  expect(replies.map(([status]) => status)).toEqual(Array(10).fill(200))
  expect(replies.reduce((sum, [, { started_count }]) => sum + started_count, 0)).toBe(20)
  expect(await app.db.selectFrom('runs').select('id').execute()).toHaveLength(20)
})

test('stop_all stops queued runs at once and running ones within seconds; without any it is a warning', async () => {
  expect(await post('/api/sync_tasks/stop_all')).toEqual([
    200,
    { status: 'warning', message: bulkMessages.nothing_to_stop, stopped_count: 0 },
  ])
  const { id: task_type_id } = await aType(app.db, { allowed_concurrent_tasks: 1 })
  const first = await aSyncTask(app.db, { task_type_id })
  const second = await aSyncTask(app.db, { task_type_id })
  const failed = await aSyncTask(app.db, { task_type_id })
  await aRun(app.db, failed.id, { state: 'failed' })
  await startEngine(app.database, [handler])
  await post(`/api/sync_tasks/${first.id}/execute`)
  await eventually(async () => {
    const run = await app.db
      .selectFrom('runs')
      .select('job_retry')
      .where('task_id', '=', first.id)
      .executeTakeFirst()
    return run?.job_retry === 0
  })
  await post(`/api/sync_tasks/${second.id}/execute`)

  expect(await post('/api/sync_tasks/stop_all')).toEqual([
    200,
    { status: 'success', message: taskServerMessages.all_stopped(2), stopped_count: 2 },
  ])
  expect((await statuses()).get(second.id)).toBe('Stopped')
  await eventually(async () => (await statuses()).get(first.id) === 'Stopped')
  expect((await statuses()).get(failed.id)).toBe('Failed')
  expect(await audited('stop_all')).toMatchObject({ details: { stopped_count: 2 } })
})

test('reset_running_status ends runs whose worker died, returns their number, and keeps running ones', async () => {
  const live = await aSyncTask(app.db)
  const gone = await aSyncTask(app.db)
  const unclaimed = await aSyncTask(app.db)
  await startEngine(app.database, [handler])
  await post(`/api/sync_tasks/${live.id}/execute`)
  await eventually(async () => (await statuses()).get(live.id) === 'Running')
  const stray = {
    state: 'running',
    job_id: '00000000-0000-4000-8000-000000000000',
    started_at: new Date(),
  } as const
  await aRun(app.db, gone.id, { ...stray, job_retry: 0 })

  expect(await post('/api/sync_tasks/reset_running_status')).toEqual([
    200,
    { reset_count: 1, message: bulkMessages.statuses_reset(1) },
  ])
  const now = await statuses()
  expect([live, gone, unclaimed].map(({ id }) => now.get(id))).toEqual(['Running', 'Stopped', 'Pending'])
  expect(await post('/api/sync_tasks/reset_running_status')).toEqual([
    200,
    { reset_count: 0, message: bulkMessages.nothing_to_reset },
  ])
})

test('toggle_all_active deactivates all if most are active, otherwise activates; target_state overrides this', async () => {
  for (const is_active of [true, true, false]) await aSyncTask(app.db, { is_active })
  const url = '/api/sync_tasks/toggle_all_active'
  expect(await post(url, {})).toEqual([
    200,
    { is_active: false, updated_count: 2, message: bulkMessages.all_deactivated },
  ])
  expect(await post(url, {})).toEqual([
    200,
    { is_active: true, updated_count: 3, message: bulkMessages.all_activated },
  ])
  expect(await post(url, { target_state: true })).toEqual([
    200,
    { is_active: true, updated_count: 0, message: bulkMessages.all_activated },
  ])
  expect((await ada.request('POST', url, { target_state: 'false' })).statusCode).toBe(400)
})

test('exactly half of the tasks active counts as not most: all become active', async () => {
  for (const is_active of [true, false]) await aSyncTask(app.db, { is_active })
  expect((await post('/api/sync_tasks/toggle_all_active', {}))[1]).toMatchObject({
    is_active: true,
    updated_count: 1,
  })
})

test('delete_all is refused while a task is live and deletes nothing', async () => {
  await aSyncTask(app.db)
  const live = await aSyncTask(app.db)
  await aRun(app.db, live.id, { state: 'queued' })
  const reply = await ada.request('DELETE', '/api/sync_tasks/delete_all')
  expect([reply.statusCode, reply.json().message]).toEqual([409, taskMessages.live_delete])
  expect((await statuses()).size).toBe(2)
  expect((await ada.request('DELETE', '/api/sync_tasks/delete_all?force=banana')).statusCode).toBe(400)
})

test('delete_all deletes every sync task and none of other categories, and is audited', async () => {
  await aSyncTask(app.db)
  await aSyncTask(app.db)
  await app.db.insertInto('tasks').values({ category: 'source', name: 'Stays', sort_order: 1 }).execute()
  const reply = await ada.request('DELETE', '/api/sync_tasks/delete_all')
  expect([reply.statusCode, reply.body]).toEqual([204, ''])
  expect((await app.db.selectFrom('tasks').select('name').execute()).map(({ name }) => name)).toEqual([
    'Stays',
  ])
  expect(await audited('delete_all')).toMatchObject({ actor: 'ada@example.com', details: { count: 2 } })
})

test('delete_all with force=true first stops live tasks and waits for their workers', async () => {
  const { id: task_type_id } = await aType(app.db, { allowed_concurrent_tasks: 1 })
  const first = await aSyncTask(app.db, { task_type_id })
  await aSyncTask(app.db, { task_type_id })
  await startEngine(app.database, [handler])
  await post('/api/sync_tasks/execute_all')
  await eventually(async () => (await statuses()).get(first.id) === 'Running')
  const reply = await ada.request('DELETE', '/api/sync_tasks/delete_all?force=true')
  expect(reply.statusCode).toBe(204)
  expect((await statuses()).size).toBe(0)
  const runs = await app.db.selectFrom('runs').select(['state', 'task_id']).execute()
  expect(runs).toEqual(Array(2).fill({ state: 'stopped', task_id: null }))
})
