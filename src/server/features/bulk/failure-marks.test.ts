import { beforeEach, expect, test } from 'vitest'
import { type SignedIn, type TestApp, testApp } from '../../../../test/fixtures/app.ts'
import { done, handlerOf } from '../../../../test/fixtures/engine.ts'
import { aConfig, aRun, aSourceTask, aTaskOfTab } from '../../../../test/fixtures/factories.ts'
import { aToken, withToken } from '../../../../test/fixtures/tokens.ts'
import { tasksBulk } from '../../../contract/bulk/calls.ts'
import { pipeline } from '../../../contract/pipeline/calls.ts'
import type { RunState } from '../../platform/schema.ts'

let app: TestApp
let ada: SignedIn
let bob: SignedIn

beforeEach(async () => {
  const handlers = (['sync', 'source', 'compiler'] as const).map((category) =>
    handlerOf(async () => done, { category }),
  )
  app = await testApp({ handlers })
  ada = await app.signIn('ada@example.com')
  bob = await app.signIn('bob@example.com')
})

const read = async () => pipeline.read.reply.parse((await ada.request('GET', '/api/pipeline')).json())
const listed = async (query = '') =>
  pipeline.attention.reply.parse((await ada.request('GET', `/api/pipeline/attention?${query}`)).json())
async function act(body: object, person = ada) {
  const reply = await person.request('POST', '/api/tasks/bulk', body)
  expect(reply.statusCode, reply.body).toBe(200)
  return tasksBulk.act.reply.parse(reply.json())
}
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString()
const NO_ACCESS = 'ada@example.com may read but not edit ‘Target Warehouse’: ask its owner for edit access.'
const failed = (error: string) => ({ state: 'failed' as const, error, finished_at: new Date() })

/** Ends a run of the task as the engine does: an update of a live run. */
async function ends(task_id: number, state: RunState, fields: object = {}) {
  const { id } = await aRun(app.db, task_id, { state: 'running' })
  await app.db
    .updateTable('runs')
    .set({ state, finished_at: new Date(), ...fields })
    .where('id', '=', id)
    .execute()
  if (state === 'success')
    await app.db.updateTable('tasks').set({ last_success_run_id: id }).where('id', '=', task_id).execute()
}
const marksOf = async (task_id: number) =>
  (await listed(`marked=true&task_id=${task_id}`)).tasks.map(({ mark }) => mark?.kind)

test('failures of all categories with the same cause are one group, whatever their tabs, cells and numbers', async () => {
  const { db } = app
  const copy = await aTaskOfTab(db, { name: 'Copy' })
  const source = await aSourceTask(db, { name: 'Source' })
  const config = await aConfig(db, { name: 'Config' })
  const tab = (name: string, n: number) =>
    `The tab ‘${name}’ in ‘Target Warehouse’ differs at ${name}${n}: ${n},000 rows.`
  await aRun(db, copy.id, failed(tab('A', 12)))
  await aRun(db, source.id, { category: 'source', ...failed(tab('BB', 7)) })
  await aRun(db, config.task_id, { category: 'compiler', ...failed(tab('C', 99)) })
  const other = await aTaskOfTab(db)
  await aRun(db, other.id, failed(tab('A', 12).replace('Target Warehouse', 'Target Warehouse 2')))
  const { attention } = await read()
  expect(attention.map(({ kind, count }) => [kind, count])).toEqual([
    ['failed', 3],
    ['failed', 1],
  ])
  expect(new Set(attention[0]?.tasks.map(({ task }) => task.name))).toEqual(
    new Set(['Copy', 'Source', 'Config']),
  )
  const cause = attention[0]?.cause ?? ''
  expect((await listed(`cause=${cause}&limit=2`)).tasks).toHaveLength(2)
  expect((await listed(`cause=${cause}&limit=2`)).total).toBe(3)

  const run = await act({ action: 'run', filter: { cause } })
  expect(run.counts).toEqual({ done: 3, skipped: 0, refused: 0, unknown: 0 })
  expect((await read()).attention.map(({ count }) => count)).toEqual([1])
  expect((await act({ action: 'run', filter: { kind: 'failed' } })).counts.done).toBe(1)
})

test('an acknowledged failure is not listed until its cause changes; who and when is shown, and it can be withdrawn', async () => {
  const task = await aTaskOfTab(app.db, { name: 'Shop' })
  await aRun(app.db, task.id, failed(NO_ACCESS))
  const cause = (await read()).attention[0]?.cause
  expect((await act({ action: 'acknowledge', filter: { cause } })).results).toEqual([
    {
      category: 'sync',
      id: task.id,
      name: 'Shop',
      status: 'done',
      message: 'The failure of Shop is acknowledged',
    },
  ])
  expect(await read()).toMatchObject({
    attention: [],
    attention_tasks: 0,
    attention_counts: { failed: 0 },
    marked: { acknowledged: 1, snoozed: 0 },
  })
  const by = { email: 'ada@example.com', name: expect.any(String) }
  const mark = { kind: 'acknowledged', by, at: expect.any(String), until: null }
  expect((await listed('marked=true')).tasks).toMatchObject([{ kind: 'failed', cause, mark }])
  expect((await ada.request('GET', `/api/sync_tasks/${task.id}`)).json()).toMatchObject({ mark })

  expect((await act({ action: 'unmark', ids: [task.id] }, bob)).counts.done).toBe(1)
  expect(await read()).toMatchObject({ attention_tasks: 1, marked: { acknowledged: 0 } })
  expect((await act({ action: 'unmark', ids: [task.id] })).counts.skipped).toBe(1)

  await act({ action: 'acknowledge', ids: [task.id] })
  await ends(task.id, 'failed', { error: NO_ACCESS })
  expect(await marksOf(task.id)).toEqual(['acknowledged'])
  await ends(task.id, 'failed', { error: 'The sheet is gone.' })
  expect(await marksOf(task.id)).toEqual([])
  expect((await read()).attention).toMatchObject([{ reason: 'The sheet is gone.' }])
  // The first cause is back: its mark has ended.
  await ends(task.id, 'failed', { error: NO_ACCESS })
  expect((await read()).attention_tasks).toBe(1)
})

test.each(['success', 'stopped'] as const)('a run that ends as %s ends marks and claims', async (state) => {
  const task = await aTaskOfTab(app.db)
  await aRun(app.db, task.id, failed(NO_ACCESS))
  await act({ action: 'acknowledge', ids: [task.id] })
  await act({ action: 'claim', ids: [task.id] })
  await ends(task.id, state)
  await ends(task.id, 'failed', { error: NO_ACCESS })
  const { attention, marked } = await read()
  expect(attention).toMatchObject([{ tasks: [{ claim: null }] }])
  expect(marked).toEqual({ acknowledged: 0, snoozed: 0 })
})

test('a snoozed failure is listed again after its time', async () => {
  const task = await aTaskOfTab(app.db)
  await aRun(app.db, task.id, failed(NO_ACCESS))
  const until = inAnHour()
  expect((await act({ action: 'snooze', ids: [task.id], until })).message).toBe('Snoozed 1 task.')
  expect(await read()).toMatchObject({ attention_tasks: 0, marked: { snoozed: 1 } })
  expect((await listed('marked=true')).tasks).toMatchObject([{ mark: { kind: 'snoozed', until } }])
  await app.db.updateTable('failure_marks').set({ until: new Date() }).execute()
  expect(await read()).toMatchObject({ attention_tasks: 1, marked: { snoozed: 0 } })
  expect((await ada.request('GET', `/api/sync_tasks/${task.id}`)).json()).toMatchObject({ mark: null })
})

test.each([
  ['in the past', () => new Date(Date.now() - 1000).toISOString(), 'until must be in the future.'],
  ['after a century', () => '2126-01-01T00:00:00Z', 'until must be within 92 days.'],
  ['that is none', () => 'tomorrow', expect.stringContaining('until')],
])('a snooze until a time %s is refused, and nothing is marked', async (_, until, message) => {
  const task = await aTaskOfTab(app.db)
  await aRun(app.db, task.id, failed(NO_ACCESS))
  const body = { action: 'snooze', ids: [task.id], until: until() }
  const reply = await ada.request('POST', '/api/tasks/bulk', body)
  expect(reply.statusCode).toBe(400)
  expect(reply.json()).toMatchObject({ message })
  expect(await marksOf(task.id)).toEqual([])
})

test('a warning is snoozed like a failure and acknowledged for good', async () => {
  const task = await aSourceTask(app.db)
  const warnings = JSON.stringify([{ id: 'w', message: '3 rows were left out.' }])
  await aRun(app.db, task.id, { category: 'source', state: 'warning', warnings, finished_at: new Date() })
  await act({ action: 'snooze', ids: [task.id], until: inAnHour() })
  expect(await read()).toMatchObject({ attention_tasks: 0, marked: { snoozed: 1 } })
  await act({ action: 'acknowledge', ids: [task.id] })
  expect(await read()).toMatchObject({ attention_tasks: 0, marked: { snoozed: 0 } })
  expect(await app.db.selectFrom('acknowledged_warnings').select('warning_id').execute()).toHaveLength(1)
})

test('of two users who acknowledge at once one is recorded, and the other hears of it', async () => {
  const tasks = await Promise.all([aTaskOfTab(app.db), aTaskOfTab(app.db), aTaskOfTab(app.db)])
  for (const { id } of tasks) await aRun(app.db, id, failed(NO_ACCESS))
  const ids = tasks.map(({ id }) => id)
  const replies = await Promise.all([
    act({ action: 'acknowledge', ids }, ada),
    act({ action: 'acknowledge', ids: ids.toReversed() }, bob),
  ])
  expect(replies.map(({ counts }) => counts.done).toSorted()).toEqual([0, 3])
  const late = replies.find(({ counts }) => counts.done === 0)
  expect(late?.results[0]?.message).toMatch(/ is acknowledged by (ada|bob)@example.com already$/)
})

test('a claim is shown on the task and to the others, who cannot claim it but release it', async () => {
  const config = await aConfig(app.db)
  await aRun(app.db, config.task_id, { category: 'compiler', ...failed(NO_ACCESS) })
  const ids = [{ category: 'compiler', id: config.task_id }]
  expect((await act({ action: 'claim', ids })).counts.done).toBe(1)
  expect((await act({ action: 'claim', ids })).counts.skipped).toBe(1)
  const claim = { by: { email: 'ada@example.com' }, at: expect.any(String) }
  expect((await read()).attention).toMatchObject([{ claims: [{ ...claim, count: 1 }], tasks: [{ claim }] }])
  expect((await bob.request('GET', '/api/compiler/states')).json()).toMatchObject([
    { id: config.task_id, claim },
  ])
  const refused = await act({ action: 'claim', ids }, bob)
  expect(refused.counts.refused).toBe(1)
  expect(refused.results[0]?.message).toMatch(/^ada@example.com is on /)
  expect((await act({ action: 'release', ids }, bob)).counts.done).toBe(1)
  expect((await act({ action: 'claim', ids }, bob)).counts.done).toBe(1)
  await ends(config.task_id, 'failed', { error: 'Another cause.' })
  expect((await read()).attention).toMatchObject([{ tasks: [{ claim: null }] }])
})

test('marks and claims are undone: to none, to the former one, and not if another user has changed them', async () => {
  const task = await aTaskOfTab(app.db)
  await aRun(app.db, task.id, failed(NO_ACCESS))
  const ids = [task.id]
  const undo = async ({ bulk_id }: { bulk_id: number | null }) =>
    tasksBulk.undo.reply.parse((await ada.request('POST', `/api/tasks/bulk/${bulk_id}/undo`)).json())
  const acknowledged = await act({ action: 'acknowledge', ids })
  expect((await undo(acknowledged)).counts.done).toBe(1)
  expect(await marksOf(task.id)).toEqual([])

  await act({ action: 'acknowledge', ids })
  const snoozed = await act({ action: 'snooze', ids, until: inAnHour() })
  expect(await marksOf(task.id)).toEqual(['snoozed'])
  await undo(snoozed)
  expect(await marksOf(task.id)).toEqual(['acknowledged'])
  const unmarked = await act({ action: 'unmark', ids })
  await undo(unmarked)
  expect(await marksOf(task.id)).toEqual(['acknowledged'])

  const again = await act({ action: 'snooze', ids, until: inAnHour() })
  await act({ action: 'snooze', ids, until: inAnHour() }, bob)
  expect((await undo(again)).counts.refused).toBe(1)
  expect((await listed('marked=true')).tasks[0]?.mark?.by.email).toBe('bob@example.com')

  const claimed = await act({ action: 'claim', ids })
  await undo(claimed)
  expect((await listed('marked=true')).tasks[0]?.claim).toBeNull()
})

test('unknown ids are named, tasks without a failure are skipped, and configurations keep their settings', async () => {
  const well = await aTaskOfTab(app.db, { name: 'Well' })
  await aRun(app.db, well.id, { state: 'success', finished_at: new Date() })
  const never = await aTaskOfTab(app.db, { name: 'Never' })
  const config = await aConfig(app.db)
  const reply = await act({ action: 'claim', ids: [well.id, 99_999, never.id, config.task_id] })
  expect(reply.results.map(({ status, message }) => [status, message])).toEqual([
    ['skipped', 'The last run of Well did not fail and has no open warnings'],
    ['unknown', 'There is no sync or source task 99999'],
    ['skipped', 'The last run of Never did not fail and has no open warnings'],
    ['unknown', `There is no sync or source task ${config.task_id}`],
  ])
  const ids = [{ category: 'compiler', id: config.task_id }]
  for (const action of ['activate', 'deactivate', 'delete'])
    expect((await act({ action, ids })).counts.refused, action).toBe(1)
  expect((await act({ action: 'acknowledge', filter: { cause: 'unheard of' } })).results).toEqual([])
})

test.each([
  [{}, 'Give either category, or cause or kind.'],
  [{ category: 'sync', kind: 'failed' }, 'Give either category, or cause or kind.'],
  [{ cause: 'x', state: 'failed' }, 'cause, kind and marked cannot be combined with other conditions.'],
  [{ category: 'sync', marked: true }, 'cause, kind and marked cannot be combined with other conditions.'],
])('the filter %j is refused', async (filter, message) => {
  const reply = await ada.request('POST', '/api/tasks/bulk', { action: 'acknowledge', filter })
  expect(reply.statusCode).toBe(400)
  expect(reply.json()).toMatchObject({ message: expect.stringContaining(message) })
})

test('a token marks and claims only with the right to edit', async () => {
  const task = await aTaskOfTab(app.db)
  await aRun(app.db, task.id, failed(NO_ACCESS))
  const send = withToken(app.app, await aToken(ada, 'run'))
  for (const body of [
    { action: 'acknowledge' },
    { action: 'snooze', until: inAnHour() },
    { action: 'unmark' },
    { action: 'claim' },
    { action: 'release' },
  ])
    expect((await send('POST', '/api/tasks/bulk', { ...body, ids: [task.id] })).statusCode).toBe(403)
  expect(await marksOf(task.id)).toEqual([])
})
