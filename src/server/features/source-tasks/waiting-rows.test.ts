import { beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../../test/fixtures/app.ts'
import { aCopy, aRun, aSourceTask } from '../../../../test/fixtures/factories.ts'
import { sourceTasksOf } from '../../../../test/fixtures/source-tasks.ts'
import { sourceServerMessages } from '../../../contract/source-tasks/server-messages.ts'

import { prune } from '../../engine/prune.ts'

let app: TestApp
let tasks: ReturnType<typeof sourceTasksOf>

beforeAll(async () => {
  app = await testApp()
  tasks = sourceTasksOf(await app.signIn('ada@example.com'))
})

/** A task with two current rows, and one that waits. */
async function waiting() {
  const { db } = app
  const { id } = await aSourceTask(db, { definition: { validator: '"etag"' } })
  const kept = await aCopy(db, id, ['SKU'], [['a'], ['b']])
  const held = await aCopy(db, id, ['SKU'], [['c']])
  await db
    .updateTable('tasks')
    .set({ snapshot_id: kept.id, waiting_snapshot_id: held.id })
    .where('id', '=', id)
    .execute()
  const read_at = new Date(Date.now() - 3_600_000)
  const run = await aRun(db, id, { category: 'source', state: 'warning', finished_at: read_at })
  await db.updateTable('snapshots').set({ run_id: run.id }).where('id', '=', held.id).execute()
  const act = (action: 'accept' | 'discard', snapshot_id = held.id) =>
    tasks.reply('POST', `/api/source_tasks/${id}/waiting_rows/${action}`, { snapshot_id })
  return { id, kept: kept.id, held: held.id, read_at, act }
}

const pointersOf = (id: number) =>
  app.db
    .selectFrom('tasks')
    .innerJoin('source_tasks', 'task_id', 'id')
    .select(['snapshot_id', 'waiting_snapshot_id', 'changed_at', 'validator'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
const auditOf = (id: number) =>
  app.db
    .selectFrom('audit_log')
    .select(['action', 'actor', 'details'])
    .where('object_type', '=', 'source_task')
    .where('object_id', '=', String(id))
    .execute()

test('accepting makes exactly the reviewed rows current, sets the time, and is audited', async () => {
  const { id, held, read_at, act } = await waiting()
  expect(await act('accept')).toEqual([
    200,
    { status: 'success', message: sourceServerMessages.rows_accepted(1) },
  ])
  expect(await pointersOf(id)).toEqual({
    snapshot_id: held,
    waiting_snapshot_id: null,
    changed_at: expect.any(Date),
    // The validator of the previous rows would report "not modified".
    validator: null,
  })
  // As old as the run that read them, not as the rows before.
  expect(await tasks.get(id)).toMatchObject({ row_count: 1, waiting: null, pulled_at: read_at.toISOString() })
  expect(await auditOf(id)).toEqual([
    { action: 'accept_rows', actor: 'ada@example.com', details: { snapshot_id: held, row_count: 1 } },
  ])
})

test('discarding keeps the current rows, and is audited', async () => {
  const { id, kept, held, act } = await waiting()
  expect(await act('discard')).toEqual([
    200,
    { status: 'success', message: sourceServerMessages.rows_discarded },
  ])
  expect(await pointersOf(id)).toEqual({
    snapshot_id: kept,
    waiting_snapshot_id: null,
    changed_at: null,
    validator: 'etag',
  })
  expect(await auditOf(id)).toMatchObject([{ action: 'discard_rows', details: { snapshot_id: held } }])
})

test.each(['accept', 'discard'] as const)('%s of rows other than the waiting ones is 409', async (action) => {
  const { id, kept, act } = await waiting()
  expect(await act(action, kept)).toMatchObject([409, { message: sourceServerMessages.waiting_rows_changed }])
  const other = await waiting()
  expect(await act(action, other.held)).toMatchObject([409, { code: 'waiting_rows_changed' }])
  expect(await pointersOf(id)).toMatchObject({ snapshot_id: kept })
  expect(await auditOf(id)).toEqual([])
})

test.each(['accept', 'discard'] as const)(
  '%s is 409 while a run is running, not while one is queued',
  async (action) => {
    const { id, act } = await waiting()
    const run = await aRun(app.db, id, { category: 'source', state: 'running' })
    expect(await act(action)).toMatchObject([409, { message: sourceServerMessages.rows_at_work }])
    await app.db.updateTable('runs').set({ state: 'queued' }).where('id', '=', run.id).execute()
    expect(await act(action)).toMatchObject([200, {}])
  },
)

test('of ten concurrent accepts and discards one succeeds, the others are refused', async () => {
  const { act } = await waiting()
  const replies = await Promise.all(Array.from({ length: 10 }, (_, n) => act(n % 2 ? 'accept' : 'discard')))
  expect(replies.map(([status]) => status).sort()).toEqual([200, ...Array(9).fill(409)])
})

test('accepting rows acknowledges the warnings that required it, and no others', async () => {
  const { id, held, act } = await waiting()
  const warnings = [
    { id: 'held_back-0000', message: '1 row instead of 2' },
    { id: 'values-0000', message: 'A cell was cut' },
  ]
  const run = await aRun(app.db, id, {
    category: 'source',
    state: 'warning',
    warnings: JSON.stringify(warnings),
  })
  await app.db.updateTable('snapshots').set({ run_id: run.id }).where('id', '=', held).execute()
  await act('accept')
  expect((await tasks.get(id)).run_warnings).toMatchObject([
    { id: 'values-0000', acknowledged: null },
    { id: 'held_back-0000', acknowledged: { by: 'ada@example.com' } },
  ])
})

test('rows that need approval are kept until they are accepted or discarded', async () => {
  const { id, held, act } = await waiting()
  const old = new Date(Date.now() - 3_600_000)
  await app.db
    .updateTable('snapshots')
    .set({ created_at: old, pinned_until: old })
    .where('task_id', '=', id)
    .execute()
  const left = async () =>
    (await app.db.selectFrom('snapshots').select('id').where('task_id', '=', id).execute()).map(
      ({ id }) => id,
    )
  await prune(app.db, 90)
  expect(await left()).toContain(held)
  await act('discard')
  await prune(app.db, 90)
  expect(await left()).not.toContain(held)
})
