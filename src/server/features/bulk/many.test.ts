import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { type SignedIn, type TestApp, testApp } from '../../../../test/fixtures/app.ts'
import { bulkCall, undoBulk } from '../../../../test/fixtures/bulk.ts'
import { handlerOf, untilInterrupted } from '../../../../test/fixtures/engine.ts'
import { aRun, aSourceTask, aTaskOfTab, aType, aUser } from '../../../../test/fixtures/factories.ts'
import { type BulkAction, tasksBulk } from '../../../contract/bulk/calls.ts'
import { pipeline } from '../../../contract/pipeline/calls.ts'

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

const runsOf = (ids: number[]) =>
  app.db.selectFrom('runs').select(['task_id', 'state']).where('task_id', 'in', ids).execute()

/** Starts, deletes, deactivates and stops the same tasks at once, and checks their runs. Returns how many tasks were deleted. */
async function atOnce(bob: SignedIn): Promise<number> {
  const tasks = await Promise.all(Array.from({ length: 60 }, () => aTaskOfTab(app.db)))
  const ids = tasks.map(({ id }) => id)
  const [forth, back, removed] = await Promise.all([
    bulk('run', ids),
    bulk('run', ids.toReversed(), bob),
    bulk('delete', ids.slice(20, 40)),
    bulk('deactivate', ids.slice(30, 50).toReversed(), bob),
    bulk('stop', ids.slice(10, 30)),
  ])
  const gone = new Set(removed.results.filter(({ status }) => status === 'done').map(({ id }) => id))
  const runs = await runsOf(ids)
  for (const id of ids) {
    const started = [forth, back].flatMap(({ results }) =>
      results.filter((one) => one.id === id && one.status === 'done'),
    )
    const live = runs.filter(({ task_id, state }) => task_id === id && state === 'queued')
    if (gone.has(id)) continue
    expect(live.length).toBeLessThanOrEqual(1)
    expect(runs.filter(({ task_id }) => task_id === id)).toHaveLength(started.length)
  }
  return gone.size
}

test('two simultaneous callers with opposite orders start each task once; a task deleted meanwhile has no run', async () => {
  const bob = await app.signIn('bob@example.com')
  // Where the deletion comes last, all its tasks run already and stay.
  let gone = 0
  for (let times = 0; times < 20 && gone === 0; times += 1) gone += await atOnce(bob)
  expect(gone).toBeGreaterThan(0)
  const orphans = app.db
    .selectFrom('runs')
    .select('id')
    .where('task_id', 'is', null)
    .where('state', '=', 'queued')
  expect(await orphans.execute()).toEqual([])
})

async function tenThousandTasks(): Promise<number[]> {
  const type = await aType(app.db)
  await sql`
    with added as (
      insert into tasks (category, task_type_id, name, sort_order)
      select 'sync', ${type.id}, 'Task ' || n, n from generate_series(1, 10000) n returning id
    )
    insert into sync_tasks (task_id, source_type, source_ss_id, source_sheet_name, target_ss_id, target_sheet_name)
    select id, 'sheet', 'source-spreadsheet-' || id, 'A', 'target-spreadsheet-' || id, 'A' from added`.execute(
    app.db,
  )
  return (await app.db.selectFrom('tasks').select('id').execute()).map(({ id }) => id)
}

test('10,000 tasks are run, stopped, activated and deleted with one call each', async () => {
  const ids = await tenThousandTasks()
  for (const action of ['run', 'stop', 'deactivate', 'delete'] as const)
    expect((await bulk(action, ids)).counts).toEqual({ done: 10_000, skipped: 0, refused: 0, unknown: 0 })
  expect(await app.db.selectFrom('tasks').select('id').execute()).toEqual([])
  const { lines } = await app.db
    .selectFrom('audit_log')
    .select(sql<number>`count(*)::int`.as('lines'))
    .where('object_type', '=', 'sync_task')
    .executeTakeFirstOrThrow()
  expect(lines).toBe(40_000)
})

test('10,000 tasks get another type, schedule and account by one call each, and an undo restores them all', async () => {
  const ids = await tenThousandTasks()
  const done = { done: 10_000, skipped: 0, refused: 0, unknown: 0 }
  const before = await app.db
    .selectFrom('tasks')
    .select(['task_type_id', 'sort_order', 'scheduled_times'])
    .orderBy('id')
    .execute()
  const { id: task_type_id } = await aType(app.db)
  const changes = [
    { action: 'change_type', task_type_id },
    { action: 'change_schedule', scheduled_times: ['04:00'] },
    { action: 'change_account', use_my_account: true },
  ] as const
  for (const change of changes) {
    const rows = await app.db.selectFrom('tasks').select(['id', 'updated_at']).execute()
    const versions = rows.map(({ id, updated_at }) => ({ category: 'sync', id, updated_at }))
    const { counts, bulk_id } = await bulkCall(app, ada, {
      ...change,
      ids: change.action === 'change_account' ? versions : ids,
    })
    expect(counts, change.action).toEqual(done)
    expect((await undoBulk(ada, bulk_id)).json().counts, change.action).toEqual(done)
  }
  const after = await app.db
    .selectFrom('tasks')
    .select(['task_type_id', 'sort_order', 'scheduled_times'])
    .orderBy('id')
    .execute()
  expect(after).toEqual(before)
})

test('the estimated quota time comes from the last receipts by account and project; tasks without a start or without Google need none', async () => {
  const person = await aUser(app.db)
  const receipt = (fields: object) => JSON.stringify({ receipt: true, ...fields })
  const copied = async (reads: number, writes: number, fields: object = {}) => {
    const task = await aTaskOfTab(app.db, { account_user_id: person.id, ...fields })
    await aRun(app.db, task.id, {
      state: 'success',
      finished_at: new Date(),
      receipt: receipt({ reads, writes }),
    })
    return task.id
  }
  const many = await copied(100, 40)
  const few = await copied(20, 20)
  const inactive = await copied(1000, 1000, { is_active: false })
  const fresh = await aTaskOfTab(app.db, { account_user_id: person.id })
  const api = await aSourceTask(app.db, { definition: { source_type: 'database' } })
  await aRun(app.db, api.id, {
    category: 'source',
    state: 'success',
    finished_at: new Date(),
    receipt: receipt({ requests: 500 }),
  })
  const quotaTime = async (ids: number[]) =>
    tasksBulk.quotaTime.reply.parse((await ada.request('POST', '/api/tasks/quota_time', { ids })).json())
  // 60 requests of a kind in 61 s by one account: 120 reads are two of them.
  expect(await quotaTime([many, few, inactive, api.id])).toEqual({
    startable: 3,
    reads: 120,
    writes: 60,
    seconds: 122,
    guessed: 0,
  })
  expect(await quotaTime([api.id, 99_999])).toEqual({
    startable: 1,
    reads: 0,
    writes: 0,
    seconds: 0,
    guessed: 0,
  })
  // The average of all copies that have a receipt, the inactive one included.
  expect(await quotaTime([fresh.id])).toMatchObject({ startable: 1, reads: 373, writes: 353, guessed: 1 })
  await aRun(app.db, few, { state: 'running' })
  expect(await quotaTime([few])).toMatchObject({ startable: 0, reads: 0 })
})

test('a thousand failures among 10,000 tasks are grouped, and acknowledged, undone and claimed in one call each', async () => {
  const ids = await tenThousandTasks()
  await sql`
    with run as (
      insert into runs (task_id, category, task_name, state, trigger, definition, finished_at, error)
      select id, 'sync', name, case when id % 10 = 0 then 'failed' else 'success' end, 'manual', '{}', now(),
        case when id % 10 = 0 then 'ada@example.com may read but not edit ‘Warehouse ' || id % 40 || '’: row ' || id end
      from tasks returning id, task_id
    )
    update tasks set last_run_id = run.id from run where run.task_id = tasks.id`.execute(app.db)
  await sql`analyze`.execute(app.db)
  const readPipeline = async () =>
    pipeline.read.reply.parse((await ada.request('GET', '/api/pipeline')).json())
  const before = await readPipeline()
  expect(before.attention.map(({ count }) => count)).toEqual([250, 250, 250, 250])

  const cause = before.attention[0]?.cause
  const acknowledged = await bulkCall(app, ada, { action: 'acknowledge', filter: { cause } })
  expect(acknowledged.counts).toEqual({ done: 250, skipped: 0, refused: 0, unknown: 0 })
  expect((await readPipeline()).marked).toEqual({ acknowledged: 250, snoozed: 0 })
  expect((await undoBulk(ada, acknowledged.bulk_id)).json().counts.done).toBe(250)
  const claimed = await bulkCall(app, ada, { action: 'claim', ids })
  expect(claimed.counts).toEqual({ done: 1000, skipped: 9000, refused: 0, unknown: 0 })
  expect((await readPipeline()).attention.every(({ tasks }) => tasks.every(({ claim }) => claim))).toBe(true)
})
