import { beforeEach, expect, test } from 'vitest'
import { type SignedIn, type TestApp, testApp } from '../../../../test/fixtures/app.ts'
import { handlerOf, untilInterrupted } from '../../../../test/fixtures/engine.ts'
import {
  aConfig,
  aRun,
  aSourceTask,
  aSyncTask,
  aTaskOfTab,
  aType,
} from '../../../../test/fixtures/factories.ts'
import { aToken, withToken } from '../../../../test/fixtures/tokens.ts'
import { type BulkAction, type BulkStatus, tasksBulk } from '../../../contract/bulk/calls.ts'
import { Right } from '../../../contract/calls.ts'
import { limits } from '../../../contract/limits.ts'
import { taskMessages } from '../../../contract/tasks/client-messages.ts'
import { taskServerMessages } from '../../../contract/tasks/server-messages.ts'

let app: TestApp
let ada: SignedIn

beforeEach(async () => {
  app = await testApp({ handlers: [handlerOf(({ signal }) => untilInterrupted(signal))] })
  ada = await app.signIn('ada@example.com')
})

async function bulk(action: BulkAction, ids: readonly number[], person = ada) {
  const at_once = action === 'delete' ? { at_once: true } : {}
  const reply = await person.request('POST', '/api/tasks/bulk', { action, ids, ...at_once })
  expect(reply.statusCode, reply.body).toBe(200)
  return tasksBulk.act.reply.parse(reply.json())
}

const statusesOf = ({ results }: { results: { id: number; status: BulkStatus }[] }) =>
  results.map(({ id, status }) => [id, status])

const runsOf = (ids: number[]) =>
  app.db
    .selectFrom('runs')
    .select(['task_id', 'state', 'trigger', 'trigger_label'])
    .where('task_id', 'in', ids)
    .orderBy('id')
    .execute()

const audited = () =>
  app.db
    .selectFrom('audit_log')
    .select(['action', 'object_type', 'object_id', 'result', 'details'])
    .where('action', 'in', ['execute', 'stop', 'activate', 'deactivate', 'delete'])
    .orderBy('id')
    .execute()

test('run queues each task once in the order of prerequisites, and returns each result', async () => {
  const copies = await aType(app.db)
  const fetches = await aType(app.db, { category: 'source' })
  await app.db
    .insertInto('task_type_dependencies')
    .values({ task_type_id: copies.id, depends_on_id: fetches.id, condition: 'success', position: 0 })
    .execute()
  const copy = await aTaskOfTab(app.db, { task_type_id: copies.id })
  const fetched = await aSourceTask(app.db, { task_type_id: fetches.id })
  const inactive = await aTaskOfTab(app.db, { is_active: false })
  const live = await aTaskOfTab(app.db)
  await aRun(app.db, live.id, { state: 'running' })
  const other = await aTaskOfTab(app.db)
  const config = await aConfig(app.db)

  const reply = await bulk('run', [
    copy.id,
    fetched.id,
    inactive.id,
    99_999,
    live.id,
    copy.id,
    config.task_id,
  ])
  expect(reply).toEqual({
    action: 'run',
    status: 'warning',
    message: 'Queued 2 tasks. Skipped 2 (already running or inactive). 2 tasks do not exist any more.',
    counts: { done: 2, skipped: 2, refused: 0, unknown: 2 },
    results: [
      {
        category: 'sync',
        id: copy.id,
        name: copy.name,
        status: 'done',
        message: taskServerMessages.run_started(copy.name),
      },
      {
        category: 'source',
        id: fetched.id,
        name: fetched.name,
        status: 'done',
        message: taskServerMessages.run_started(fetched.name),
      },
      {
        category: 'sync',
        id: inactive.id,
        name: inactive.name,
        status: 'skipped',
        message: taskServerMessages.run_inactive(inactive.name),
      },
      {
        category: null,
        id: 99_999,
        name: null,
        status: 'unknown',
        message: 'There is no sync or source task 99999',
      },
      {
        category: 'sync',
        id: live.id,
        name: live.name,
        status: 'skipped',
        message: taskServerMessages.run_live(live.name),
      },
      {
        category: null,
        id: config.task_id,
        name: null,
        status: 'unknown',
        message: `There is no sync or source task ${config.task_id}`,
      },
    ],
    bulk_id: null,
    undo_until: null,
  })
  const queued = { state: 'queued', trigger: 'manual', trigger_label: 'ada@example.com' }
  expect(await runsOf([copy.id, fetched.id, inactive.id, other.id, config.task_id])).toEqual([
    { ...queued, task_id: fetched.id },
    { ...queued, task_id: copy.id },
  ])
  expect(await audited()).toEqual([
    {
      action: 'execute',
      object_type: 'sync_task',
      object_id: String(copy.id),
      result: 'queued',
      details: { bulk: 2 },
    },
    {
      action: 'execute',
      object_type: 'source_task',
      object_id: String(fetched.id),
      result: 'queued',
      details: { bulk: 2 },
    },
  ])
  expect(await bulk('run', [copy.id])).toMatchObject({ status: 'warning', counts: { done: 0, skipped: 1 } })
})

test('stop ends waiting runs, requests workers to stop, cancels retries and changes nothing else', async () => {
  const [waiting, working, retrying, failed, idle, other] = await Promise.all([
    aTaskOfTab(app.db),
    aSourceTask(app.db),
    aTaskOfTab(app.db),
    aTaskOfTab(app.db),
    aTaskOfTab(app.db),
    aTaskOfTab(app.db),
  ])
  await aRun(app.db, waiting.id)
  await aRun(app.db, working.id, {
    category: 'source',
    state: 'running',
    job_retry: 0,
    started_at: new Date(),
  })
  await aRun(app.db, retrying.id, { attempts: 1, error: 'Google is busy.' })
  await aRun(app.db, failed.id, { state: 'failed', finished_at: new Date() })
  await aRun(app.db, other.id)
  const ids = [waiting, working, retrying, failed, idle].map(({ id }) => id)
  const reply = await bulk('stop', ids)
  expect(reply.message).toBe('Stopping 3 tasks. Skipped 2 (nothing to stop).')
  expect(reply.results.map(({ status, message }) => [status, message])).toEqual([
    ['done', taskServerMessages.run_stopped(waiting.name)],
    ['done', taskServerMessages.run_stopping(working.name)],
    ['done', taskServerMessages.run_stopped(retrying.name)],
    ['skipped', 'Nothing to stop'],
    ['skipped', 'Nothing to stop'],
  ])
  expect((await runsOf([...ids, other.id])).map(({ state }) => state)).toEqual([
    'stopped',
    'stopping',
    'failed',
    'failed',
    'queued',
  ])
  const { tasks } = (await ada.request('GET', '/api/sync_tasks/status_all')).json()
  const statusOf = (id: number) => tasks.find((task: { id: number }) => task.id === id).task_status
  expect([retrying, failed].map(({ id }) => statusOf(id))).toEqual(['Stopped', 'Failed'])
})

test('activate and deactivate change only tasks in the other state, and their versions', async () => {
  const on = await aTaskOfTab(app.db)
  const off = await aSourceTask(app.db, { is_active: false })
  const other = await aTaskOfTab(app.db)
  const versions = async () =>
    new Map(
      (await app.db.selectFrom('tasks').select(['id', 'is_active', 'updated_at']).execute()).map((task) => [
        task.id,
        task,
      ]),
    )
  const before = await versions()
  expect(statusesOf(await bulk('deactivate', [on.id, off.id]))).toEqual([
    [on.id, 'done'],
    [off.id, 'skipped'],
  ])
  const now = await versions()
  expect([on, off, other].map(({ id }) => now.get(id)?.is_active)).toEqual([false, false, true])
  expect(now.get(on.id)?.updated_at).not.toEqual(before.get(on.id)?.updated_at)
  expect(now.get(off.id)?.updated_at).toEqual(before.get(off.id)?.updated_at)
  expect((await bulk('activate', [on.id, off.id])).message).toBe('Activated 2 tasks.')
  expect((await audited()).map(({ action, object_id }) => [action, object_id])).toEqual([
    ['deactivate', String(on.id)],
    ['activate', String(on.id)],
    ['activate', String(off.id)],
  ])
})

test('delete refuses live tasks and tasks used by remaining ones, with their sources, and deletes the rest', async () => {
  const source = (name: string, origin_task_id?: number) =>
    aSourceTask(app.db, {
      name,
      definition: origin_task_id === undefined ? {} : { source_type: 'internal', origin_task_id },
    })
  const compiled = await source('Compiled')
  const config = await aConfig(app.db, { name: 'Catalogue' })
  await app.db
    .insertInto('compiler_sources')
    .values({ compiler_config_id: config.id, source_task_id: compiled.id, position: 0, is_master: true })
    .execute()
  const base = await source('Base')
  const live = await source('Live', base.id)
  await aRun(app.db, live.id, { category: 'source', state: 'running' })
  const free = await source('Free')
  const reader = await source('Reader', free.id)
  const stays = await source('Read by one that stays')
  await source('Outside', stays.id)
  const copy = await aTaskOfTab(app.db, { name: 'Copy' })

  const asked = [compiled, base, live, free, reader, stays, copy].map(({ id }) => id)
  const reply = await bulk('delete', asked)
  expect(reply.results.map(({ name, status, message }) => [name, status, message])).toEqual([
    ['Compiled', 'refused', 'Rows of this are used by the configuration Catalogue.'],
    ['Base', 'refused', 'Rows of this are used by the source task Live.'],
    ['Live', 'refused', taskMessages.live_delete],
    ['Free', 'done', 'Free is deleted'],
    ['Reader', 'done', 'Reader is deleted'],
    ['Read by one that stays', 'refused', 'Rows of this are used by the source task Outside.'],
    ['Copy', 'done', 'Copy is deleted'],
  ])
  expect(reply.message).toBe(
    'Deleted 3 tasks. Refused 4: Compiled: Rows of this are used by the configuration Catalogue.',
  )
  expect(reply.status).toBe('warning')
  const left = await app.db
    .selectFrom('tasks')
    .select('name')
    .where('id', 'in', asked)
    .orderBy('id')
    .execute()
  expect(left.map(({ name }) => name)).toEqual(['Compiled', 'Base', 'Live', 'Read by one that stays'])
  expect((await audited()).map(({ action, details }) => [action, details])).toEqual(
    ['Free', 'Reader', 'Copy'].map((name) => ['delete', { bulk: 3, name }]),
  )
  expect(statusesOf(await bulk('delete', [free.id]))).toEqual([[free.id, 'unknown']])
})

test('results and messages call a task by its given name, and its tab; one whose name was derived by its tab', async () => {
  const tab = { source_sheet_name: 'Prices', target_sheet_name: 'Shop' }
  const given = await aSyncTask(app.db, { name: 'Nightly', definition: tab })
  const derived = await aSyncTask(app.db, { name: 'Prices (2)', definition: tab })
  const fetched = await aSourceTask(app.db, { name: 'Supplier' })
  const { results } = await bulk('deactivate', [given.id, derived.id, fetched.id])
  expect(results.map(({ name, message }) => [name, message])).toEqual([
    ['Nightly (Shop)', expect.stringContaining('Nightly (Shop)')],
    ['Shop', expect.stringMatching(/^Shop /)],
    ['Supplier', expect.stringContaining('Supplier')],
  ])
  await aRun(app.db, given.id, { state: 'running' })
  const { message } = await bulk('delete', [given.id])
  expect(message).toContain('Nightly (Shop): ')
})

test('a token with the right to run runs and stops; activating and deleting needs the right to edit', async () => {
  const task = await aTaskOfTab(app.db, { name: 'Copy' })
  const allowed: Record<Right, BulkAction[]> = {
    read: [],
    run: ['run', 'stop'],
    edit: ['run', 'stop', 'deactivate', 'activate', 'delete'],
  }
  for (const right of Right.options) {
    const send = withToken(app.app, await aToken(ada, right, right))
    for (const action of allowed.edit) {
      const at_once = action === 'delete' ? { at_once: true } : {}
      const reply = await send('POST', '/api/tasks/bulk', { action, ids: [task.id], ...at_once })
      expect(reply.statusCode, `${action} with ${right}`).toBe(allowed[right].includes(action) ? 200 : 403)
    }
  }
  expect((await audited()).map(({ action, details }) => [action, details])).toEqual([
    ['execute', { bulk: 1, token: 'run' }],
    ['stop', { bulk: 1, token: 'run' }],
    ['execute', { bulk: 1, token: 'edit' }],
    ['stop', { bulk: 1, token: 'edit' }],
    ['deactivate', { bulk: 1, token: 'edit' }],
    ['activate', { bulk: 1, token: 'edit' }],
    ['delete', { bulk: 1, token: 'edit', name: 'Copy' }],
  ])
})

test.each([
  ['no ids', { action: 'run', ids: [] }],
  [
    'more than 10,000',
    { action: 'run', ids: Array.from({ length: limits.bulk_tasks_max + 1 }, (_, n) => n + 1) },
  ],
  ['an id that is none', { action: 'run', ids: [1, '2'] }],
  ['another action', { action: 'rename', ids: [1] }],
])('%s is refused, and nothing starts', async (_what, body) => {
  const task = await aTaskOfTab(app.db)
  const reply = await ada.request('POST', '/api/tasks/bulk', body)
  expect(reply.statusCode).toBe(400)
  expect(await runsOf([task.id])).toEqual([])
})
