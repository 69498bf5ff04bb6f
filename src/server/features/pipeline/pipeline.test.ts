import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { type SignedIn, type TestApp, testApp } from '../../../../test/app.ts'
import { done, handlerOf } from '../../../../test/engine.ts'
import { aConfig, aCopy, aRun, aSourceTask, aSyncTask, aType } from '../../../../test/factories.ts'
import { pipeline } from '../../../contract/pipeline.ts'

let app: TestApp
let ada: SignedIn

beforeEach(async () => {
  app = await testApp({ handlers: [handlerOf(async () => done)] })
  ada = await app.signIn()
})

const read = async () => pipeline.read.reply.parse((await ada.request('GET', '/api/pipeline')).json())
const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000)
const ended = (minutes: number) => ({ started_at: ago(minutes + 1), finished_at: ago(minutes) })
const reasons = async () =>
  (await read()).attention.map(({ kind, task, reason }) => [kind, task.name, reason])

test('needs a session', async () => {
  expect((await app.app.inject('/api/pipeline')).statusCode).toBe(401)
})

test('counts the tasks of each category by how they stand; of inactive ones it knows the number alone', async () => {
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

  const none = { total: 0, active: 0, running: 0, queued: 0, failed: 0, warnings: 0, never_run: 0 }
  expect((await read()).stages).toEqual({
    source: { ...none, total: 4, active: 3, running: 1, failed: 1, never_run: 1 },
    compiler: { ...none, total: 1, active: 1, queued: 1 },
    sync: { ...none, total: 1, active: 1, warnings: 1 },
  })
})

test('what failed is told with its error, until it runs again or a person cancels what is left', async () => {
  const { db } = app
  const type = await aType(db, { category: 'source', name: 'Prices' })
  const task = await aSourceTask(db, { name: 'Supplier A', task_type_id: type.id })
  const failed = { category: 'source', state: 'failed', error: 'The sheet is gone.' } as const
  const run = await aRun(db, task.id, { ...failed, ...ended(3) })
  expect((await read()).attention).toEqual([
    {
      kind: 'failed',
      task: { id: task.id, category: 'source', name: 'Supplier A', type: 'Prices', config_id: null },
      reason: 'The sheet is gone.',
      at: expect.any(String),
    },
  ])
  await db.updateTable('tasks').set({ stopped_run_id: run.id }).where('id', '=', task.id).execute()
  expect(await reasons()).toEqual([])
  await db.updateTable('tasks').set({ stopped_run_id: null }).where('id', '=', task.id).execute()
  await aRun(db, task.id, { category: 'source', state: 'queued' })
  expect(await reasons()).toEqual([])
})

test('of many that failed the latest are named and all are counted', async () => {
  for (let n = 0; n < 9; n += 1) {
    const task = await aSyncTask(app.db, { name: `Task ${n}` })
    await aRun(app.db, task.id, { state: 'error', error: 'Oh.', ...ended(n) })
  }
  const { attention, attention_counts, attention_tasks } = await read()
  expect(attention.map(({ task }) => task.name)).toEqual([
    'Task 0',
    'Task 1',
    'Task 2',
    'Task 3',
    'Task 4',
    'Task 5',
  ])
  expect(attention_counts).toEqual({ failed: 9, waiting: 0, missed: 0, behind: 0, warning: 0 })
  expect(attention_tasks).toBe(9)
})

test('a warning is told until somebody has acknowledged it', async () => {
  const { db } = app
  const task = await aSyncTask(db, { name: 'Shop' })
  const warnings = JSON.stringify([
    { id: 'a', message: 'One.' },
    { id: 'b', message: 'Two.' },
  ])
  await aRun(db, task.id, { state: 'warning', warnings, ...ended(3) })
  const acknowledge = (warning_id: string) =>
    db
      .insertInto('acknowledged_warnings')
      .values({ task_id: task.id, warning_id, acknowledged_by: 'ada@example.com' })
      .execute()
  expect(await reasons()).toEqual([['warning', 'Shop', 'One.']])
  await acknowledge('a')
  expect(await reasons()).toEqual([['warning', 'Shop', 'Two.']])
  await acknowledge('b')
  expect(await reasons()).toEqual([])
})

test('a task that needs a look for two reasons is one task', async () => {
  const { db } = app
  expect((await read()).attention_tasks).toBe(0)
  const task = await aSyncTask(db, { name: 'Shop' })
  await aRun(db, task.id, { state: 'warning', message: 'Copied 3 rows.', ...ended(60) })
  const missed = { task_id: task.id, due_at: ago(30), last_due_at: ago(30), stage: 0 }
  await db
    .insertInto('due_moments')
    .values({ ...missed, schedule: 'task', outcome: 'missed', reason: 'no scheduler was running' })
    .execute()
  const { attention_counts, attention_tasks } = await read()
  expect(attention_counts).toMatchObject({ missed: 1, warning: 1 })
  expect(attention_tasks).toBe(1)
})

test('a warning that an earlier program left is told by its message', async () => {
  const task = await aSyncTask(app.db, { name: 'Shop' })
  await aRun(app.db, task.id, { state: 'warning', message: 'Copied 3 rows.', ...ended(3) })
  expect(await reasons()).toEqual([['warning', 'Shop', 'Copied 3 rows.']])
})

test('a run that was missed is told until the task has run well since; of one that failed or is under way only that is', async () => {
  const { db } = app
  const task = await aSyncTask(db, { name: 'Shop' })
  await aRun(db, task.id, { state: 'success', ...ended(60) })
  await db
    .insertInto('due_moments')
    .values({
      schedule: 'task',
      task_id: task.id,
      due_at: ago(30),
      last_due_at: ago(30),
      stage: 0,
      outcome: 'missed',
      reason: 'no scheduler was running',
    })
    .execute()
  expect(await reasons()).toEqual([['missed', 'Shop', 'no scheduler was running']])
  await aRun(db, task.id, { state: 'failed', error: 'Oh.', ...ended(20) })
  expect(await reasons()).toEqual([['failed', 'Shop', 'Oh.']])
  const again = await aRun(db, task.id, { state: 'running', started_at: ago(15) })
  expect(await reasons()).toEqual([])
  await db
    .updateTable('runs')
    .set({ state: 'success', ...ended(10) })
    .where('id', '=', again.id)
    .execute()
  await db.updateTable('tasks').set({ last_success_run_id: again.id }).where('id', '=', task.id).execute()
  expect(await reasons()).toEqual([])
})

test('what reads older rows than there are is behind: a compile behind its sources, a copy behind its configuration, a task behind its origin', async () => {
  const { db } = app
  const source = await aSourceTask(db, { name: 'Prices' })
  const second = await aSourceTask(db, {
    name: 'Second hand',
    definition: { source_type: 'internal', origin_task_id: source.id },
  })
  const config = await aConfig(db, { name: 'Catalogue' })
  await db
    .insertInto('compiler_sources')
    .values({ compiler_config_id: config.id, source_task_id: source.id, position: 0, is_master: true })
    .execute()
  const definition = { source_type: 'internal', source_compiler_config_id: config.id } as const
  const copy = await aSyncTask(db, { name: 'Shop', definition })
  const ran = async (id: number, category: 'source' | 'compiler' | 'sync', minutes: number) => {
    await aRun(db, id, { category, state: 'success', ...ended(minutes) })
    const { id: version } = await aCopy(db, id, ['SKU'], [['A']])
    await sql`update snapshots set completed_at = ${ago(minutes)} where id = ${version}`.execute(db)
  }
  await ran(source.id, 'source', 50)
  await ran(second.id, 'source', 40)
  await ran(config.task_id, 'compiler', 30)
  await ran(copy.id, 'sync', 20)
  expect(await reasons()).toEqual([])

  await ran(config.task_id, 'compiler', 10)
  expect(await reasons()).toEqual([['behind', 'Shop', 'Catalogue']])
  await ran(source.id, 'source', 5)
  expect(new Set((await reasons()).map(String))).toEqual(
    new Set(['behind,Shop,Catalogue', 'behind,Catalogue,Prices', 'behind,Second hand,Prices']),
  )
})

test('rows that wait for a person’s yes are told', async () => {
  const { db } = app
  const task = await aSourceTask(db, { name: 'Prices' })
  const { id } = await db
    .insertInto('snapshots')
    .values({ task_id: task.id, kind: 'source', completed_at: new Date() })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db.updateTable('tasks').set({ waiting_snapshot_id: id }).where('id', '=', task.id).execute()
  expect(await reasons()).toEqual([['waiting', 'Prices', '']])
})

test('what runs is told with its progress, before what waits, with what for', async () => {
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

test('what is due next is told by schedule, earliest first, with how many tasks; a stopped source schedule starts nothing', async () => {
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

test('the quota’s use is what has started within its window, with the busiest account', async () => {
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
