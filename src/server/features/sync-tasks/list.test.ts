import { beforeAll, expect, test } from 'vitest'
import { type SignedIn, type TestApp, testApp } from '../../../../test/fixtures/app.ts'
import { aRun, aSyncTask, aType } from '../../../../test/fixtures/factories.ts'
import { RunState, syncStatus } from '../../../contract/runs/status.ts'
import { syncTasks } from '../../../contract/sync-tasks/calls.ts'

let app: TestApp
let ada: SignedIn

beforeAll(async () => {
  app = await testApp()
  ada = await app.signIn('ada@example.com')
})

async function list(query = '') {
  const reply = await ada.request('GET', `/api/sync_tasks${query}`)
  expect(reply.statusCode).toBe(200)
  return syncTasks.list.reply.parse(reply.json())
}

test('an empty list has one page', async () => {
  expect(await list()).toEqual({ syncTasks: [], totalPages: 1, total: 0, page: 1 })
})

test('tasks come by their type’s order, the type’s name, their own order, their id', async () => {
  const last = await aType(app.db, { name: 'A last', sort_order: 9 })
  const second = await aType(app.db, { name: 'Second', sort_order: 1 })
  const first = await aType(app.db, {
    name: 'First',
    sort_order: 1,
    chunk_size: 500,
    allowed_concurrent_tasks: 3,
  })
  await aSyncTask(app.db, { name: 'e', task_type_id: last.id })
  await aSyncTask(app.db, { name: 'd', task_type_id: second.id })
  await aSyncTask(app.db, { name: 'c', task_type_id: first.id, sort_order: 8 })
  await aSyncTask(app.db, { name: 'a', task_type_id: first.id, sort_order: 7 })
  await aSyncTask(app.db, { name: 'b', task_type_id: first.id, sort_order: 7 })

  const { syncTasks: tasks, total } = await list()

  expect(tasks.map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd', 'e'])
  expect(total).toBe(5)
  expect(tasks[0]).toMatchObject({
    sync_task_type_id: first.id,
    task_type: { id: first.id, name: 'First', chunk_size: 500, allowed_concurrent_tasks: 3 },
    max_concurrent_tasks: 3,
    task_status: 'Pending',
    running_status: false,
    source_type: 'sheet',
  })
  expect(tasks[0]).not.toHaveProperty('logs')
})

test('front and up are false at the first of a type, back and down at the last; positions count from 1', async () => {
  const { syncTasks: tasks } = await list()
  const position = (name: string) => tasks.find((task) => task.name === name)?.position_actions
  const up = { can_push_to_front: true, can_move_up: true }
  const down = { can_push_to_back: true, can_move_down: true }
  const noUp = { can_push_to_front: false, can_move_up: false }
  const noDown = { can_push_to_back: false, can_move_down: false }
  expect(position('a')).toEqual({ ...noUp, ...down, current_position: 1, total_tasks_of_type: 3 })
  expect(position('b')).toEqual({ ...up, ...down, current_position: 2, total_tasks_of_type: 3 })
  expect(position('c')).toEqual({ ...up, ...noDown, current_position: 3, total_tasks_of_type: 3 })
  expect(position('d')).toEqual({ ...noUp, ...noDown, current_position: 1, total_tasks_of_type: 1 })
})

test('positions are those within the type, also where a page shows only some of its tasks', async () => {
  const whole = await list()
  const { syncTasks: shown, totalPages, total, page } = await list('?page=2&limit=2')
  expect({ totalPages, total, page }).toEqual({ totalPages: 3, total: 5, page: 2 })
  expect(shown).toEqual(whole.syncTasks.slice(2, 4))
})

test('a page past the end is empty and contains the total', async () => {
  expect(await list('?page=9&limit=2')).toEqual({ syncTasks: [], totalPages: 3, total: 5, page: 9 })
})

test.each([
  'page=0',
  'page=-1',
  'page=1.5',
  'page=x',
  'limit=0',
  'limit=401',
  'limit=-1',
  'limit=999999',
  'order=1',
])('the list refuses ?%s', async (query) => {
  const reply = await ada.request('GET', `/api/sync_tasks?${query}`)
  expect(reply.statusCode).toBe(400)
  expect(reply.json().field).toBe(query.split('=')[0])
})

test('filters by state, activity and text hold together, page by page', async () => {
  const type = await aType(app.db, { name: 'Filtered' })
  const named = (name: string, is_active = true) =>
    aSyncTask(app.db, { name: `Filter ${name}`, task_type_id: type.id, is_active })
  const [failed, broken, idle, well] = [
    await named('failed'),
    await named('error'),
    await named('idle', false),
    await named('well'),
  ]
  const finished_at = new Date()
  await aRun(app.db, failed.id, { state: 'failed', finished_at })
  await aRun(app.db, broken.id, { state: 'error', finished_at })
  await aRun(app.db, idle.id, { state: 'failed', finished_at })
  await aRun(app.db, well.id, { state: 'success', finished_at })
  const idsOf = async (query: string) => (await list(query)).syncTasks.map(({ id }) => id)
  expect(await idsOf('?search=FILTER&state=failed,error')).toEqual([failed.id, broken.id, idle.id])
  expect(await idsOf('?search=filter&state=failed,error&is_active=true')).toEqual([failed.id, broken.id])
  expect(await idsOf(`?search=%20${well.id}`)).toContain(well.id)
  expect(await list('?search=filter&limit=3&page=2')).toMatchObject({ total: 4, totalPages: 2 })
  expect(await list('?search=filter&limit=3&page=9')).toMatchObject({ syncTasks: [], total: 4 })
  expect((await ada.request('GET', '/api/sync_tasks?state=failed,lost')).statusCode).toBe(400)
  await app.db.deleteFrom('tasks').where('task_type_id', '=', type.id).execute()
})

test('a single task includes its log, newest first, and the receipt of its last successful run', async () => {
  const receipt = {
    rows: 3,
    columns: 2,
    cells_changed: 6,
    reads: 2,
    writes: 1,
    mode: 'small',
    source_hash: 'a',
    target_hash: 'a',
    duration_ms: 12,
    account: 'ada@example.com',
  }
  const task = await aSyncTask(app.db)
  const run = await aRun(app.db, task.id, {
    state: 'success',
    receipt: JSON.stringify(receipt),
    started_at: new Date(),
    finished_at: new Date(),
  })
  await app.db
    .insertInto('log_entries')
    .values(
      ['one', 'two'].map((message) => ({
        task_id: task.id,
        run_id: run.id,
        level: 'INFO' as const,
        message,
      })),
    )
    .execute()

  const reply = await ada.request('GET', `/api/sync_tasks/${task.id}`)

  expect(reply.statusCode).toBe(200)
  const detail = syncTasks.get.reply.parse(reply.json())
  expect(detail).toMatchObject({
    id: task.id,
    task_status: 'Success',
    receipt,
    latest_log: { message: 'two' },
  })
  expect(detail.logs.map(({ message }) => message)).toEqual(['two', 'one'])
  expect(detail.logs[0]?.formatted_timestamp).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d EST$/)
})

test.each(['0', '-1', '1.5', '1e3', '007', 'x', '2147483648', '9223372036854775808', '99999', '%00', '1%20'])(
  'there is no sync task %s',
  async (id) => {
    for (const path of ['', '/logs', '/data_copy', '/data_copy/columns', '/check_readiness']) {
      const reply = await ada.request('GET', `/api/sync_tasks/${id}${path}`)
      expect(reply.statusCode).toBe(404)
    }
  },
)

test('a task is read with every field that the specification names', async () => {
  const task = await aSyncTask(app.db)
  const read = (await ada.request('GET', `/api/sync_tasks/${task.id}`)).json()
  const fields = `id name sync_task_type_id task_type source_type source_ss_id source_ss_name source_sheet_name
    target_ss_id target_ss_name target_sheet_name source_compiler_config_id sync_preset_id chunk_size start_row
    scheduled_times relevant_user_accounts sort_order is_active running_status task_status retry_count last_error_count
    total_elapsed_seconds prerequisites_count max_concurrent_tasks last_successful_run last_triggered latest_log logs
    position_actions`
  expect(Object.keys(read)).toEqual(expect.arrayContaining(fields.split(/\s+/)))
  expect(Object.keys(read.task_type)).toEqual(['id', 'name', 'chunk_size', 'allowed_concurrent_tasks'])
  expect(Object.keys(read.position_actions).sort()).toEqual([
    'can_move_down',
    'can_move_up',
    'can_push_to_back',
    'can_push_to_front',
    'current_position',
    'total_tasks_of_type',
  ])
})

test('status_all agrees with the list', async () => {
  const warned = { warnings: JSON.stringify([{ id: 'one', message: 'Look at this' }]) }
  const tasks = await Promise.all(
    [...RunState.options, 'stopped by hand', 'warned', 'acknowledged'].map(async (state) => {
      const task = await aSyncTask(app.db)
      const known = RunState.safeParse(state).data
      const run = await aRun(app.db, task.id, {
        state: known ?? (state === 'stopped by hand' ? 'failed' : 'warning'),
        ...(state === 'warned' || state === 'acknowledged' ? warned : {}),
      })
      if (state === 'stopped by hand')
        await app.db.updateTable('tasks').set({ stopped_run_id: run.id }).where('id', '=', task.id).execute()
      if (state === 'acknowledged')
        await app.db
          .insertInto('acknowledged_warnings')
          .values({ task_id: task.id, warning_id: 'one', acknowledged_by: 'ada@example.com' })
          .execute()
      return task.id
    }),
  )
  const all = syncTasks.statusAll.reply.parse((await ada.request('GET', '/api/sync_tasks/status_all')).json())
  const { syncTasks: listed } = await list()
  const words = (of: readonly { id: number; task_status: string; running_status: boolean }[]) =>
    new Map(of.map(({ id, task_status, running_status }) => [id, { task_status, running_status }]))
  expect(words(all.tasks)).toEqual(words(listed))
  expect(tasks.map((id) => words(all.tasks).get(id)?.task_status)).toEqual([
    ...RunState.options.map(syncStatus),
    'Stopped',
    'Warning',
    'Success',
  ])
})

test('status_all returns every task and an unfinished Run All', async () => {
  const task = await aSyncTask(app.db)
  const before = syncTasks.statusAll.reply.parse(
    (await ada.request('GET', '/api/sync_tasks/status_all')).json(),
  )
  expect(before.all_running_status).toBe(false)
  expect(before.tasks).toContainEqual({ id: task.id, task_status: 'Pending', running_status: false })

  await aRun(app.db, task.id, { state: 'running', trigger: 'all' })

  const after = syncTasks.statusAll.reply.parse(
    (await ada.request('GET', '/api/sync_tasks/status_all')).json(),
  )
  expect(after.all_running_status).toBe(true)
  expect(after.tasks).toContainEqual({ id: task.id, task_status: 'Running', running_status: true })
})
