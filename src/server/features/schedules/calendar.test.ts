import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { type SignedIn, type TestApp, testApp } from '../../../../test/fixtures/app.ts'
import { addTasks } from '../../../../test/fixtures/engine.ts'
import { aConnectedUser, aRun, aSourceTask, aSyncTask, aType } from '../../../../test/fixtures/factories.ts'
import { aToken, withToken } from '../../../../test/fixtures/tokens.ts'
import type { ScheduleCalendar } from '../../../contract/calendar/calls.ts'
import { schedules } from '../../../contract/schedules/calls.ts'
import { googleQuota } from '../../connectors/google-sheets/client/quota.ts'

const PATH = '/api/schedule_calendar'
const SYNC_RUN_ALL = '/api/sync_tasks/schedule_run_all'
// In Berlin, 02:30 does not exist on the first day and exists twice on the second one.
const SPRING = '2050-03-27'
const AUTUMN = '2050-10-30'
const ORDINARY = '2050-06-15'

let site: TestApp
let ada: SignedIn
beforeAll(async () => {
  site = await testApp({ env: { SCHEDULE_TIME_ZONE: 'Europe/Berlin' } })
  ada = await site.signIn()
})
beforeEach(async () => {
  const { db } = site
  await db.deleteFrom('tasks').execute()
  await db.deleteFrom('task_types').execute()
  await db.updateTable('run_all_schedules').set({ scheduled_times: [], is_paused: false }).execute()
  await db.updateTable('schedule_clock').set({ source_running: true }).execute()
})

async function calendar(query = `?from=${ORDINARY}`): Promise<ScheduleCalendar> {
  const reply = await ada.request('GET', `${PATH}${query}`)
  expect(reply.statusCode, reply.body).toBe(200)
  return schedules.calendar.reply.parse(reply.json())
}

/** Adds sync tasks of one type at one time, each with a successful run of these requests. */
async function tasksAt(
  time: string,
  count: number,
  {
    seconds = 30,
    reads = 2,
    writes = 2,
    ...fields
  }: { seconds?: number; reads?: number; writes?: number; account_user_id?: number } = {},
) {
  const { task_ids } = await addTasks(site.db, count, { name: `At ${time} ${fields.account_user_id ?? ''}` })
  await site.db
    .updateTable('tasks')
    .set({ scheduled_times: [time], ...fields })
    .where('id', 'in', task_ids)
    .execute()
  await measured(task_ids, { seconds, receipt: { reads, writes } })
  return task_ids
}

/** Adds a successful run to each of these tasks. */
async function measured(
  task_ids: readonly number[],
  { seconds, receipt }: { seconds: number; receipt: object },
) {
  await sql`
    with added as (
      insert into runs (task_id, category, task_name, trigger, definition, state, started_at, finished_at, receipt)
      select id, category, name, 'manual', '{}', 'success', now() - ${seconds} * interval '1 second', now(),
        ${JSON.stringify(receipt)}::jsonb
      from tasks where id = any (${[...task_ids]}::int[]) returning id, task_id
    )
    update tasks t set last_run_id = added.id, last_success_run_id = added.id from added where added.task_id = t.id`.execute(
    site.db,
  )
}

const hourOf = ({ hours }: ScheduleCalendar, hour: number) => hours.filter((one) => one.hour === hour)

/** Wall times at which entries with this text are due. */
const clockTimes = ({ from, times }: ScheduleCalendar, text: string) => {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Berlin', timeStyle: 'short' })
  const { minutes = [] } = times.find((one) => one.text === text) ?? {}
  return minutes.map((after) => format.format(new Date(Date.parse(from) + after * 60_000)))
}

test('an hour has the totals of runs, minutes and requests predicted from the last successful runs', async () => {
  const [first = 0] = await tasksAt('07:30', 3, { seconds: 40, reads: 4, writes: 2 })
  // The median of 40 s, 60 s and 600 s.
  await measured([first], { seconds: 600, receipt: { reads: 40, writes: 2 } })
  await measured([first], { seconds: 60, receipt: { reads: 6, writes: 2 } })
  await aRun(site.db, first, { state: 'failed', receipt: JSON.stringify({ reads: 1000, writes: 1000 }) })
  const day = await calendar()
  expect(day.hours).toHaveLength(24)
  expect(hourOf(day, 7)).toMatchObject([
    { date: ORDINARY, runs: 3, run_seconds: 140, reads: 14, writes: 6, seconds: 3600 },
  ])
  expect(hourOf(day, 8)).toMatchObject([{ runs: 0, run_seconds: 0, reads: 0, writes: 0, quota_seconds: 0 }])
  expect(day.unmeasured_tasks).toBe(0)
})

test('without `from` the calendar begins with the current hour: 24 hours, or up to the end of the seventh day', async () => {
  const day = await calendar('')
  expect(Date.parse(day.to) - Date.parse(day.from)).toBe(24 * 3_600_000)
  expect(Date.parse(day.from)).toBeLessThanOrEqual(Date.parse(day.now))
  expect(Date.parse(day.from)).toBeGreaterThan(Date.parse(day.now) - 3_600_000)
  expect(day.hours[0]).toMatchObject({ date: day.today, at: day.from })
  const week = await calendar('?days=7')
  expect(new Set(week.hours.map(({ date }) => date)).size).toBe(7)
  expect(week.from).toBe(day.from)
})

test('several hundred tasks at one minute are a conflict with the time that their account’s quota needs', async () => {
  const { user_id } = await aConnectedUser(site.db)
  await tasksAt('07:30', 330, { account_user_id: user_id })
  await tasksAt('12:00', 5, { account_user_id: user_id })
  const { conflicts } = await calendar()
  // 660 reads at 60 per window; the tasks at noon fit into one.
  const quota_seconds = (660 / googleQuota.account) * (googleQuota.window_ms / 1000)
  expect(conflicts).toEqual([
    {
      at: '2050-06-15T05:30:00.000Z',
      last_at: '2050-06-15T05:30:00.000Z',
      until: new Date(Date.parse('2050-06-15T05:30:00Z') + quota_seconds * 1000).toISOString(),
      runs: 330,
      quota_seconds: Math.ceil(quota_seconds),
    },
  ])
})

test('accounts have quotas of their own, until the quota of the project is the lower one', async () => {
  const people = await Promise.all(Array.from({ length: 6 }, () => aConnectedUser(site.db)))
  for (const { user_id } of people)
    await tasksAt('07:30', 20, { account_user_id: user_id, reads: 3, writes: 9 })
  const [load] = hourOf(await calendar(), 7)
  // 1,080 writes: 180 for each account, 3 windows; 1,080 for the project, 3.6 windows.
  expect(load).toMatchObject({ runs: 120, reads: 360, writes: 1080, quota_seconds: Math.ceil(3.6 * 61) })
})

test('requests of a task with several accounts are divided among those that are shared', async () => {
  const [own, shared, other] = await Promise.all(
    [false, true, false].map(async (shares_grant) => {
      const user = await aConnectedUser(site.db)
      await site.db.updateTable('users').set({ shares_grant }).where('id', '=', user.user_id).execute()
      return user
    }),
  )
  const ids = await tasksAt('07:30', 60, { account_user_id: own?.user_id ?? 0 })
  const relevant_user_accounts = [shared?.email ?? '', other?.email ?? '']
  await site.db.updateTable('tasks').set({ relevant_user_accounts }).where('id', 'in', ids).execute()
  // 120 reads by two accounts.
  expect(hourOf(await calendar(), 7)).toMatchObject([{ quota_seconds: 61 }])
})

test('starts that come before the quota has recovered are one conflict', async () => {
  await tasksAt('07:30', 100)
  await tasksAt('07:32', 100)
  await tasksAt('07:45', 1)
  const { conflicts } = await calendar()
  expect(conflicts).toMatchObject([
    { at: '2050-06-15T05:30:00.000Z', last_at: '2050-06-15T05:32:00.000Z', runs: 200, quota_seconds: 407 },
  ])
})

test('a time in the gap of a clock change is reported, and its runs start after the gap', async () => {
  const { id } = await aType(site.db, { category: 'source', cron_schedule: '*/20 * * * *' })
  await aSourceTask(site.db, { task_type_id: id })
  await tasksAt('02:30', 2)
  await tasksAt('02:00', 1)
  const day = await calendar(`?from=${SPRING}`)
  expect(day.hours.map(({ hour }) => hour)).toEqual([0, 1, ...Array.from({ length: 21 }, (_, n) => n + 3)])
  expect(day.clock_changes).toEqual([
    {
      at: '2050-03-27T01:00:00.000Z',
      date: SPRING,
      from: '02:00',
      to: '03:00',
      skipped_times: ['02:00', '02:30'],
    },
  ])
  expect(clockTimes(day, '02:30')).toEqual(['03:00'])
  expect(clockTimes(day, '*/20 * * * *')).toHaveLength(69)
  // Two at 02:30, one at 02:00, and the source task three times.
  expect(hourOf(day, 3)).toMatchObject([{ runs: 6, seconds: 3600 }])
})

test('a time in a repeated hour is due once, at the first; an interval follows elapsed time', async () => {
  const { id } = await aType(site.db, { category: 'source', cron_schedule: '*/20 * * * *' })
  await aSourceTask(site.db, { task_type_id: id })
  await tasksAt('02:30', 1)
  const day = await calendar(`?from=${AUTUMN}`)
  expect(day.hours).toHaveLength(25)
  expect(day.clock_changes).toMatchObject([{ date: AUTUMN, from: '03:00', to: '02:00', skipped_times: [] }])
  expect(clockTimes(day, '02:30')).toEqual(['02:30'])
  expect(clockTimes(day, '*/20 * * * *')).toHaveLength(75)
  expect(hourOf(day, 2).map(({ runs }) => runs)).toEqual([4, 3])
  const week = await calendar(`?from=${AUTUMN}&days=7`)
  expect(week.hours).toHaveLength(7 * 24 + 1)
  expect(clockTimes(week, '02:30')).toHaveLength(7)
})

test('the next run of an entry is that of the engine’s own schedule', async () => {
  const { id } = await aType(site.db, { category: 'source', cron_schedule: '15 3 * * *', name: 'Nightly' })
  await aSourceTask(site.db, { task_type_id: id })
  const next = (await ada.request('GET', '/api/source_schedule/next_scheduled')).json().next_scheduled_tasks
  const { entries, times } = await calendar('')
  expect(entries).toMatchObject([
    {
      kind: 'type',
      category: 'source',
      id,
      name: 'Nightly',
      command: 'Run all source tasks of this type',
      tasks: 1,
      paused_by: null,
      next_run: next[0].next_run_time,
    },
  ])
  expect(times).toMatchObject([{ text: '15 3 * * *', minutes: [expect.any(Number)] }])
})

test('a paused entry stays in the list without a next run and starts nothing', async () => {
  const [active = 0, inactive = 0] = await tasksAt('07:30', 2)
  const type = await aType(site.db, { category: 'source', cron_schedule: '0 9 * * *' })
  await aSourceTask(site.db, { task_type_id: type.id })
  await ada.request('POST', SYNC_RUN_ALL, { scheduled_times: ['10:00'] })
  expect(hourOf(await calendar(), 10)).toMatchObject([{ runs: 2 }])

  await ada.request('POST', `/api/sync_tasks/${inactive}/toggle_active`, { is_active: false })
  await ada.request('PUT', `/api/source_task_types/${type.id}`, { is_active: false })
  const paused = await ada.request('POST', SYNC_RUN_ALL, { is_paused: true })
  expect(paused.json()).toMatchObject({ scheduled_times: ['10:00'], is_paused: true })
  const day = await calendar()
  expect(day.hours.filter(({ runs }) => runs > 0)).toMatchObject([{ hour: 7, runs: 1 }])
  expect(
    day.entries.map(({ kind, id, paused_by, next_run }) => [kind, id, paused_by, next_run !== null]),
  ).toEqual([
    ['all', null, 'entry', false],
    ['type', type.id, 'entry', false],
    ['task', active, null, true],
    ['task', inactive, 'inactive', false],
  ])
  const list = (await ada.request('GET', '/api/scheduled_tasks')).json()
  expect(list).toMatchObject([{ command: 'Run all sync tasks', is_paused: true }, {}])

  expect((await ada.request('POST', SYNC_RUN_ALL, { is_paused: false })).json()).toMatchObject({
    is_paused: false,
  })
  expect(hourOf(await calendar(), 10)).toMatchObject([{ runs: 1 }])
})

test('a stopped source schedule pauses types and the Run All of source tasks, not sync tasks', async () => {
  await tasksAt('07:30', 1)
  const type = await aType(site.db, { category: 'source', cron_schedule: '0 9 * * *' })
  await aSourceTask(site.db, { task_type_id: type.id })
  await ada.request('POST', '/api/source_schedule/schedule_run_all', { scheduled_times: ['10:00'] })
  await ada.request('POST', '/api/source_schedule/stop')
  const day = await calendar()
  expect(day.entries.map(({ kind, paused_by }) => [kind, paused_by])).toEqual([
    ['all', 'source_schedule'],
    ['type', 'source_schedule'],
    ['task', null],
  ])
  expect(day.hours.filter(({ runs }) => runs > 0).map(({ hour }) => hour)).toEqual([7])
})

test('a paused Run All is not due, and occurrences missed meanwhile are not started later', async () => {
  await aSyncTask(site.db)
  const every = Array.from({ length: 1440 }, (_, minute) =>
    new Date(minute * 60_000).toISOString().slice(11, 16),
  )
  await ada.request('POST', SYNC_RUN_ALL, { scheduled_times: every })
  await site.db
    .updateTable('run_all_schedules')
    .set({ scheduled_since: new Date(0) })
    .execute()
  await site.db
    .updateTable('tasks')
    .set({ created_at: new Date(0) })
    .execute()
  await ada.request('POST', SYNC_RUN_ALL, { is_paused: true })
  await site.db.deleteFrom('due_moments').execute()
  const five_minutes_ago = new Date(Math.floor(Date.now() / 60_000 - 5) * 60_000)
  await site.db.updateTable('schedule_clock').set({ scanned_until: five_minutes_ago }).execute()
  const resumed_at = new Date()
  await ada.request('POST', SYNC_RUN_ALL, { is_paused: false })
  // Records what is due, as a scheduler does.
  await ada.request('POST', '/api/source_schedule/update_next_run_times')
  const passed = site.db.selectFrom('due_moments').select('due_at').where('due_at', '<', resumed_at)
  expect(await passed.execute()).toEqual([])
})

test('a task that its own schedule and Run All request at one time counts once; an unmeasured one as the average of its category', async () => {
  await tasksAt('07:30', 2, { reads: 10, writes: 4, seconds: 50 })
  await aSyncTask(site.db)
  await ada.request('POST', SYNC_RUN_ALL, { scheduled_times: ['07:30'] })
  const day = await calendar()
  expect(hourOf(day, 7)).toMatchObject([{ runs: 3, reads: 30, writes: 12, run_seconds: 150 }])
  expect(day.unmeasured_tasks).toBe(1)
})

test('the calendar requires a session or a token with the right to read, which cannot pause', async () => {
  expect((await site.app.inject({ method: 'GET', url: PATH })).statusCode).toBe(401)
  const asToken = withToken(site.app, await aToken(ada, 'read'))
  expect((await asToken('GET', PATH)).statusCode).toBe(200)
  expect((await asToken('POST', SYNC_RUN_ALL, { is_paused: true })).statusCode).toBe(403)
})

test.each(['?from=2050-02-30', '?from=1999-01-01', '?from=tomorrow', '?days=2', '?days=', '?day=7'])(
  'the range %s is refused',
  async (query) => {
    expect((await ada.request('GET', `${PATH}${query}`)).statusCode).toBe(400)
  },
)

test('a Run All request that changes nothing is refused', async () => {
  const reply = await ada.request('POST', SYNC_RUN_ALL, {})
  expect([reply.statusCode, reply.json().message]).toEqual([400, 'Send scheduled_times, is_paused or both'])
})
