import { beforeAll, expect, test } from 'vitest'
import { type SignedIn, type TestApp, testApp } from '../../../../test/fixtures/app.ts'
import { aRun, aSyncTask } from '../../../../test/fixtures/factories.ts'
import { syncTaskMessages } from '../../../contract/sync-tasks/client-messages.ts'
import { taskServerMessages } from '../../../contract/tasks/server-messages.ts'

import type { RunHandler } from '../../engine/types.ts'

// Runs are only queued here: no worker is there to begin them.
const handler: RunHandler = {
  category: 'sync',
  snapshotDefinition: async (_, task_ids) =>
    new Map(task_ids.map((id) => [id, { definition: { task_id: id }, exclusive_key: null }])),
  run: () => Promise.reject(new Error('No worker runs in these tests.')),
}

let app: TestApp
let ada: SignedIn

beforeAll(async () => {
  app = await testApp({ handlers: [handler] })
  ada = await app.signIn('ada@example.com')
})

const post = async (url: string) => {
  const { statusCode, ...reply } = await ada.request('POST', url)
  return { statusCode, body: reply.json() }
}

const runsOf = (id: number) =>
  app.db
    .selectFrom('runs')
    .select(['id', 'state', 'trigger', 'trigger_label', 'triggered_by'])
    .where('task_id', '=', id)
    .execute()

const statusOf = async (id: number) => (await ada.request('GET', `/api/sync_tasks/${id}`)).json().task_status

const lastAudit = (id: number) =>
  app.db
    .selectFrom('audit_log')
    .select(['actor', 'action', 'result'])
    .where('object_id', '=', String(id))
    .orderBy('id', 'desc')
    .executeTakeFirst()

test('execute queues a run with the calling user', async () => {
  const task = await aSyncTask(app.db)
  const { statusCode, body } = await post(`/api/sync_tasks/${task.id}/execute`)
  expect([statusCode, body]).toEqual([
    200,
    { status: 'success', message: taskServerMessages.run_started(task.name) },
  ])
  expect(await statusOf(task.id)).toBe('Queued')
  const [run] = await runsOf(task.id)
  expect(run).toMatchObject({ state: 'queued', trigger: 'manual', trigger_label: 'ada@example.com' })
  expect(run?.triggered_by).toBeGreaterThan(0)
  expect(await lastAudit(task.id)).toEqual({ actor: 'ada@example.com', action: 'execute', result: 'queued' })
})

test('execute of a live task is a warning', async () => {
  const task = await aSyncTask(app.db)
  await aRun(app.db, task.id, { state: 'running' })
  const { statusCode, body } = await post(`/api/sync_tasks/${task.id}/execute`)
  expect([statusCode, body]).toEqual([
    200,
    { status: 'warning', message: taskServerMessages.run_live(task.name) },
  ])
  expect(await runsOf(task.id)).toHaveLength(1)
})

test('execute of an inactive task is a warning and starts nothing', async () => {
  const task = await aSyncTask(app.db, { is_active: false })
  const { body } = await post(`/api/sync_tasks/${task.id}/execute`)
  expect(body).toEqual({ status: 'warning', message: taskServerMessages.run_inactive(task.name) })
  expect(await runsOf(task.id)).toEqual([])
  expect(await lastAudit(task.id)).toMatchObject({ action: 'execute', result: 'inactive' })
})

test('the same execute 50 times at once is one run', async () => {
  const task = await aSyncTask(app.db)
  const replies = await Promise.all(
    Array.from({ length: 50 }, () => post(`/api/sync_tasks/${task.id}/execute`)),
  )
  expect(replies.every(({ statusCode }) => statusCode === 200)).toBe(true)
  expect(replies.filter(({ body }) => body.status === 'success')).toHaveLength(1)
  expect(await runsOf(task.id)).toHaveLength(1)
})

test('a task that is deleted while it is executed ends either deleted or queued, never both', async () => {
  for (let round = 0; round < 10; round += 1) {
    const task = await aSyncTask(app.db)
    const [execute, removal] = await Promise.all([
      post(`/api/sync_tasks/${task.id}/execute`),
      ada.request('DELETE', `/api/sync_tasks/${task.id}`),
    ])
    const live = (await runsOf(task.id)).length
    expect([
      [200, 409, 1],
      [404, 204, 0],
    ]).toContainEqual([execute.statusCode, removal.statusCode, live])
  }
})

test('stop ends a queued run at once', async () => {
  const task = await aSyncTask(app.db)
  await post(`/api/sync_tasks/${task.id}/execute`)
  const { statusCode, body } = await post(`/api/sync_tasks/stop/${task.id}`)
  expect([statusCode, body]).toEqual([
    200,
    { status: 'success', message: taskServerMessages.run_stopped(task.name) },
  ])
  expect(await statusOf(task.id)).toBe('Stopped')
  expect(await lastAudit(task.id)).toMatchObject({ action: 'stop', result: 'stopped' })
})

test('stop of a running run is requested from its worker', async () => {
  const task = await aSyncTask(app.db)
  await aRun(app.db, task.id, { state: 'running', job_retry: 0, started_at: new Date() })
  const { body } = await post(`/api/sync_tasks/stop/${task.id}`)
  expect(body).toEqual({ status: 'success', message: taskServerMessages.run_stopping(task.name) })
  expect(await statusOf(task.id)).toBe('Stopping')
})

test('stop of a Failed task with a pending retry cancels it and shows the task as Stopped; the run in the history stays failed', async () => {
  const task = await aSyncTask(app.db)
  const not_before = new Date(Date.now() + 600_000)
  await aRun(app.db, task.id, { state: 'queued', attempts: 1, error: 'Google is busy.', not_before })
  const { body } = await post(`/api/sync_tasks/stop/${task.id}`)
  expect(body).toEqual({ status: 'success', message: taskServerMessages.run_stopped(task.name) })
  expect(await statusOf(task.id)).toBe('Stopped')
  expect((await runsOf(task.id)).map(({ state }) => state)).toEqual(['failed'])
})

test('stop of a Failed task with nothing left to stop is a warning, and the task stays Failed', async () => {
  const task = await aSyncTask(app.db)
  await aRun(app.db, task.id, { state: 'failed', finished_at: new Date() })
  const { statusCode, body } = await post(`/api/sync_tasks/stop/${task.id}`)
  expect([statusCode, body]).toEqual([200, { status: 'warning', message: 'Nothing to stop' }])
  expect(await statusOf(task.id)).toBe('Failed')
  expect(await lastAudit(task.id)).toMatchObject({ action: 'stop', result: 'nothing' })
  expect((await runsOf(task.id)).map(({ state }) => state)).toEqual(['failed'])
})

test('stop of a task at rest is a warning', async () => {
  const task = await aSyncTask(app.db)
  const { statusCode, body } = await post(`/api/sync_tasks/stop/${task.id}`)
  expect([statusCode, body]).toEqual([
    200,
    { status: 'warning', message: taskServerMessages.run_nothing_to_stop },
  ])
})

test('execute and stop of a missing task or one of another category are 404', async () => {
  const source = await app.db
    .insertInto('tasks')
    .values({ category: 'source', name: 'Not a sync task', sort_order: 1 })
    .returning('id')
    .executeTakeFirstOrThrow()
  for (const id of [source.id, 99_999]) {
    for (const url of [`/api/sync_tasks/${id}/execute`, `/api/sync_tasks/stop/${id}`]) {
      const { statusCode, body } = await post(url)
      expect([statusCode, body.message]).toEqual([404, syncTaskMessages.sync_task_not_found])
    }
  }
})
