import { beforeEach, expect, test } from 'vitest'
import { type SignedIn, type TestApp, testApp } from '../../../../test/fixtures/app.ts'
import { bulkCall, endUndoTime, outcomesOf, undoBulk } from '../../../../test/fixtures/bulk.ts'
import { aRun, aSourceTask, aTaskOfTab, aType, aUser } from '../../../../test/fixtures/factories.ts'
import { tasksBulk } from '../../../contract/bulk/calls.ts'
import { bulkServerMessages as messages } from '../../../contract/bulk/server-messages.ts'
import { taskMessages } from '../../../contract/tasks/client-messages.ts'
import { carryOutDeletions } from './commands/carry-out-deletions.ts'

let app: TestApp
let ada: SignedIn

beforeEach(async () => {
  app = await testApp()
  ada = await app.signIn('ada@example.com')
})

const taskOf = (id: number) => app.db.selectFrom('tasks').selectAll().where('id', '=', id).executeTakeFirst()
const namesLeft = async (...ids: number[]) =>
  (await app.db.selectFrom('tasks').select('name').where('id', 'in', ids).orderBy('id').execute()).map(
    ({ name }) => name,
  )

test('an undo restores previous values, except of tasks that another user has changed since, which it lists', async () => {
  const [one, two, three] = [
    await aTaskOfTab(app.db, { name: 'One' }),
    await aTaskOfTab(app.db, { name: 'Two' }),
    await aTaskOfTab(app.db, { name: 'Three' }),
  ]
  const bob = await app.signIn('bob@example.com')
  const ids = [one.id, two.id, three.id]
  const { bulk_id, undo_until } = await bulkCall(app, ada, { action: 'deactivate', ids })
  expect(Date.parse(undo_until ?? '')).toBeGreaterThan(Date.now())
  await bob.request('PUT', `/api/sync_tasks/${two.id}`, { start_row: 3 })
  await bob.request('DELETE', `/api/sync_tasks/${three.id}`)
  const reply = (await undoBulk(ada, bulk_id)).json()
  expect(outcomesOf(reply)).toEqual([
    ['One', 'done', messages.restored('One')],
    ['Two', 'refused', messages.changed_since('Two')],
    [null, 'unknown', `There is no sync or source task ${three.id}`],
  ])
  expect([(await taskOf(one.id))?.is_active, (await taskOf(two.id))?.is_active]).toEqual([true, false])
  // A repeated request changes nothing and gets the same reply.
  await bulkCall(app, bob, { action: 'deactivate', ids: [one.id] })
  expect((await undoBulk(ada, bulk_id)).json()).toEqual(reply)
  expect((await taskOf(one.id))?.is_active).toBe(false)
})

test('type, schedule and accounts are restored as they were, with the place in the list', async () => {
  const bob = await aUser(app.db, { email: 'bob@example.com', shares_grant: true })
  const fields = {
    scheduled_times: ['04:00', '05:00'],
    relevant_user_accounts: ['bob@example.com'],
    account_user_id: bob.id,
  }
  const task = await aTaskOfTab(app.db, { sort_order: 4, ...fields })
  const other = await aType(app.db)
  const before = await taskOf(task.id)
  const changes = [
    { action: 'change_type', task_type_id: other.id },
    { action: 'change_schedule', scheduled_times: [] },
    { action: 'change_account', relevant_user_accounts: [], use_my_account: true },
  ] as const
  for (const change of changes) {
    const { updated_at } = (await ada.request('GET', `/api/sync_tasks/${task.id}`)).json()
    const { bulk_id, counts } = await bulkCall(app, ada, { ...change, ids: [{ id: task.id, updated_at }] })
    expect(counts.done, change.action).toBe(1)
    expect(await taskOf(task.id)).not.toMatchObject({ ...before, updated_at: expect.any(Date) })
    expect((await undoBulk(ada, bulk_id)).json().counts.done, change.action).toBe(1)
    expect(await taskOf(task.id)).toEqual({
      ...before,
      updated_at: expect.any(Date),
      scheduled_since: expect.anything(),
    })
  }
})

test('a type is not restored if another task has taken the name, the type is deleted or the task is running', async () => {
  const [former, gone, target] = [await aType(app.db), await aType(app.db), await aType(app.db)]
  const taken = await aTaskOfTab(app.db, { name: 'Taken', task_type_id: former.id })
  const lost = await aTaskOfTab(app.db, { name: 'Lost', task_type_id: gone.id })
  const live = await aTaskOfTab(app.db, { name: 'Live', task_type_id: former.id })
  const fine = await aTaskOfTab(app.db, { name: 'Fine', task_type_id: former.id })
  const ids = [taken.id, lost.id, live.id, fine.id]
  const { bulk_id } = await bulkCall(app, ada, { action: 'change_type', ids, task_type_id: target.id })
  await aTaskOfTab(app.db, { name: 'Taken', task_type_id: former.id })
  await app.db.deleteFrom('task_types').where('id', '=', gone.id).execute()
  await aRun(app.db, live.id)
  expect(outcomesOf((await undoBulk(ada, bulk_id)).json())).toEqual([
    ['Taken', 'refused', messages.name_taken_since],
    ['Lost', 'refused', messages.type_gone_since],
    ['Live', 'refused', taskMessages.live_edit],
    ['Fine', 'done', messages.restored('Fine')],
  ])
})

test('an acknowledgement is withdrawn unless another user has acknowledged again', async () => {
  const warnings = JSON.stringify([{ id: 'a', message: 'Formulas are overwritten' }])
  const [one, two] = [await aTaskOfTab(app.db, { name: 'One' }), await aTaskOfTab(app.db, { name: 'Two' })]
  for (const { id } of [one, two])
    await aRun(app.db, id, { state: 'warning', finished_at: new Date(), warnings })
  const bob = await app.signIn('bob@example.com')
  const { bulk_id } = await bulkCall(app, ada, { action: 'acknowledge', ids: [one.id, two.id] })
  await bob.request('POST', `/api/sync_tasks/${two.id}/warnings/take_back`, { warning_ids: ['a'] })
  await bob.request('POST', `/api/sync_tasks/${two.id}/warnings/acknowledge`, { warning_ids: ['a'] })
  const reply = (await undoBulk(ada, bulk_id)).json()
  expect(reply.results.map(({ status }: { status: string }) => status)).toEqual(['done', 'refused'])
  const left = await app.db
    .selectFrom('acknowledged_warnings')
    .select(['task_id', 'acknowledged_by'])
    .execute()
  expect(left).toEqual([{ task_id: two.id, acknowledged_by: 'bob@example.com' }])
})

test('only the caller can undo a call, and only within its period', async () => {
  const task = await aTaskOfTab(app.db)
  const bob = await app.signIn('bob@example.com')
  const { bulk_id } = await bulkCall(app, ada, { action: 'deactivate', ids: [task.id] })
  expect((await undoBulk(bob, bulk_id)).statusCode).toBe(404)
  expect((await bob.request('GET', `/api/tasks/bulk/${bulk_id}`)).statusCode).toBe(404)
  await endUndoTime(app, bulk_id)
  const late = await undoBulk(ada, bulk_id)
  expect([late.statusCode, late.json().code]).toEqual([409, 'undo_expired'])
  expect((await taskOf(task.id))?.is_active).toBe(false)
})

test('a deletion can be cancelled for ten seconds, and nothing is deleted then', async () => {
  const task = await aTaskOfTab(app.db, { name: 'Copy' })
  const reply = await bulkCall(app, ada, { action: 'delete', ids: [task.id] })
  expect(outcomesOf(reply)).toEqual([['Copy', 'done', messages.deleted_later('Copy')]])
  await carryOutDeletions(app.db)
  expect(await namesLeft(task.id)).toEqual(['Copy'])
  expect(outcomesOf((await undoBulk(ada, reply.bulk_id)).json())).toEqual([
    ['Copy', 'done', messages.delete_cancelled('Copy')],
  ])
  await endUndoTime(app, reply.bulk_id)
  await carryOutDeletions(app.db)
  expect(await namesLeft(task.id)).toEqual(['Copy'])
})

test('a deletion is executed once after its delay, also by a process started since, and refuses tasks that are running by then', async () => {
  const [idle, busy, gone] = [
    await aTaskOfTab(app.db, { name: 'Idle' }),
    await aTaskOfTab(app.db, { name: 'Busy' }),
    await aSourceTask(app.db, { name: 'Gone' }),
  ]
  const ids = [idle.id, busy.id, gone.id, 99_999]
  const { bulk_id } = await bulkCall(app, ada, { action: 'delete', ids })
  await aRun(app.db, busy.id)
  await app.db.deleteFrom('tasks').where('id', '=', gone.id).execute()
  await endUndoTime(app, bulk_id)
  const restarted = await testApp({ database: app.database })
  await Promise.all([carryOutDeletions(app.db), carryOutDeletions(restarted.db)])
  expect(await namesLeft(...ids)).toEqual(['Busy'])
  const late = await undoBulk(ada, bulk_id)
  expect([late.statusCode, late.json().code]).toEqual([409, 'undo_expired'])
  const call = (await ada.request('GET', `/api/tasks/bulk/${bulk_id}`)).json()
  expect([call.state, ...outcomesOf(call.result)]).toEqual([
    'carried_out',
    ['Idle', 'done', 'Idle is deleted'],
    ['Busy', 'refused', taskMessages.live_delete],
    ['Gone', 'unknown', `There is no sync or source task ${gone.id}`],
    [null, 'unknown', 'There is no sync or source task 99999'],
  ])
  const audited = await app.db
    .selectFrom('audit_log')
    .select(['actor', 'object_id'])
    .where('action', '=', 'delete')
    .execute()
  expect(audited).toEqual([{ actor: 'ada@example.com', object_id: String(idle.id) }])
})

test('every user sees which tasks are about to be deleted and who asked for it, until it is undone or carried out', async () => {
  const [one, two] = [await aTaskOfTab(app.db, { name: 'One' }), await aTaskOfTab(app.db, { name: 'Two' })]
  const bob = await app.signIn('bob@example.com')
  const leaving = async (person: SignedIn) =>
    tasksBulk.leaving.reply.parse((await person.request('GET', '/api/tasks/leaving')).json())
  expect(await leaving(bob)).toEqual([])
  const ids = [one.id, two.id]
  const { bulk_id } = await bulkCall(app, ada, { action: 'delete', ids })
  const mark = { bulk_id, task_ids: ids, by: 'ada@example.com' }
  expect(await leaving(ada)).toEqual([{ ...mark, is_own: true }])
  expect(await leaving(bob)).toEqual([{ ...mark, is_own: false }])
  expect((await undoBulk(bob, bulk_id)).statusCode).toBe(404)
  await undoBulk(ada, bulk_id)
  expect(await leaving(bob)).toEqual([])
  const again = await bulkCall(app, ada, { action: 'delete', ids: [one.id] })
  expect((await leaving(bob)).map(({ task_ids }) => task_ids)).toEqual([[one.id]])
  await endUndoTime(app, again.bulk_id)
  await carryOutDeletions(app.db)
  expect(await leaving(bob)).toEqual([])
  expect(await taskOf(one.id)).toBeUndefined()
})
