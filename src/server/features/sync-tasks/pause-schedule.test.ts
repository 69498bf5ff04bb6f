import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { type SignedIn, type TestApp, testApp } from '../../../../test/fixtures/app.ts'
import { handlerOf } from '../../../../test/fixtures/engine.ts'
import { aSyncTask, aType } from '../../../../test/fixtures/factories.ts'
import { aToken, withToken } from '../../../../test/fixtures/tokens.ts'
import { recordDue } from '../../engine/schedule/record-due.ts'

let site: TestApp
let ada: SignedIn
beforeAll(async () => {
  site = await testApp({ handlers: [handlerOf(async () => ({ message: 'Done', receipt: null }))] })
  ada = await site.signIn()
})

const pause = (id: number, is_paused: boolean) =>
  ada.request('POST', `/api/sync_tasks/${id}/pause_schedule`, { is_paused })
const read = async (id: number) => (await ada.request('GET', `/api/sync_tasks/${id}`)).json()

const entryOf = async (kind: string, id: number) =>
  (await ada.request('GET', '/api/schedule_calendar'))
    .json()
    .entries.find((one: { kind: string; id: number }) => one.kind === kind && one.id === id)

/** Everything that was due within the last two hours, by its kind of schedule. */
async function dueOf(task_id: number): Promise<string[]> {
  await sql`update schedule_clock set scanned_until = now() - interval '2 hours'`.execute(site.db)
  await recordDue(site.db, 'UTC')
  const due = await site.db
    .selectFrom('due_moments')
    .select('schedule')
    .distinct()
    .where('task_id', '=', task_id)
    .orderBy('schedule')
    .execute()
  await site.db.deleteFrom('due_moments').execute()
  return due.map(({ schedule }) => schedule)
}

/** A task that its own times, its type and Run All run. */
async function scheduled() {
  const hour = new Date(Date.now() - 3_600_000).toISOString().slice(11, 16)
  const long_ago = new Date(0)
  const type = await aType(site.db, { cron_schedule: '* * * * *', scheduled_since: long_ago })
  const task = await aSyncTask(site.db, { task_type_id: type.id })
  await site.db
    .updateTable('tasks')
    .set({ scheduled_times: [hour], created_at: long_ago })
    .where('id', '=', task.id)
    .execute()
  await site.db
    .updateTable('run_all_schedules')
    .set({ scheduled_times: [hour] })
    .where('category', '=', 'sync')
    .execute()
  // A change of the times begins a new series.
  await site.db.updateTable('tasks').set({ scheduled_since: long_ago }).execute()
  await site.db.updateTable('run_all_schedules').set({ scheduled_since: long_ago }).execute()
  return task.id
}

test('a paused task stays active: no schedule runs it, a person does; resumed, all do again', async () => {
  const id = await scheduled()
  expect(await dueOf(id)).toEqual(['all', 'task', 'type'])
  const paused = await pause(id, true)
  expect([paused.statusCode, paused.json().is_schedule_paused]).toEqual([200, true])
  expect(await dueOf(id)).toEqual([])
  const task = await read(id)
  expect(task).toMatchObject({ is_active: true, is_schedule_paused: true })
  expect((await ada.request('POST', `/api/sync_tasks/${id}/execute`)).statusCode).toBe(200)
  await pause(id, false)
  expect(await dueOf(id)).toEqual(['all', 'task', 'type'])
  expect(await read(id)).toMatchObject({ is_schedule_paused: false, updated_at: task.updated_at })
})

test('what became due during the pause is not made up for', async () => {
  const id = await scheduled()
  await pause(id, true)
  await sql`update schedule_clock set scanned_until = now() - interval '2 hours'`.execute(site.db)
  await pause(id, false)
  await recordDue(site.db, 'UTC')
  const missed = await site.db.selectFrom('due_moments').select('id').where('task_id', '=', id).execute()
  expect(missed).toEqual([])
})

test('the calendar and the list of schedules show its own times as paused; the audit log says who paused it', async () => {
  const id = await scheduled()
  await pause(id, true)
  const listed = (await ada.request('GET', '/api/scheduled_tasks')).json()
  expect(listed.find(({ command }: { command: string }) => command.includes(String(id)))).toMatchObject({
    is_paused: true,
  })
  const entry = await entryOf('task', id)
  expect(entry).toMatchObject({ paused_by: 'entry', next_run: null })
  await ada.request('POST', `/api/sync_tasks/${id}/toggle_active`, { is_active: false })
  expect(await entryOf('task', id)).toMatchObject({ paused_by: 'inactive', next_run: null })
  const audited = await site.db
    .selectFrom('audit_log')
    .select(['actor', 'action'])
    .where('object_id', '=', String(id))
    .where('action', 'like', '%schedule')
    .execute()
  expect(audited).toEqual([{ actor: 'ada@example.com', action: 'pause_schedule' }])
})

test('the calendar counts a paused task neither for its type nor for Run All', async () => {
  const id = await scheduled()
  const { sync_task_type_id } = await read(id)
  const all = async () =>
    (await ada.request('GET', '/api/schedule_calendar'))
      .json()
      .entries.find(
        (one: { kind: string; category: string }) => one.kind === 'all' && one.category === 'sync',
      ).tasks
  const before = await all()
  expect(await entryOf('type', sync_task_type_id)).toMatchObject({ tasks: 1 })
  await pause(id, true)
  expect(await entryOf('type', sync_task_type_id)).toMatchObject({ tasks: 0, next_run: null })
  expect(await all()).toBe(before - 1)
})

test('a token needs the right to edit; bad input names the field; an unknown task is none', async () => {
  const id = await scheduled()
  const send = withToken(site.app, await aToken(ada, 'run'))
  expect((await send('POST', `/api/sync_tasks/${id}/pause_schedule`, { is_paused: true })).statusCode).toBe(
    403,
  )
  const bad = await ada.request('POST', `/api/sync_tasks/${id}/pause_schedule`, { is_paused: 'yes' })
  expect([bad.statusCode, bad.json().field]).toEqual([400, 'is_paused'])
  expect((await pause(999_999, true)).statusCode).toBe(404)
  expect(await read(id)).toMatchObject({ is_schedule_paused: false })
})
