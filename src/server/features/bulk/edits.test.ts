import { beforeEach, expect, test } from 'vitest'
import { type SignedIn, type TestApp, testApp } from '../../../../test/fixtures/app.ts'
import { bulkCall, outcomesOf, sendBulk } from '../../../../test/fixtures/bulk.ts'
import { aRun, aSourceTask, aTaskOfTab, aType, aUser } from '../../../../test/fixtures/factories.ts'
import { aToken, withToken } from '../../../../test/fixtures/tokens.ts'
import { bulkServerMessages as messages } from '../../../contract/bulk/server-messages.ts'
import { syncTaskMessages } from '../../../contract/sync-tasks/client-messages.ts'
import { frameMessages } from '../../../contract/system/client-messages.ts'
import { taskMessages } from '../../../contract/tasks/client-messages.ts'
import { taskServerMessages } from '../../../contract/tasks/server-messages.ts'

let app: TestApp
let ada: SignedIn

beforeEach(async () => {
  app = await testApp()
  ada = await app.signIn('ada@example.com')
})

const tasksOf = async (...ids: number[]) => {
  const rows = await app.db
    .selectFrom('tasks')
    .select([
      'id',
      'task_type_id',
      'sort_order',
      'scheduled_times',
      'relevant_user_accounts',
      'account_user_id',
      'updated_at',
    ])
    .where('id', 'in', ids)
    .execute()
  return ids.map((id) => {
    const row = rows.find((one) => one.id === id)
    if (row === undefined) throw new Error(`No task ${id}`)
    return row
  })
}

const idOf = async (email: string) =>
  (await app.db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirstOrThrow()).id

test('change_type moves tasks to the end of a type in their order; refused and unknown tasks do not affect the others', async () => {
  const shops = await aType(app.db, { name: 'Shops' })
  const markets = await aType(app.db, { name: 'Markets' })
  await aTaskOfTab(app.db, { name: 'Taken', task_type_id: markets.id, sort_order: 7 })
  const [one, two, taken, live] = [
    await aTaskOfTab(app.db, { name: 'One', task_type_id: shops.id }),
    await aTaskOfTab(app.db, { name: 'Two', task_type_id: shops.id }),
    await aTaskOfTab(app.db, { name: 'Taken', task_type_id: shops.id }),
    await aTaskOfTab(app.db, { name: 'Live', task_type_id: shops.id }),
  ]
  const there = await aTaskOfTab(app.db, { name: 'There', task_type_id: markets.id, sort_order: 3 })
  const twin = await aTaskOfTab(app.db, { name: 'Two', task_type_id: (await aType(app.db)).id })
  const source = await aSourceTask(app.db, { name: 'Source' })
  await aRun(app.db, live.id, { state: 'queued' })
  const [before] = await tasksOf(taken.id)
  const ids = [two.id, one.id, taken.id, live.id, there.id, twin.id, source.id, 99_999]
  const reply = await bulkCall(app, ada, { action: 'change_type', ids, task_type_id: markets.id })
  expect(outcomesOf(reply)).toEqual([
    ['Two', 'done', messages.type_changed('Two', 'Markets')],
    ['One', 'done', messages.type_changed('One', 'Markets')],
    ['Taken', 'refused', syncTaskMessages.name_taken],
    ['Live', 'refused', taskMessages.live_edit],
    ['There', 'skipped', messages.type_same('There')],
    ['Two', 'refused', syncTaskMessages.name_taken],
    ['Source', 'refused', messages.type_of_others('Markets', 'sync')],
    [null, 'unknown', 'There is no sync or source task 99999'],
  ])
  const moved = await tasksOf(two.id, one.id, taken.id)
  expect(moved.map((task) => [task.task_type_id, task.sort_order])).toEqual([
    [markets.id, 8],
    [markets.id, 9],
    [shops.id, before?.sort_order],
  ])
})

test('change_type to none takes the type from source tasks only; a type that does not exist is refused by field', async () => {
  const source = await aSourceTask(app.db, {
    name: 'Source',
    task_type_id: (await aType(app.db, { category: 'source' })).id,
  })
  const copy = await aTaskOfTab(app.db, { name: 'Copy' })
  const reply = await bulkCall(app, ada, {
    action: 'change_type',
    ids: [source.id, copy.id],
    task_type_id: null,
  })
  expect(outcomesOf(reply)).toEqual([
    ['Source', 'done', messages.type_removed('Source')],
    ['Copy', 'refused', messages.type_required],
  ])
  const gone = await sendBulk(app, ada, { action: 'change_type', ids: [copy.id], task_type_id: 99_999 })
  expect([gone.statusCode, gone.json().field]).toEqual([422, 'task_type_id'])
})

test('change_schedule sets the times of sync tasks; source tasks have the schedule of their type', async () => {
  const copy = await aTaskOfTab(app.db, { name: 'Copy' })
  const same = await aTaskOfTab(app.db, { name: 'Same', scheduled_times: ['05:00'] })
  const source = await aSourceTask(app.db, { name: 'Source' })
  const reply = await bulkCall(app, ada, {
    action: 'change_schedule',
    ids: [copy.id, { category: 'sync', id: same.id }, { category: 'sync', id: source.id }, source.id],
    scheduled_times: ['05:00'],
  })
  // The category of the first mention of an id decides.
  expect(outcomesOf(reply)).toEqual([
    ['Copy', 'done', messages.schedule_changed('Copy')],
    ['Same', 'skipped', messages.schedule_same('Same')],
    [null, 'unknown', `There is no sync or source task ${source.id}`],
  ])
  const mixed = await bulkCall(app, ada, {
    action: 'change_schedule',
    ids: [source.id],
    scheduled_times: ['06:00'],
  })
  expect(outcomesOf(mixed)).toEqual([['Source', 'refused', messages.schedule_of_type]])
  expect((await tasksOf(copy.id))[0]?.scheduled_times).toEqual(['05:00'])
  const wrong = await sendBulk(app, ada, {
    action: 'change_schedule',
    ids: [copy.id],
    scheduled_times: ['25:00'],
  })
  expect([wrong.statusCode, wrong.json().field]).toEqual([400, 'scheduled_times.0'])
})

test('change_account assigns the caller’s account only to the version that the caller has seen', async () => {
  const bob = await aUser(app.db, { email: 'bob@example.com' })
  const of = (name: string) => aTaskOfTab(app.db, { name, account_user_id: bob.id })
  const [seen, changed, unseen] = [await of('Seen'), await of('Changed'), await of('Unseen')]
  const api = await aSourceTask(app.db, { name: 'Api', definition: { source_type: 'database' } })
  const versions = await tasksOf(seen.id, changed.id)
  // Another editor changes what a run would read after the list was loaded.
  await ada.request('PUT', `/api/sync_tasks/${changed.id}`, { name: 'Changed' })
  const ids = [...versions.map(({ id, updated_at }) => ({ id, updated_at })), unseen.id, api.id]
  const reply = await bulkCall(app, ada, { action: 'change_account', ids, use_my_account: true })
  expect(outcomesOf(reply)).toEqual([
    ['Seen', 'done', messages.account_changed('Seen')],
    ['Changed', 'refused', frameMessages.stale_update],
    ['Unseen', 'refused', messages.version_required],
    ['Api', 'skipped', messages.account_unused('Api')],
  ])
  const me = await idOf('ada@example.com')
  const accounts = (await tasksOf(seen.id, changed.id, unseen.id)).map((task) => task.account_user_id)
  expect(accounts).toEqual([me, bob.id, bob.id])
})

test('change_account adds only accounts that are shared, or that run the task', async () => {
  const shared = await aUser(app.db, { email: 'shared@example.com', shares_grant: true })
  const owner = await aUser(app.db, { email: 'owner@example.com' })
  const own = await aTaskOfTab(app.db, { name: 'Own', account_user_id: owner.id })
  const other = await aTaskOfTab(app.db, { name: 'Other', account_user_id: shared.id })
  const reply = await bulkCall(app, ada, {
    action: 'change_account',
    ids: [own.id, other.id],
    relevant_user_accounts: ['shared@example.com', 'owner@example.com'],
  })
  expect(outcomesOf(reply)).toEqual([
    ['Own', 'done', messages.account_changed('Own')],
    ['Other', 'refused', taskServerMessages.account_not_shared('owner@example.com')],
  ])
  const [first, second] = await tasksOf(own.id, other.id)
  expect(first?.relevant_user_accounts).toEqual(['shared@example.com', 'owner@example.com'])
  expect(second?.relevant_user_accounts).toEqual([])
  const nothing = await sendBulk(app, ada, { action: 'change_account', ids: [own.id] })
  expect([nothing.statusCode, nothing.json().message]).toEqual([
    400,
    'Give use_my_account, relevant_user_accounts or both.',
  ])
})

test('acknowledge acknowledges all warnings of the last runs', async () => {
  const warnings = JSON.stringify([
    { id: 'a', message: 'Formulas are overwritten' },
    { id: 'b', message: 'Dates are text' },
  ])
  const warned = await aTaskOfTab(app.db, { name: 'Warned' })
  const fine = await aTaskOfTab(app.db, { name: 'Fine' })
  await aRun(app.db, warned.id, { state: 'warning', finished_at: new Date(), warnings })
  const reply = await bulkCall(app, ada, { action: 'acknowledge', ids: [warned.id, fine.id] })
  expect(outcomesOf(reply)).toEqual([
    ['Warned', 'done', messages.acknowledged('Warned')],
    ['Fine', 'skipped', messages.nothing_to_acknowledge('Fine')],
  ])
  const listed = (await ada.request('GET', `/api/sync_tasks/${warned.id}`)).json()
  expect([
    listed.task_status,
    listed.run_warnings.map((one: { acknowledged: { by: string } }) => one.acknowledged.by),
  ]).toEqual(['Success', ['ada@example.com', 'ada@example.com']])
})

test('a filter selects the tasks that match at the time of the call', async () => {
  const type = await aType(app.db)
  const failed = await aTaskOfTab(app.db, { name: 'Shop 1', task_type_id: type.id })
  const never = await aTaskOfTab(app.db, { name: 'Shop 2', task_type_id: type.id })
  await aTaskOfTab(app.db, { name: 'Shop 3' })
  await aRun(app.db, failed.id, { state: 'failed', finished_at: new Date() })
  const named = async (filter: object) =>
    (await bulkCall(app, ada, { action: 'activate', filter: { category: 'sync', ...filter } })).results.map(
      ({ name }) => name,
    )
  expect(await named({ task_type_id: type.id })).toEqual(['Shop 1', 'Shop 2'])
  expect(await named({ state: 'failed' })).toEqual(['Shop 1'])
  expect(await named({ state: 'never_run', search: ' shop 2 ' })).toEqual(['Shop 2'])
  expect(await named({ search: String(never.id) })).toEqual(['Shop 2'])
  expect(await named({ is_active: false })).toEqual([])
})

test.each([
  ['neither ids nor a filter', {}],
  ['both', { ids: [1], filter: { category: 'sync' } }],
  ['a parameter of another action', { ids: [1], scheduled_times: [] }],
  ['an unknown category', { ids: [{ category: 'other', id: 1 }] }],
])('%s is refused', async (_what, body) => {
  expect((await sendBulk(app, ada, { action: 'activate', ...body })).statusCode).toBe(400)
})

test('an action that does not exist is refused with those that do', async () => {
  const reply = await ada.request('POST', '/api/tasks/bulk', { action: 'rename', ids: [1] })
  expect([reply.statusCode, reply.json().message]).toEqual([
    400,
    expect.stringMatching(/^action must be .*change_type/),
  ])
  const none = await ada.request('POST', '/api/tasks/bulk', { ids: [1] })
  expect([none.statusCode, none.json().message]).toEqual([400, 'action is required'])
})

test('every action but run and stop needs a token with the right to edit', async () => {
  const task = await aTaskOfTab(app.db)
  const send = withToken(app.app, await aToken(ada, 'run'))
  const bodies = [
    { action: 'acknowledge' },
    { action: 'change_type', task_type_id: task.task_type_id },
    { action: 'change_schedule', scheduled_times: [] },
    { action: 'change_account', use_my_account: true },
    { action: 'delete' },
  ]
  for (const body of bodies)
    expect((await send('POST', '/api/tasks/bulk', { ...body, ids: [task.id] })).statusCode, body.action).toBe(
      403,
    )
})
