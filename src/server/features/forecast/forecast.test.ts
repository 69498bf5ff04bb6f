import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { alarmsSite } from '../../../../test/fixtures/alarms.ts'
import { addTasks } from '../../../../test/fixtures/engine.ts'
import { aConnectedUser, aSpreadsheetId } from '../../../../test/fixtures/factories.ts'
import { aToken, withToken } from '../../../../test/fixtures/tokens.ts'
import { type ReadyBy, readyBy } from '../../../contract/forecast/calls.ts'

const PATH = '/api/ready_by'
const HOUR_MS = 3_600_000

type Site = Awaited<ReturnType<typeof alarmsSite>>
let world: Site
beforeAll(async () => {
  world = await alarmsSite({ SCHEDULE_TIME_ZONE: 'UTC' })
})
beforeEach(async () => {
  await world.site.db.deleteFrom('tasks').execute()
  await world.site.db.deleteFrom('task_types').execute()
})

/** The time of day so many hours from now. */
const after = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString().slice(11, 16)

/** Adds sync tasks that are due at a time, each with a successful run of so many seconds and requests. */
async function tasksAt(time: string, count: number, { seconds = 60, requests = 0, slots = 1 } = {}) {
  const { db } = world.site
  const { type_id, task_ids } = await addTasks(db, count, { name: 'Shops' })
  const { user_id } = await aConnectedUser(db)
  await db
    .updateTable('task_types')
    .set({ allowed_concurrent_tasks: slots })
    .where('id', '=', type_id)
    .execute()
  await db
    .updateTable('tasks')
    .set({ scheduled_times: [time], account_user_id: user_id })
    .where('task_type_id', '=', type_id)
    .execute()
  const receipt = JSON.stringify({ reads: requests, writes: requests })
  await sql`
    with added as (
      insert into runs (task_id, category, task_name, trigger, definition, state, started_at, finished_at, receipt)
      select id, category, name, 'manual', '{}', 'success', now() - ${seconds} * interval '1 second', now(), ${receipt}::jsonb
      from tasks where task_type_id = ${type_id} returning id, task_id
    )
    update tasks t set last_run_id = added.id, last_success_run_id = added.id from added where added.task_id = t.id`.execute(
    db,
  )
  return { type_id, task_ids }
}

const save = (body: object) => world.ada.request('PUT', PATH, body)

async function forecast(query = ''): Promise<ReadyBy[]> {
  const reply = await world.ada.request('GET', `${PATH}${query}`)
  expect(reply.statusCode, reply.body).toBe(200)
  return readyBy.list.reply.parse(reply.json())
}

test('a type is ready when the last of its tasks has ended, and is not late before its deadline', async () => {
  const due = after(10)
  const { type_id } = await tasksAt(due, 10, { seconds: 60 })
  await save({ kind: 'type', id: type_id, ready_by: after(11) })
  const [one] = await forecast()
  expect(one).toMatchObject({
    name: 'Shops',
    category: 'sync',
    kind: 'type',
    is_late: false,
    reason: '',
    suggestion: '',
  })
  // Ten tasks of a minute, one after the other.
  expect(new Date(one?.ready_at ?? 0).getTime() - Date.parse(one?.deadline ?? '')).toBe(-50 * 60_000)
  // One run of each task is too little for a percentile.
  expect(one).toMatchObject({
    tasks: 10,
    measured_tasks: 10,
    measured_runs: 10,
    ready_at_worst: null,
    moves: [],
  })
})

test('a type that will be late is reported before its deadline, with the reason and a start time that would meet it', async () => {
  const { type_id } = await tasksAt(after(10), 67, { seconds: 60 })
  const ready_by = after(11)
  await save({ kind: 'type', id: type_id, ready_by })
  const [one] = await forecast()
  expect(one).toMatchObject({ is_late: true, ready_by })
  expect(one?.reason).toMatch(
    /^7 runs will end 7 minutes late, at \d\d:\d\d: waiting 66 minutes for other runs of the type\.$/,
  )
  expect(one?.suggestion).toMatch(/^Move these 7 to \d\d:\d\d\.$/)
  // The suggested time is enough.
  const [, time = ''] = /to (\d\d:\d\d)/.exec(one?.suggestion ?? '') ?? []
  const late = world.site.db
    .selectFrom('tasks')
    .select('id')
    .where('task_type_id', '=', type_id)
    .orderBy('sort_order', 'desc')
    .limit(7)
  const moved = (await late.execute()).map(({ id }) => id)
  expect(one?.moves).toEqual([{ ids: moved.sort((a, b) => a - b), scheduled_times: [time] }])
  expect(one?.late_task_ids.toSorted((a, b) => a - b)).toEqual(moved)
  await world.ada.request('POST', '/api/tasks/bulk', { action: 'change_schedule', ...one?.moves[0] })
  expect(await forecast('?fresh=true')).toMatchObject([{ is_late: false, moves: [] }])
})

test('a move keeps the other times of a task, and is not offered for runs that another schedule starts', async () => {
  const due = after(10)
  const { type_id } = await tasksAt(due, 67, { seconds: 60 })
  const ready_by = after(11)
  const schedule = (times: string[]) =>
    world.site.db
      .updateTable('tasks')
      .set({ scheduled_times: times })
      .where('task_type_id', '=', type_id)
      .execute()
  await save({ kind: 'type', id: type_id, ready_by })
  const later = after(15)
  await schedule([due, later])
  const [one] = await forecast('?fresh=true')
  const [, time = ''] = /to (\d\d:\d\d)/.exec(one?.suggestion ?? '') ?? []
  expect(one?.moves).toMatchObject([{ scheduled_times: [time, later].sort() }])
  await schedule([])
  await world.ada.request('POST', '/api/sync_tasks/schedule_run_all', { scheduled_times: [due] })
  const [all] = await forecast('?fresh=true')
  await world.ada.request('POST', '/api/sync_tasks/schedule_run_all', { scheduled_times: [] })
  expect(all).toMatchObject({ is_late: true, suggestion: expect.stringMatching(/^Move these/), moves: [] })
})

test('a target spreadsheet is ready when the last task that writes to it has ended', async () => {
  const { task_ids } = await tasksAt(after(10), 3, { seconds: 60 })
  const spreadsheet_id = aSpreadsheetId()
  await world.site.db
    .insertInto('sync_tasks')
    .values(
      task_ids.slice(1).map((task_id) => ({
        task_id,
        source_type: 'sheet' as const,
        source_ss_id: aSpreadsheetId(),
        target_ss_id: spreadsheet_id,
        target_ss_name: 'Shop',
        target_sheet_name: `Tab ${task_id}`,
      })),
    )
    .execute()
  await save({ kind: 'spreadsheet', spreadsheet_id, ready_by: after(9.9) })
  await save({ kind: 'spreadsheet', spreadsheet_id, ready_by: after(11) })
  expect(await forecast()).toMatchObject([
    {
      kind: 'spreadsheet',
      id: null,
      spreadsheet_id,
      name: 'Shop',
      category: 'sync',
      tasks: 2,
      is_late: false,
    },
  ])
  await world.site.db.updateTable('tasks').set({ is_active: false }).execute()
  expect(await forecast('?fresh=true')).toMatchObject([
    { ready_at: null, reason: 'No active sync task writes to this spreadsheet.' },
  ])
  await save({ kind: 'spreadsheet', spreadsheet_id, ready_by: null })
  expect(await forecast()).toEqual([])
  const unknown = await save({ kind: 'spreadsheet', spreadsheet_id: 'a'.repeat(44), ready_by: '07:00' })
  expect(unknown.statusCode).toBe(404)
  expect(unknown.json()).toMatchObject({ message: 'No sync task writes to a spreadsheet with this id.' })
})

test('tasks that have ended and are not due again are ready; one that failed will not be', async () => {
  const { type_id, task_ids } = await tasksAt(after(-1), 2)
  await save({ kind: 'type', id: type_id, ready_by: after(5) })
  const [one] = await forecast()
  expect(one).toMatchObject({ is_ready: true, is_late: false, reason: '' })
  expect(Date.parse(one?.ready_at ?? '')).toBeLessThanOrEqual(Date.now())
  await sql`update runs set state = 'failed' where task_id = ${task_ids[0]}`.execute(world.site.db)
  await sql`update tasks set last_success_run_id = null where id = ${task_ids[0]}`.execute(world.site.db)
  expect(await forecast('?fresh=true')).toMatchObject([
    {
      is_ready: false,
      is_late: true,
      reason: 'The last run of a task failed, and it is not scheduled again before this time.',
      suggestion: 'Run it again.',
      measured_tasks: 1,
    },
  ])
})

test('a task is overdue if it was not ready at the previous deadline and its last run has not succeeded', async () => {
  const { type_id, task_ids } = await tasksAt(after(10), 4)
  const [failed = 0, late = 0, stopped = 0] = task_ids
  await sql`update tasks set created_at = created_at - interval '9 days'`.execute(world.site.db)
  await sql`update runs set finished_at = finished_at - interval '3 days', started_at = started_at - interval '3 days'
    where task_id <> ${late}`.execute(world.site.db)
  const { rows } = await sql<{ id: number; task_id: number }>`
    insert into runs (task_id, category, task_name, trigger, definition, state, started_at, finished_at)
    select id, category, name, 'schedule', '{}', case id when ${stopped} then 'stopped' else 'failed' end, now(), now()
    from tasks where id in (${failed}, ${late}, ${stopped}) returning id, task_id`.execute(world.site.db)
  for (const { id, task_id } of rows)
    await world.site.db.updateTable('tasks').set({ last_run_id: id }).where('id', '=', task_id).execute()
  await save({ kind: 'type', id: type_id, ready_by: after(11) })
  const [one] = await forecast()
  // One of them has succeeded an hour ago, and the fourth only has not been due.
  expect(one?.overdue_task_ids.toSorted((a, b) => a - b)).toEqual([failed, stopped])
  expect(one?.late_task_ids).toEqual([])
  await sql`update tasks set created_at = now()`.execute(world.site.db)
  expect((await forecast('?fresh=true'))[0]?.overdue_task_ids).toEqual([])
})

test('concurrent tasks wait for the quota', async () => {
  const { type_id, task_ids } = await tasksAt(after(10), 100, { seconds: 30, requests: 10, slots: 100 })
  await save({ kind: 'type', id: type_id, ready_by: after(10.1) })
  await save({ kind: 'task', id: task_ids[0] ?? 0, ready_by: after(20) })
  const [late, other] = await forecast()
  // 1,000 reads of one account at 60 per minute.
  expect(late?.reason).toMatch(/for the quota\.$/)
  expect(new Date(late?.ready_at ?? 0).getTime() - Date.parse(late?.deadline ?? '')).toBeGreaterThan(
    9 * 60_000,
  )
  expect(other).toMatchObject({ kind: 'task', id: task_ids[0], is_late: false })
})

test('without a successful run, or with nothing due before the time, there is no forecast, and the reason is given', async () => {
  const { type_id, task_ids } = await tasksAt(after(10), 2)
  await sql`update runs set finished_at = finished_at - interval '3 days', started_at = started_at - interval '3 days'`.execute(
    world.site.db,
  )
  await save({ kind: 'type', id: type_id, ready_by: after(9) })
  expect(await forecast()).toMatchObject([
    { ready_at: null, is_late: false, reason: 'Nothing is scheduled before this time.' },
  ])
  await world.site.db.updateTable('runs').set({ state: 'failed' }).where('task_id', 'in', task_ids).execute()
  await save({ kind: 'type', id: type_id, ready_by: after(11) })
  expect(await forecast()).toMatchObject([
    { ready_at: null, ready_at_worst: null, reason: 'None of its tasks has run successfully yet.' },
  ])
})

test('an alarm of its own kind is raised before the deadline and ends when the forecast is on time again', async () => {
  const { received } = await world.hook({ kinds: ['late'] })
  const { type_id } = await tasksAt(after(10), 67, { seconds: 60 })
  const ready_by = after(11)
  await save({ kind: 'type', id: type_id, ready_by })
  await forecast()
  await world.check()
  const said = () => received.map(({ json }) => String(json.text)).join('\n')
  expect(said()).toMatch(
    new RegExp(
      `Problem: Shops will not be ready by ${ready_by} \\(7 runs will end .* Move these 7 to \\d\\d:\\d\\d\\.\\)`,
    ),
  )
  await save({ kind: 'type', id: type_id, ready_by: after(13) })
  await forecast()
  await world.check()
  expect(said()).toContain(`Resolved: Shops will not be ready by ${ready_by}`)
})

test('null removes a time, deleting its task removes it as well, and an unknown id is 404', async () => {
  const { type_id, task_ids } = await tasksAt(after(10), 1)
  await save({ kind: 'type', id: type_id, ready_by: '07:00' })
  await save({ kind: 'task', id: task_ids[0] ?? 0, ready_by: '07:00' })
  expect((await save({ kind: 'type', id: type_id, ready_by: null })).json()).toMatchObject({
    status: 'success',
  })
  expect(await forecast()).toMatchObject([{ kind: 'task', id: task_ids[0] }])
  await world.site.db.deleteFrom('tasks').execute()
  expect(await forecast()).toEqual([])
  expect((await save({ kind: 'task', id: 999_999, ready_by: '07:00' })).statusCode).toBe(404)
  expect((await save({ kind: 'type', id: 999_999, ready_by: '07:00' })).statusCode).toBe(404)
})

test.each([
  { ready_by: '07:00' },
  { kind: 'target', id: 1, ready_by: '07:00' },
  { kind: 'task', id: 1, ready_by: '24:00' },
  { kind: 'task', id: 1 },
])('a body that names no task or type, or no time of day, is refused: %j', async (body) => {
  expect((await save(body)).statusCode).toBe(400)
})

test('forecasts need a session, and a token that may only read sets no time', async () => {
  expect((await world.site.app.inject({ method: 'GET', url: PATH })).statusCode).toBe(401)
  const asToken = withToken(world.site.app, await aToken(world.ada, 'read'))
  expect((await asToken('GET', PATH)).statusCode).toBe(200)
  expect((await asToken('PUT', PATH, { kind: 'task', id: 1, ready_by: '07:00' })).statusCode).toBe(403)
})
