import { beforeAll, beforeEach, expect, test } from 'vitest'
import { type SignedIn, type TestApp, testApp } from '../../../../test/fixtures/app.ts'
import { aSyncTask, aType } from '../../../../test/fixtures/factories.ts'
import { fieldMessages } from '../../../contract/field-messages.ts'
import { schedules } from '../../../contract/schedules/calls.ts'
import { frameMessages } from '../../../contract/system/client-messages.ts'

const SYNC = '/api/sync_tasks/schedule_run_all'
const SOURCE = '/api/source_schedule/schedule_run_all'

let site: TestApp
let ada: SignedIn
beforeAll(async () => {
  site = await testApp()
  ada = await site.signIn()
})
beforeEach(async () => {
  await site.db.updateTable('run_all_schedules').set({ scheduled_times: [] }).execute()
})

test('both run-all schedules start empty, store the sent times in order, and are independent', async () => {
  const times = async (path: string) => (await ada.request('GET', path)).json().scheduled_times
  expect(await times(SYNC)).toEqual([])
  const saved = await ada.request('POST', SYNC, { scheduled_times: ['23:00', '04:00'] })
  expect([saved.statusCode, saved.json().scheduled_times]).toEqual([200, ['04:00', '23:00']])
  expect(await times(SYNC)).toEqual(['04:00', '23:00'])
  expect(await times(SOURCE)).toEqual([])
  await ada.request('POST', SOURCE, { scheduled_times: ['05:30'] })
  expect(await times(SOURCE)).toEqual(['05:30'])
})

test('an empty list and ["None"] clear the sync schedule, DELETE the source one', async () => {
  for (const none of [[], ['None']]) {
    await ada.request('POST', SYNC, { scheduled_times: ['04:00'] })
    expect((await ada.request('POST', SYNC, { scheduled_times: none })).json()).toMatchObject({
      scheduled_times: [],
    })
  }
  await ada.request('POST', SOURCE, { scheduled_times: ['04:00'] })
  expect((await ada.request('DELETE', SOURCE)).statusCode).toBe(204)
  expect((await ada.request('DELETE', SOURCE)).statusCode).toBe(204)
  expect((await ada.request('GET', SOURCE)).json()).toMatchObject({ scheduled_times: [] })
  expect((await ada.request('DELETE', SYNC)).statusCode).toBe(404)
})

test.each([SYNC, SOURCE])(
  'of two users who edit the times of %s the second gets a conflict and may then save',
  async (path) => {
    const ben = await site.signIn('ben@example.com')
    const read = schedules.syncRunAll.reply.parse((await ada.request('GET', path)).json())
    const save = (person: typeof ada, time: string, updated_at?: string) =>
      person.request('POST', path, { scheduled_times: [time], updated_at })
    expect((await save(ada, '04:00', read.updated_at)).statusCode).toBe(200)
    const second = await save(ben, '05:00', read.updated_at)
    expect([second.statusCode, second.json().message]).toEqual([409, frameMessages.stale_update])
    const fresh = schedules.syncRunAll.reply.parse((await ben.request('GET', path)).json())
    expect(fresh.scheduled_times).toEqual(['04:00'])
    const later = await save(ben, '05:00', fresh.updated_at)
    expect([later.statusCode, later.json().scheduled_times]).toEqual([200, ['05:00']])
    // Without updated_at there is no conflict check.
    expect((await save(ada, '06:00')).statusCode).toBe(200)
  },
)

test.each([SYNC, SOURCE])('of two edits of %s at once exactly one is saved', async (path) => {
  const { updated_at } = (await ada.request('GET', path)).json()
  const times = ['01:00', '02:00', '03:00', '04:00', '05:00']
  const replies = await Promise.all(
    times.map((time) => ada.request('POST', path, { scheduled_times: [time], updated_at })),
  )
  expect(replies.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409, 409, 409, 409])
})

test.each([
  [['4:00'], fieldMessages.time_invalid],
  [['24:00'], fieldMessages.time_invalid],
  [['12:60'], fieldMessages.time_invalid],
  [['04:00', '04:00'], fieldMessages.time_duplicate],
])('times must match 24-hour HH:MM, each once: %j is refused', async (scheduled_times, message) => {
  for (const path of [SYNC, SOURCE]) {
    const refused = await ada.request('POST', path, { scheduled_times })
    expect([refused.statusCode, refused.json().errors[0].message]).toEqual([400, message])
    expect((await ada.request('GET', path)).json()).toMatchObject({ scheduled_times: [] })
  }
})

test('a run-all schedule is the schedule of every active task, and its change is in the audit log', async () => {
  const { db, signIn } = await testApp()
  const ada = await signIn()
  const task = await aSyncTask(db)
  await aSyncTask(db, { is_active: false })
  await ada.request('POST', SYNC, { scheduled_times: ['04:00'] })
  expect(await db.selectFrom('task_schedules').select(['schedule', 'task_id', 'times']).execute()).toEqual([
    { schedule: 'all', task_id: task.id, times: ['04:00'] },
  ])
  const audited = await db
    .selectFrom('audit_log')
    .select(['actor', 'action', 'details'])
    .where('object_type', '=', 'schedule')
    .execute()
  expect(audited).toEqual([
    {
      actor: 'ada@example.com',
      action: 'schedule_run_all',
      details: { category: 'sync', scheduled_times: ['04:00'] },
    },
  ])
})

test('scheduled tasks are the run-alls, types with a cron, and sync tasks with times, as far as they are active', async () => {
  const { db } = site
  const type = await aType(db, { name: 'Catalogue' })
  const task = await aSyncTask(db, {
    name: 'Products',
    task_type_id: type.id,
    scheduled_times: ['23:00', '04:00'],
  })
  await aSyncTask(db, { is_active: false, scheduled_times: ['04:00'] })
  await aSyncTask(db)
  await aType(db, { category: 'source', name: 'Prices', cron_schedule: '0 2 * * *' })
  await aType(db, { category: 'compiler', name: 'Merge', cron_schedule: '0 3 * * *' })
  await aType(db, { category: 'source', name: 'Off', cron_schedule: '0 2 * * *', is_active: false })
  await ada.request('POST', SYNC, { scheduled_times: ['06:00'] })
  await ada.request('POST', SOURCE, { scheduled_times: ['05:00'] })
  await ada.request('POST', '/api/source_schedule/stop')
  const list = schedules.scheduledTasks.reply.parse((await ada.request('GET', '/api/scheduled_tasks')).json())
  expect(list).toEqual([
    { comment: 'Run All', command: 'Run all sync tasks', schedule: '06:00 EST', is_paused: false },
    { comment: 'Run All', command: 'Run all source tasks', schedule: '05:00 EST', is_paused: true },
    {
      comment: 'Prices',
      command: 'Run all source tasks of this type',
      schedule: '0 2 * * * EST',
      is_paused: true,
    },
    { comment: 'Merge', command: 'Compile', schedule: '0 3 * * * EST', is_paused: true },
    {
      comment: 'Products (Catalogue)',
      command: `Run sync task ${task.id}`,
      schedule: '04:00, 23:00 EST',
      is_paused: false,
    },
  ])
})

test('the data of the scheduled tasks screen needs sign-in', async () => {
  expect((await site.app.inject('/api/scheduled_tasks')).statusCode).toBe(401)
})
