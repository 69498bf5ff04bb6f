import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { done, handlerOf, startEngine } from '../../../../test/fixtures/engine.ts'
import { aRun, aSyncTask } from '../../../../test/fixtures/factories.ts'
import { BASE, sourceScheduleWorld } from '../../../../test/fixtures/source-schedule.ts'
import { schedules } from '../../../contract/schedules/calls.ts'
import { scheduleServerMessages } from '../../../contract/schedules/server-messages.ts'

test('status reports the switch, the heartbeat, the check interval and the numbers of queued and running tasks', async () => {
  const { db, get, sources } = await sourceScheduleWorld()
  const { task_ids } = await sources(3)
  const [first = 0, second = 0, third = 0] = task_ids
  await aRun(db, first, { category: 'source' })
  await aRun(db, second, { category: 'source', state: 'running' })
  await aRun(db, third, { category: 'source', state: 'success' })
  await aRun(db, (await aSyncTask(db)).id)
  await sql`update schedule_clock set looked_at = now() - interval '90 seconds'`.execute(db)
  const status = schedules.sourceStatus.reply.parse(await get('status'))
  expect(status).toMatchObject({
    status: 'running',
    check_interval: 60,
    stats: { queue_depth: 1, active_tasks: 1 },
  })
  expect(status.heartbeat_age_seconds).toBeGreaterThanOrEqual(90)
  const { rows } = await sql<{ age: number }>`
    select extract(epoch from now() - looked_at)::float8 as age from schedule_clock`.execute(db)
  expect(status.heartbeat_age_seconds).toBeLessThanOrEqual(Math.ceil(rows[0]?.age ?? 0))
})

test('status reports whether a scheduler is alive and how many workers run source tasks', async () => {
  const { db, get, post, database } = await sourceScheduleWorld()
  await sql`update schedule_clock set looked_at = now() - interval '61 seconds'`.execute(db)
  // Calls of a page are no heartbeat.
  for (const path of ['update_next_run_times', 'stop', 'start']) await post(path)
  expect(await get('status')).toMatchObject({ scheduler_alive: false, workers: 0 })
  await startEngine(database, [handlerOf(async () => done)])
  await expect.poll(() => get('status')).toMatchObject({ scheduler_alive: true, workers: 0 })
  await startEngine(database, [handlerOf(async () => done, { category: 'source' })], { roles: ['worker'] })
  await expect.poll(() => get('status')).toMatchObject({ workers: 1 })
})

test('the check interval is stored and returned, also if the schedule was running already', async () => {
  const { get, post } = await sourceScheduleWorld()
  await post('start', { check_interval: 300 })
  expect(await get('status')).toMatchObject({ check_interval: 300 })
})

test('stop and start switch the schedule; the second time there is nothing to do', async () => {
  const { get, post } = await sourceScheduleWorld()
  expect(await post('stop')).toEqual({
    status: 'success',
    message: scheduleServerMessages.source_schedule_stopped,
  })
  expect(await post('stop')).toMatchObject({ status: 'warning' })
  expect(await get('status')).toMatchObject({ status: 'stopped' })
  expect(await post('start', { check_interval: 30 })).toEqual({
    status: 'success',
    message: scheduleServerMessages.source_schedule_started,
  })
  expect(await post('start')).toMatchObject({ status: 'warning' })
  expect(await get('status')).toMatchObject({ status: 'running', check_interval: 60 })
})

test.each([
  [4, 'must be at least 5'],
  [3601, 'must be at most 3600'],
  [1.5, 'must be a whole number'],
  ['60', 'must be a number'],
  [null, 'must be a number'],
])('a check interval of %j is refused: it %s', async (check_interval, problem) => {
  const { ada } = await sourceScheduleWorld()
  const reply = await ada.request('POST', `${BASE}/start`, { check_interval })
  expect([reply.statusCode, reply.json().message]).toEqual([400, `check_interval ${problem}`])
})

test('a source task without a worker that can run it is queued, too', async () => {
  const { db, ada, sources } = await sourceScheduleWorld([])
  const { type_id, task_ids } = await sources(2)
  for (const path of [`trigger_task/${task_ids[0]}`, `trigger_type/${type_id}`])
    expect((await ada.request('POST', `${BASE}/${path}`)).json(), path).toMatchObject({ status: 'success' })
  expect(await db.selectFrom('runs').select('state').execute()).toEqual([
    { state: 'queued' },
    { state: 'queued' },
  ])
})

test('occurrences due while the schedule was stopped stay missed after a restart', async () => {
  const { db, post, sources } = await sourceScheduleWorld()
  const due = new Date(Math.floor(Date.now() / 60_000 - 2) * 60_000)
  await sources(1, '* * * * *')
  await sql`update task_types set scheduled_since = now() - interval '1 day'`.execute(db)
  await sql`update tasks set created_at = now() - interval '1 day'`.execute(db)
  await post('stop')
  await db.deleteFrom('due_moments').execute()
  await db.updateTable('schedule_clock').set({ scanned_until: due }).execute()
  await post('start')
  const occurrences = await db.selectFrom('due_moments').select(['outcome', 'reason']).execute()
  expect(new Set(occurrences.map(({ outcome }) => outcome))).toEqual(new Set(['missed']))
  expect(occurrences.length).toBeGreaterThan(0)
})

test('occurrences due before the schedule was stopped still start', async () => {
  const { db, post, sources } = await sourceScheduleWorld()
  await sources(1, '* * * * *')
  await sql`update task_types set scheduled_since = now() - interval '1 day'`.execute(db)
  await sql`update tasks set created_at = now() - interval '1 day'`.execute(db)
  await sql`update schedule_clock set scanned_until = now() - interval '1 minute'`.execute(db)
  await post('stop')
  const occurrences = await db.selectFrom('due_moments').select('outcome').orderBy('due_at', 'desc').execute()
  expect(occurrences[0]).toEqual({ outcome: null })
})

test('next_scheduled returns the next run of each source task by time, default 20', async () => {
  const { db, ada, get, sources } = await sourceScheduleWorld()
  const { task_ids } = await sources(25, '0 5 * * *')
  await aRun(db, task_ids[0] ?? 0, { category: 'source', state: 'warning' })
  await aRun(db, task_ids[1] ?? 0, { category: 'source', state: 'running' })
  const read = async (query: string) =>
    schedules.nextScheduled.reply.parse(await get(`next_scheduled${query}`)).next_scheduled_tasks
  const tasks = await read('')
  expect(tasks).toHaveLength(20)
  expect(tasks.slice(0, 3)).toMatchObject([
    { task_id: task_ids[0], task_name: 'Prices 1', task_type: 'Prices', current_status: 'completed' },
    { task_id: task_ids[1], cron_schedule: '0 5 * * *', current_status: 'running' },
    { task_id: task_ids[2], current_status: 'pending' },
  ])
  const hour = new Intl.DateTimeFormat('en-GB', { timeZone: 'America/New_York', timeStyle: 'short' })
  expect(hour.format(new Date(tasks[0]?.next_run_time ?? 0))).toBe('05:00')
  expect(await read('?limit=50')).toHaveLength(25)
  expect((await read('?hours=72&limit=1000')).length).toBeGreaterThan(25)
  await ada.request('POST', `${BASE}/schedule_run_all`, { scheduled_times: ['05:30'] })
  expect(await read('?limit=50')).toHaveLength(25)
  for (const bad of ['0', '1001', 'x', '1.5'])
    expect((await ada.request('GET', `${BASE}/next_scheduled?limit=${bad}`)).statusCode).toBe(400)
})

test('sync tasks, inactive tasks and tasks without a schedule are excluded', async () => {
  const { db, get, sources } = await sourceScheduleWorld()
  await aSyncTask(db, { scheduled_times: ['04:00'] })
  const { task_ids } = await sources(2, '0 2 * * *')
  await db
    .updateTable('tasks')
    .set({ is_active: false })
    .where('id', '=', task_ids[0] ?? 0)
    .execute()
  expect(await get('next_scheduled')).toMatchObject({ next_scheduled_tasks: [{ task_id: task_ids[1] }] })
})

test('task_status reports the last run and the next', async () => {
  const { db, get, sources } = await sourceScheduleWorld()
  const { task_ids } = await sources(1, '0 2 * * *')
  const [id = 0] = task_ids
  expect(await get(`task_status/${id}`)).toMatchObject({
    current_status: 'new',
    last_run_time: null,
    retry_count: 0,
    is_active: true,
  })
  await aRun(db, id, { category: 'source', state: 'failed', error: 'No such sheet', attempts: 4 })
  const status = schedules.taskStatus.reply.parse(await get(`task_status/${id}`))
  expect(status).toMatchObject({ current_status: 'failed', last_error: 'No such sheet', retry_count: 3 })
  expect(status.next_run_time).not.toBeNull()
})

test('queue_status lists waiting and running runs, oldest first', async () => {
  const { db, get, post, sources } = await sourceScheduleWorld()
  const { task_ids } = await sources(3)
  await post('trigger_all')
  await db
    .updateTable('runs')
    .set({ state: 'running', job_retry: 0, started_at: new Date() })
    .where('task_id', '=', task_ids[2] ?? 0)
    .execute()
  expect(await get('queue_status')).toMatchObject({
    queue_depth: 2,
    active_tasks: 1,
    queued: [{ task_id: task_ids[0] }, { task_id: task_ids[1], task_type: 'Prices' }],
    active: [{ task_id: task_ids[2], triggered_by: 'ada@example.com (Manual API)' }],
  })
})

test('update_next_run_times records what is due at once and counts the tasks with a next run', async () => {
  const { db, post, sources } = await sourceScheduleWorld()
  expect(await post('update_next_run_times')).toMatchObject({ status: 'warning', updated_count: 0 })
  await sources(2, '* * * * *')
  await sql`update task_types set scheduled_since = now() - interval '1 day'`.execute(db)
  await sql`update tasks set created_at = now() - interval '1 day'`.execute(db)
  await sql`update schedule_clock set scanned_until = now() - interval '1 minute'`.execute(db)
  expect(await post('update_next_run_times')).toEqual({
    status: 'success',
    message: scheduleServerMessages.next_runs_counted(2),
    updated_count: 2,
  })
  expect((await db.selectFrom('due_moments').select('task_id').execute()).length).toBeGreaterThanOrEqual(2)
})

test.each([
  ['0 2 * * *', true],
  ['*/15 8-18 * * 1-5', true],
  ['0 0 29 2 *', true],
  ['0 0 30 2 *', false],
  ['* * * * * *', false],
  ['* * * *', false],
  ['@daily', false],
  ['60 * * * *', false],
  ['', false],
])('validate_cron takes exactly five fields that are ever due: %j is %s', async (cron_expression, valid) => {
  const { post } = await sourceScheduleWorld()
  const verdict = schedules.validateCron.reply.parse(await post('validate_cron', { cron_expression }))
  expect(verdict).toMatchObject({ cron_expression, valid })
  expect(verdict.next_run_times).toHaveLength(valid ? 3 : 0)
  if (valid) expect(verdict.error_message).toBeNull()
  else expect(verdict.error_message).toMatch(/\w/)
})

test('every change around the source schedule is in the audit log', async () => {
  const { db, post, sources } = await sourceScheduleWorld()
  const { type_id, task_ids } = await sources(1)
  for (const path of [
    'stop',
    'start',
    'update_next_run_times',
    `trigger_task/${task_ids[0]}`,
    `trigger_type/${type_id}`,
    'trigger_all',
  ])
    await post(path)
  const lines = await db
    .selectFrom('audit_log')
    .select(['object_type', 'action', 'result'])
    .where('object_type', 'in', ['schedule', 'source_task', 'source_task_type'])
    .orderBy('id')
    .execute()
  expect(lines.map(({ object_type, action, result }) => `${object_type} ${action} ${result}`)).toEqual([
    'schedule stop done',
    'schedule start done',
    'schedule update_next_run_times done',
    'source_task execute queued',
    'source_task_type run_group done',
    'source_task execute_all done',
  ])
})

test('bodies are strict, and every call needs a session', async () => {
  const { app, ada } = await sourceScheduleWorld()
  for (const [path, body] of [
    ['trigger_all', { trigger: 5 }],
    ['trigger_all', { triggers: 'x' }],
    ['trigger_all', { trigger: '' }],
    ['validate_cron', {}],
    ['schedule_run_all', { scheduled_times: '04:00' }],
  ] as const)
    expect((await ada.request('POST', `${BASE}/${path}`, body)).statusCode, path).toBe(400)
  for (const call of Object.values(schedules))
    expect((await app.inject({ method: call.method, url: call.path.replace(':id', '1') })).statusCode).toBe(
      401,
    )
})
