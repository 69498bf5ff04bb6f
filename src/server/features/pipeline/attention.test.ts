import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { type SignedIn, type TestApp, testApp } from '../../../../test/fixtures/app.ts'
import { done, handlerOf } from '../../../../test/fixtures/engine.ts'
import { aConfig, aCopy, aRun, aSourceTask, aSyncTask, aType } from '../../../../test/fixtures/factories.ts'
import { pipeline } from '../../../contract/pipeline/calls.ts'
import { attentionReason } from '../../../contract/pipeline/client-messages.ts'
import type { RunState } from '../../../contract/runs/status.ts'

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
  (await read()).attention.flatMap(({ tasks }) =>
    tasks.map(({ kind, task, reason }) => [kind, task.name, reason]),
  )

test('a failed task is listed with its error until it runs again or its retry is cancelled', async () => {
  const { db } = app
  const type = await aType(db, { category: 'source', name: 'Prices' })
  const task = await aSourceTask(db, { name: 'Supplier A', task_type_id: type.id })
  const failed = { category: 'source', state: 'failed', error: 'The sheet is gone.' } as const
  const run = await aRun(db, task.id, { ...failed, ...ended(3) })
  const failure = {
    kind: 'failed',
    cause: expect.stringMatching(/^[0-9a-f]{32}$/),
    reason: 'The sheet is gone.',
    at: expect.any(String),
  }
  const named = {
    id: task.id,
    category: 'source',
    name: 'Supplier A',
    sheets: null,
    type: 'Prices',
    config_id: null,
  }
  expect((await read()).attention).toEqual([
    { ...failure, count: 1, claims: [], tasks: [{ ...failure, task: named, mark: null, claim: null }] },
  ])
  await db.updateTable('tasks').set({ stopped_run_id: run.id }).where('id', '=', task.id).execute()
  expect(await reasons()).toEqual([['stopped', 'Supplier A', '']])
  await db.updateTable('tasks').set({ stopped_run_id: null }).where('id', '=', task.id).execute()
  await aRun(db, task.id, { category: 'source', state: 'queued' })
  expect(await reasons()).toEqual([])
})

test('a task stopped by a user is counted, with user and time, until it runs again', async () => {
  const { db } = app
  const task = await aSyncTask(db, { name: 'Shop' })
  const stopped = { state: 'stopped', stop_asked_by: 'bob@example.com', ...ended(3) } as const
  await aRun(db, task.id, stopped)
  const { stages, attention, attention_counts } = await read()
  expect(stages.sync).toMatchObject({ active: 1, stopped: 1 })
  expect(attention).toMatchObject([
    { kind: 'stopped', reason: 'bob@example.com', at: stopped.finished_at.toISOString() },
  ])
  expect(attention_counts.stopped).toBe(1)
  await aRun(db, task.id, { state: 'success', ...ended(1) })
  expect((await read()).stages.sync.stopped).toBe(0)
  expect(await reasons()).toEqual([])
})

test('of many failed tasks the latest are listed and all are counted', async () => {
  for (let n = 0; n < 9; n += 1) {
    const task = await aSyncTask(app.db, { name: `Task ${n}` })
    await aRun(app.db, task.id, { state: 'error', error: 'Oh.', ...ended(n) })
  }
  const { attention, attention_counts, attention_tasks } = await read()
  expect(attention).toMatchObject([{ kind: 'failed', reason: 'Oh.', count: 9 }])
  expect(attention[0]?.tasks.map(({ task }) => task.name)).toEqual([
    'Task 0',
    'Task 1',
    'Task 2',
    'Task 3',
    'Task 4',
  ])
  expect(attention_counts).toEqual({
    failed: 9,
    waiting: 0,
    missed: 0,
    behind: 0,
    review: 0,
    warning: 0,
    stopped: 0,
  })
  expect(attention_tasks).toBe(9)
})

test('a warning is listed until it is acknowledged', async () => {
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

const causeOf = async (kind: string, reason: string) =>
  (await sql<{ cause: string }>`select failure_cause(${kind}, ${reason}) as cause`.execute(app.db)).rows[0]
    ?.cause
const storedCause = async (id: number) =>
  (await app.db.selectFrom('runs').select('cause').where('id', '=', id).executeTakeFirstOrThrow()).cause

test('the cause of a run is stored when it ends, in each attempt', async () => {
  const { db } = app
  const task = await aSyncTask(db)
  const { id } = await aRun(db, task.id)
  const set = async (fields: { state: RunState; error?: string | null; warnings?: string }) => {
    await db.updateTable('runs').set(fields).where('id', '=', id).execute()
    return storedCause(id)
  }
  expect(await storedCause(id)).toBeNull()
  expect(await set({ state: 'running', error: 'No access to row 3.' })).toBeNull()
  expect(await set({ state: 'failed' })).toBe(await causeOf('failed', 'No access to row 4.'))
  expect(await set({ state: 'failed', error: null })).toBe(await causeOf('failed', ''))
  await set({ state: 'queued', error: 'It broke.' })
  expect(await set({ state: 'error' })).toBe(await causeOf('failed', 'It broke.'))
  expect(await set({ state: 'stopped' })).toBe(await causeOf('stopped', ''))
  const warnings = JSON.stringify([{ id: 'a', message: 'One.' }])
  expect(await set({ state: 'warning', warnings })).toBe(await causeOf('warning', 'One.'))
  expect(await set({ state: 'success', warnings: '[]' })).toBeNull()
})

test('failures, warnings and stopped tasks are grouped by stored causes', async () => {
  const { db } = app
  for (let n = 0; n < 3; n += 1) {
    const ends = [
      { state: 'failed', error: `Row ${n} is gone.` },
      { state: 'warning', message: `Row ${n} is late.` },
      { state: 'stopped', stop_asked_by: 'bob@example.com' },
    ] as const
    for (const end of ends) await aRun(db, (await aSyncTask(db)).id, { ...end, ...ended(n) })
  }
  await sql`create or replace function failure_cause(kind text, reason text) returns text language plpgsql immutable as $$
    begin raise exception 'The cause of a % run is computed again.', kind; end $$`.execute(db)
  const { attention } = await read()
  expect(attention.map(({ kind, count }) => [kind, count])).toEqual([
    ['failed', 3],
    ['warning', 3],
    ['stopped', 3],
  ])
})

test('a task has another cause than its run after a warning is acknowledged or a retry is cancelled', async () => {
  const { db } = app
  const one = await aSyncTask(db)
  const warnings = JSON.stringify([
    { id: 'a', message: 'One.' },
    { id: 'b', message: 'Two.' },
  ])
  await aRun(db, one.id, { state: 'warning', warnings, ...ended(3) })
  const other = await aSyncTask(db)
  const run = await aRun(db, other.id, { state: 'failed', error: 'Oh.', stop_asked_by: 'Bob', ...ended(3) })
  const causes = async () => (await read()).attention.map(({ cause }) => cause)
  expect(await causes()).toEqual([await causeOf('failed', 'Oh.'), await causeOf('warning', 'One.')])
  const acknowledged = { task_id: one.id, warning_id: 'a', acknowledged_by: 'ada@example.com' }
  await db.insertInto('acknowledged_warnings').values(acknowledged).execute()
  await db.updateTable('tasks').set({ stopped_run_id: run.id }).where('id', '=', other.id).execute()
  expect(await causes()).toEqual([await causeOf('warning', 'Two.'), await causeOf('stopped', 'Bob')])
})

test('a task that needs attention for two reasons counts once', async () => {
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

test('a warning of an earlier version is listed by its message', async () => {
  const task = await aSyncTask(app.db, { name: 'Shop' })
  await aRun(app.db, task.id, { state: 'warning', message: 'Copied 3 rows.', ...ended(3) })
  expect(await reasons()).toEqual([['warning', 'Shop', 'Copied 3 rows.']])
})

test('a missed run is listed until the task succeeds; a failed or live task is listed only as such', async () => {
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

test('a task with outdated input is behind: a compile behind its sources, a copy behind its configuration, a task behind its origin', async () => {
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

test('rows that need approval are listed', async () => {
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

test('overrides that are for review are counted, a line per configuration, until they are decided', async () => {
  const { db } = app
  const shop = await aConfig(db, { name: 'Shop 1' })
  const outlet = await aConfig(db, { name: 'Shop 2' })
  const override = (compiler_config_id: number, sku: string, state: 'active' | 'review') => ({
    ...{ compiler_config_id, sku, state, field: 'Price', value: '7', reason: '' },
    ...{ author: 'ada@example.com', batch: 1, created_at: ago(5) },
  })
  await db
    .insertInto('compiler_overrides')
    .values([
      override(shop.id, 'A', 'review'),
      override(shop.id, 'B', 'review'),
      override(shop.id, 'C', 'active'),
      override(outlet.id, 'A', 'review'),
    ])
    .execute()
  const { attention, attention_counts, attention_tasks } = await read()
  const lines = attention.map(({ kind, reason, count, tasks }) => [
    ...[kind, attentionReason(kind, reason), count],
    tasks.map(({ task }) => [task.name, task.config_id]),
  ])
  expect(new Set(lines)).toEqual(
    new Set([
      ['review', '2 overrides are for review: a source has changed since.', 1, [['Shop 1', shop.id]]],
      ['review', '1 override is for review: a source has changed since.', 1, [['Shop 2', outlet.id]]],
    ]),
  )
  expect([attention_counts.review, attention_tasks]).toEqual([2, 2])
  const decided = await ada.request('POST', `/api/compiler/configs/${shop.id}/overrides/decide`, {
    ...{ filters: { state: 'review' }, decision: 'keep' },
  })
  expect(decided.statusCode).toBe(200)
  expect(await reasons()).toEqual([['review', 'Shop 2', '1']])
})
