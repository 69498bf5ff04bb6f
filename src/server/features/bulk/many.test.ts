import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { type SignedIn, type TestApp, testApp } from '../../../../test/fixtures/app.ts'
import { handlerOf, untilInterrupted } from '../../../../test/fixtures/engine.ts'
import { aRun, aSourceTask, aSyncTask, aType, aUser } from '../../../../test/fixtures/factories.ts'
import { type BulkAction, tasksBulk } from '../../../contract/bulk/calls.ts'

let app: TestApp
let ada: SignedIn

beforeEach(async () => {
  app = await testApp({ handlers: [handlerOf(({ signal }) => untilInterrupted(signal))] })
  ada = await app.signIn('ada@example.com')
})

async function bulk(action: BulkAction, ids: readonly number[], person = ada) {
  const reply = await person.request('POST', '/api/tasks/bulk', { action, ids })
  expect(reply.statusCode, reply.body).toBe(200)
  return tasksBulk.act.reply.parse(reply.json())
}

const runsOf = (ids: number[]) =>
  app.db.selectFrom('runs').select(['task_id', 'state']).where('task_id', 'in', ids).execute()

test('two people at once, in opposite orders, start each task once; what is deleted meanwhile has no run', async () => {
  const tasks = await Promise.all(Array.from({ length: 60 }, () => aSyncTask(app.db)))
  const ids = tasks.map(({ id }) => id)
  const bob = await app.signIn('bob@example.com')
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
  expect(gone.size).toBeGreaterThan(0)
  const orphans = app.db
    .selectFrom('runs')
    .select('id')
    .where('task_id', 'is', null)
    .where('state', '=', 'queued')
  expect(await orphans.execute()).toEqual([])
})

test('10,000 tasks are run, stopped, switched and deleted by one call each', async () => {
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
  const ids = (await app.db.selectFrom('tasks').select('id').execute()).map(({ id }) => id)
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

test('the quota time of a run is that of the last receipts, by account and project; what starts nothing or uses no Google takes none', async () => {
  const person = await aUser(app.db)
  const receipt = (fields: object) => JSON.stringify({ receipt: true, ...fields })
  const copied = async (reads: number, writes: number, fields: object = {}) => {
    const task = await aSyncTask(app.db, { account_user_id: person.id, ...fields })
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
  const fresh = await aSyncTask(app.db, { account_user_id: person.id })
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
