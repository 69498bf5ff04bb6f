import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../../test/fixtures/app.ts'
import { done, handlerOf, startEngine } from '../../../../test/fixtures/engine.ts'
import { aRun, aSourceTask, aSyncTask, aType } from '../../../../test/fixtures/factories.ts'
import { auditTrail, sourceTasksOf } from '../../../../test/fixtures/source-tasks.ts'
import { bulkMessages } from '../../../contract/bulk/client-messages.ts'
import { sourceTasks } from '../../../contract/source-tasks/calls.ts'
import { taskServerMessages } from '../../../contract/tasks/server-messages.ts'

let app: TestApp
let tasks: ReturnType<typeof sourceTasksOf>
const trail = auditTrail(() => app.db)

beforeAll(async () => {
  app = await testApp({ handlers: [handlerOf(async () => done, { category: 'source' })] })
  tasks = sourceTasksOf(await app.signIn('ada@example.com'))
})

beforeEach(async () => {
  await app.db.deleteFrom('runs').execute()
  await app.db.deleteFrom('tasks').execute()
  await trail.begin()
})

const post = (path: string, body?: object) => tasks.reply('POST', `/api/source_tasks/${path}`, body)
const runs = () =>
  app.db
    .selectFrom('runs')
    .select(['task_id', 'trigger', 'trigger_label', 'state'])
    .orderBy('task_id')
    .execute()
const live = (task_id: number, state: 'queued' | 'running' | 'stopping') =>
  aRun(app.db, task_id, { category: 'source', state })

describe('the tasks without a type', () => {
  test('run_untyped_group queues only active idle tasks without a type', async () => {
    const type = await aType(app.db, { category: 'source' })
    const free = await aSourceTask(app.db)
    await aSourceTask(app.db, { is_active: false })
    const busy = await aSourceTask(app.db)
    await live(busy.id, 'running')
    await aSourceTask(app.db, { task_type_id: type.id })
    await aSyncTask(app.db)
    expect(await post('run_untyped_group', { trigger: 'Manual' })).toEqual([
      200,
      {
        status: 'success',
        message: taskServerMessages.all_started(1, 2),
        started_count: 1,
        skipped_count: 2,
      },
    ])
    expect(await runs()).toMatchObject([
      { task_id: free.id, trigger: 'group', trigger_label: 'ada@example.com (Manual)', state: 'queued' },
      { task_id: busy.id, state: 'running' },
    ])
    expect(await trail.entries()).toEqual(['run_group source_task_type null'])
    expect(await post('run_untyped_group')).toMatchObject([
      200,
      { status: 'warning', message: taskServerMessages.nothing_to_start },
    ])
  })

  test('stop_untyped_group stops only queued or running tasks without a type', async () => {
    const type = await aType(app.db, { category: 'source' })
    const [queued, typed] = [await aSourceTask(app.db), await aSourceTask(app.db, { task_type_id: type.id })]
    await live(queued.id, 'queued')
    await live(typed.id, 'queued')
    expect(await post('stop_untyped_group')).toEqual([
      200,
      { status: 'success', message: taskServerMessages.all_stopped(1), stopped_count: 1 },
    ])
    expect((await runs()).map(({ state }) => state)).toEqual(['stopped', 'queued'])
    expect(await trail.entries()).toEqual(['stop_group source_task_type null'])
    expect(await post('stop_untyped_group')).toMatchObject([
      200,
      { status: 'warning', message: bulkMessages.nothing_to_stop },
    ])
  })

  test('run_untyped_group without tasks is a warning', async () => {
    expect(await post('run_untyped_group')).toMatchObject([
      200,
      { status: 'warning', message: bulkMessages.no_tasks_available },
    ])
  })
})

describe('stopping', () => {
  test('stops one task in any state; a second call is a warning', async () => {
    const { id, name } = await aSourceTask(app.db)
    await live(id, 'queued')
    expect(await post(`stop/${id}`)).toEqual([
      200,
      { status: 'success', message: taskServerMessages.run_stopped(name) },
    ])
    expect(await tasks.get(id)).toMatchObject({ running_status: 'stopped' })
    expect(await post(`stop/${id}`)).toMatchObject([200, { status: 'warning' }])
  })

  test('stops all source tasks and no sync tasks', async () => {
    for (const { id } of [await aSourceTask(app.db), await aSourceTask(app.db)]) await live(id, 'queued')
    const sync = await aSyncTask(app.db)
    await aRun(app.db, sync.id)
    expect(await post('stop_all')).toMatchObject([200, { stopped_count: 2 }])
    expect((await runs()).at(-1)).toMatchObject({ task_id: sync.id, state: 'queued' })
  })
})

test('status_all returns the status of every source task and whether a Run All is unfinished', async () => {
  const [resting, busy] = [await aSourceTask(app.db), await aSourceTask(app.db)]
  await aSyncTask(app.db)
  const status = async () =>
    sourceTasks.statusAll.reply.parse((await tasks.reply('GET', '/api/source_tasks/status_all'))[1])
  expect((await status()).all_running_status).toBe(false)
  await tasks.reply('POST', `/api/source_schedule/trigger_task/${busy.id}`)
  expect(await status()).toEqual({
    all_running_status: false,
    quota_backlog: null,
    tasks: expect.arrayContaining([
      { id: resting.id, running_status: 'new', is_running: false },
      { id: busy.id, running_status: 'pending', is_running: false },
    ]),
  })
  await tasks.reply('POST', '/api/source_schedule/trigger_all')
  expect(await status()).toMatchObject({ all_running_status: true, tasks: { length: 2 } })
})

describe('activity', () => {
  test('toggle_active inverts or sets the value', async () => {
    const { id, name } = await aSourceTask(app.db)
    expect(await post(`${id}/toggle_active`)).toMatchObject([
      200,
      { is_active: false, message: taskServerMessages.deactivated(name) },
    ])
    expect(await post(`${id}/toggle_active`, { is_active: false })).toMatchObject([200, { is_active: false }])
    expect(await post(`${id}/toggle_active`)).toMatchObject([200, { is_active: true }])
    expect(await trail.entries()).toEqual([
      `deactivate source_task ${id}`,
      `deactivate source_task ${id}`,
      `activate source_task ${id}`,
    ])
  })

  test('toggle_all_active inverts the majority by default and does not affect sync tasks', async () => {
    for (const is_active of [true, true, false]) await aSourceTask(app.db, { is_active })
    const sync = await aSyncTask(app.db)
    expect(await post('toggle_all_active')).toMatchObject([200, { is_active: false, updated_count: 2 }])
    expect(await post('toggle_all_active', { target_state: false })).toMatchObject([
      200,
      { updated_count: 0 },
    ])
    expect(await post('toggle_all_active')).toEqual([
      200,
      { is_active: true, updated_count: 3, message: bulkMessages.all_activated },
    ])
    const task = await app.db
      .selectFrom('tasks')
      .select('is_active')
      .where('id', '=', sync.id)
      .executeTakeFirst()
    expect(task?.is_active).toBe(true)
  })
})

test('reset_running_status frees only tasks whose worker died, and returns their number', async () => {
  // Creates the queue, then leaves the run to this call.
  await (await startEngine(app.database, [])).stop()
  const [gone, queued] = [await aSourceTask(app.db), await aSourceTask(app.db)]
  await aRun(app.db, gone.id, {
    category: 'source',
    state: 'running',
    job_id: '00000000-0000-4000-8000-000000000000',
    job_retry: 0,
    started_at: new Date(),
  })
  await live(queued.id, 'queued')
  expect(await post('reset_running_status')).toEqual([
    200,
    { reset_count: 1, message: bulkMessages.statuses_reset(1) },
  ])
  expect(await tasks.get(queued.id)).toMatchObject({ running_status: 'pending' })
  expect(await post('reset_running_status')).toMatchObject([200, { message: bulkMessages.nothing_to_reset }])
})

test('a log is read newest first, 400 lines by default, and clearing it is audited', async () => {
  const { id } = await aSourceTask(app.db)
  await app.db
    .insertInto('log_entries')
    .values(
      Array.from({ length: 450 }, (_, n) => ({ task_id: id, level: 'INFO' as const, message: `Line ${n}` })),
    )
    .execute()
  const read = async (query = '') => (await tasks.reply('GET', `/api/source_tasks/${id}/logs${query}`))[1]
  expect(await read()).toHaveLength(400)
  expect(await read('?limit=1')).toMatchObject([
    { level: 'INFO', message: 'Line 449', timestamp: expect.any(String) },
  ])
  expect(await tasks.reply('DELETE', `/api/source_tasks/${id}/logs`)).toEqual([204, null])
  expect(await read()).toEqual([])
  expect(await trail.entries()).toEqual([`clear_logs source_task ${id}`])
})

test('warnings of the last run are acknowledged, and the acknowledgement is withdrawn', async () => {
  const { id } = await aSourceTask(app.db)
  const warnings = JSON.stringify([{ id: 'cut-0000', message: 'A cell was cut' }])
  await aRun(app.db, id, { category: 'source', state: 'warning', warnings })
  const body = { warning_ids: ['cut-0000'] }
  expect(await post(`${id}/warnings/acknowledge`, body)).toMatchObject([200, { status: 'success' }])
  expect((await tasks.get(id)).run_warnings).toMatchObject([{ acknowledged: { by: 'ada@example.com' } }])
  expect(await post(`${id}/warnings/take_back`, body)).toMatchObject([200, { status: 'success' }])
  expect(await post(`${id}/warnings/acknowledge`, { warning_ids: ['other'] })).toMatchObject([409, {}])
})
