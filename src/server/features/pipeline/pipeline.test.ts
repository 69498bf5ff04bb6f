import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { type SignedIn, type TestApp, testApp } from '../../../../test/fixtures/app.ts'
import { done, handlerOf } from '../../../../test/fixtures/engine.ts'
import { aConfig, aRun, aSourceTask, aSyncTask, aType } from '../../../../test/fixtures/factories.ts'
import { pipeline } from '../../../contract/pipeline/calls.ts'

let app: TestApp
let ada: SignedIn

beforeEach(async () => {
  app = await testApp({ handlers: [handlerOf(async () => done)] })
  ada = await app.signIn()
})

const read = async () => pipeline.read.reply.parse((await ada.request('GET', '/api/pipeline')).json())
const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000)
const ended = (minutes: number) => ({ started_at: ago(minutes + 1), finished_at: ago(minutes) })

test('needs a session', async () => {
  expect((await app.app.inject('/api/pipeline')).statusCode).toBe(401)
})

test('a run not yet claimed by a worker counts as queued; one that waits for a quota counts as running and separately', async () => {
  const { db } = app
  const [unclaimed, held, refused] = await Promise.all([1, 2, 3].map(() => aSyncTask(db)))
  await aRun(db, unclaimed?.id ?? 0, { state: 'running', job_retry: null })
  const until = new Date().toISOString()
  const quota = JSON.stringify({ for: 'quota', service: 'Google', until })
  await aRun(db, held?.id ?? 0, { state: 'running', wait: quota })
  const full = JSON.stringify({ for: 'backoff', reason: 'The disk of the database is full', until })
  await aRun(db, refused?.id ?? 0, { state: 'running', job_retry: null, wait: full })
  const { stages, live } = await read()
  expect(stages.sync).toMatchObject({ running: 2, waiting_for_quota: 1, queued: 1 })
  expect(live.map(({ task, state, waits_for }) => [task.id, state, waits_for?.for])).toEqual([
    [held?.id, 'running', 'quota'],
    [refused?.id, 'running', 'backoff'],
    [unclaimed?.id, 'queued', 'pick_up'],
  ])
  const { tasks } = (await ada.request('GET', '/api/sync_tasks/status_all')).json()
  expect(tasks).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ id: unclaimed?.id, task_status: 'Queued', running_status: false }),
      expect.objectContaining({ id: held?.id, task_status: 'Running', running_status: true }),
    ]),
  )
})

test('counts the tasks of each category by status, and inactive ones in total', async () => {
  const { db } = app
  const sources = await Promise.all([1, 2, 3].map(() => aSourceTask(db)))
  const [first, second] = sources
  await aRun(db, first?.id ?? 0, { category: 'source', state: 'running' })
  await aRun(db, second?.id ?? 0, { category: 'source', state: 'failed', error: 'Gone.', ...ended(5) })
  const off = await aSourceTask(db, { is_active: false })
  await aRun(db, off.id, { category: 'source', state: 'failed', error: 'Gone.', ...ended(5) })
  const config = await aConfig(db)
  await aRun(db, config.task_id, { category: 'compiler', state: 'queued' })
  const sync = await aSyncTask(db)
  const warnings = JSON.stringify([{ id: 'a', message: 'One cell.' }])
  await aRun(db, sync.id, { state: 'warning', warnings, ...ended(5) })

  const none = {
    total: 0,
    active: 0,
    running: 0,
    waiting_for_quota: 0,
    queued: 0,
    failed: 0,
    warnings: 0,
    stopped: 0,
    never_run: 0,
  }
  expect((await read()).stages).toEqual({
    source: { ...none, total: 4, active: 3, running: 1, failed: 1, never_run: 1 },
    compiler: { ...none, total: 1, active: 1, queued: 1 },
    sync: { ...none, total: 1, active: 1, warnings: 1 },
  })
})

test('running tasks are listed with progress, before waiting ones with the reason', async () => {
  const { db } = app
  const [waits, works] = [await aSyncTask(db, { name: 'Waits' }), await aSyncTask(db, { name: 'Works' })]
  await aRun(db, waits.id, { state: 'queued', task_type_id: waits.task_type_id })
  await aRun(db, works.id, {
    state: 'running',
    started_at: ago(1),
    job_retry: 0,
    phase: 'Copying',
    phase_started_at: ago(1),
    rows_done: 500,
    rows_total: 1000,
  })
  const { live } = await read()
  expect(live).toEqual([
    expect.objectContaining({
      task: expect.objectContaining({ name: 'Works' }),
      state: 'running',
      progress: expect.objectContaining({ phase: 'Copying', rows_done: 500, rows_total: 1000 }),
    }),
    expect.objectContaining({
      task: expect.objectContaining({ name: 'Waits' }),
      state: 'queued',
      waits_for: { for: 'worker' },
    }),
  ])
})

test('next occurrences are listed by schedule, earliest first, with the number of tasks; a stopped source schedule starts nothing', async () => {
  const { db } = app
  const type = await aType(db, { category: 'source', name: 'Prices', cron_schedule: '0 4 * * *' })
  await aSourceTask(db, { task_type_id: type.id })
  await aSourceTask(db, { task_type_id: type.id })
  await aSyncTask(db, { name: 'Shop', scheduled_times: ['04:00'] })
  await sql`update run_all_schedules set scheduled_times = '{04:00}' where category = 'source'`.execute(db)
  const due = async () => {
    const { next, source_schedule_on } = await read()
    expect(new Set(next.map(({ at }) => at)).size).toBeLessThanOrEqual(1)
    return { on: source_schedule_on, next: next.map(({ at: _, ...coming }) => coming) }
  }
  const own = { schedule: 'task', category: 'sync', tasks: 1, name: 'Shop' }
  const ofType = { schedule: 'type', category: 'source', tasks: 2, name: 'Prices' }
  const ofAll = { schedule: 'all', category: 'source', tasks: 2, name: expect.any(String) }
  const on = await due()
  expect(on.on).toBe(true)
  expect(on.next).toHaveLength(3)
  expect(on.next).toEqual(expect.arrayContaining([own, ofType, ofAll]))
  await sql`update schedule_clock set source_running = false`.execute(db)
  expect(await due()).toEqual({ on: false, next: [own] })
})

test('the quota use counts the requests started within its window, with the busiest account', async () => {
  const { db, config } = app
  const start = (
    account: string,
    kind: 'read' | 'write',
    seconds: number,
    project = config.google.clientId,
  ) =>
    db
      .insertInto('quota_log')
      .values({ project, account, kind, started_at: new Date(Date.now() - seconds * 1000) })
      .execute()
  await start('ada@example.com', 'read', 5)
  await start('ben@example.com', 'read', 10)
  await start('ben@example.com', 'read', 20)
  await start('ben@example.com', 'read', 300)
  await start('ben@example.com', 'read', 5, 'another project')
  expect((await read()).quota).toEqual([
    { kind: 'read', used: 3, limit: 300, account: { email: 'ben@example.com', used: 2, limit: 60 } },
    { kind: 'write', used: 0, limit: 300, account: null },
  ])
})

test('runs are counted by the day on which they ended, in the schedule’s zone, for fourteen days without a gap', async () => {
  const { db } = app
  const task = await aSyncTask(db)
  const at = async (day: number, clock: string, state: 'success' | 'error' | 'failed' | 'stopped') => {
    const run = await aRun(db, task.id, { state })
    await sql`update runs set finished_at =
      ((now() at time zone 'America/New_York')::date - ${day}::int + ${clock}::time) at time zone 'America/New_York'
      where id = ${run.id}`.execute(db)
  }
  await at(0, '00:00:00', 'success')
  await at(1, '23:59:59', 'success')
  await at(1, '00:00:00', 'failed')
  await at(1, '12:00:00', 'error')
  await at(13, '00:00:00', 'stopped')
  await at(14, '23:59:59', 'success')
  const { today, past_days } = await read()
  expect(past_days).toHaveLength(13)
  expect(today).toMatchObject({ success: 1, failed: 0 })
  expect(past_days.at(-1)).toMatchObject({ success: 1, failed: 2, stopped: 0 })
  expect(past_days[0]).toMatchObject({ success: 0, stopped: 1 })
  const days = [...past_days, today].map(({ day }) => Date.parse(day) / 86_400_000)
  expect(days.map((day) => day - (days[0] ?? 0))).toEqual(days.map((_, n) => n))
})
