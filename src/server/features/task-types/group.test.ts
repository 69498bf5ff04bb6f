import { beforeAll, expect, test } from 'vitest'
import { type SignedIn, type TestApp, testApp } from '../../../../test/fixtures/app.ts'
import { done, handlerOf } from '../../../../test/fixtures/engine.ts'
import { aRun, aSyncTask, aType } from '../../../../test/fixtures/factories.ts'
import { bulkMessages } from '../../../contract/bulk/client-messages.ts'
import { taskServerMessages } from '../../../contract/tasks/server-messages.ts'

let app: TestApp
let ada: SignedIn

beforeAll(async () => {
  app = await testApp({ handlers: [handlerOf(async () => done)] })
  ada = await app.signIn('ada@example.com')
})

const post = async (id: number, action: string) => {
  const reply = await ada.request('POST', `/api/sync_task_types/${id}/${action}`)
  return [reply.statusCode, reply.json()]
}

test('run_group queues only active idle tasks of its type', async () => {
  const type = await aType(app.db)
  const other = await aSyncTask(app.db)
  const waiting = await aSyncTask(app.db, { task_type_id: type.id })
  const inactive = await aSyncTask(app.db, { task_type_id: type.id, is_active: false })
  const live = await aSyncTask(app.db, { task_type_id: type.id })
  await aRun(app.db, live.id, { state: 'stopping' })

  expect(await post(type.id, 'run_group')).toEqual([
    200,
    { status: 'success', message: taskServerMessages.all_started(1, 2), started_count: 1, skipped_count: 2 },
  ])
  const runs = await app.db
    .selectFrom('runs')
    .select(['task_id', 'trigger'])
    .where('state', '=', 'queued')
    .execute()
  expect(runs).toEqual([{ task_id: waiting.id, trigger: 'group' }])
  expect(runs).not.toContainEqual(expect.objectContaining({ task_id: other.id }))
  expect(runs).not.toContainEqual(expect.objectContaining({ task_id: inactive.id }))
  expect(await post(type.id, 'run_group')).toEqual([
    200,
    { status: 'warning', message: taskServerMessages.nothing_to_start, started_count: 0, skipped_count: 3 },
  ])
})

test('run_group of an inactive type runs its tasks: only its schedule is off', async () => {
  const type = await aType(app.db, { is_active: false })
  const task = await aSyncTask(app.db, { task_type_id: type.id })
  expect(await post(type.id, 'run_group')).toMatchObject([200, { status: 'success', started_count: 1 }])
  const runs = await app.db.selectFrom('runs').select('state').where('task_id', '=', task.id).execute()
  expect(runs).toEqual([{ state: 'queued' }])
})

test('stop_group stops the tasks of its type, and no others', async () => {
  const type = await aType(app.db)
  const mine = await aSyncTask(app.db, { task_type_id: type.id })
  const other = await aSyncTask(app.db)
  await aRun(app.db, mine.id)
  await aRun(app.db, other.id)
  expect(await post(type.id, 'stop_group')).toEqual([
    200,
    { status: 'success', message: taskServerMessages.all_stopped(1), stopped_count: 1 },
  ])
  expect(await post(type.id, 'stop_group')).toEqual([
    200,
    { status: 'warning', message: bulkMessages.nothing_to_stop, stopped_count: 0 },
  ])
  const { state } = await app.db
    .selectFrom('runs')
    .select('state')
    .where('task_id', '=', other.id)
    .executeTakeFirstOrThrow()
  expect(state).toBe('queued')
})

test('run_group without tasks is a warning', async () => {
  const type = await aType(app.db)
  expect((await post(type.id, 'run_group'))[1]).toMatchObject({
    status: 'warning',
    message: bulkMessages.no_tasks_available,
  })
})

test('groups of missing types or types of another category are 404', async () => {
  const source = await aType(app.db, { category: 'source' })
  for (const id of [99_999, source.id]) {
    expect((await post(id, 'run_group'))[0]).toBe(404)
    expect((await post(id, 'stop_group'))[0]).toBe(404)
  }
})
