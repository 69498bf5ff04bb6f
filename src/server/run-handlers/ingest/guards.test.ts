import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { ScriptedSource } from '../../../../test/fakes/scripted-source.ts'
import { copyWorld } from '../../../../test/fixtures/copy-world.ts'
import type { Row } from '../../../contract/tables.ts'
import { prune } from '../../engine/prune.ts'

const origin = new ScriptedSource()
const world = copyWorld({ sources: origin })

const table = (count: number, header: Row = ['SKU', 'Name', 'Price']): Row[] => [
  header,
  ...Array.from({ length: count }, (_, index) => [`SKU-${index}`, ...header.slice(1).map(() => index)]),
]

/** Runs a task whose current rows are the first table against the second table, and returns how the run ended. */
async function compare(former: Row[], found: Partial<ScriptedSource['script']>, fields = {}) {
  const task = await world.sourceTask({ source_type: 'sheet', spreadsheet_id: 'a-spreadsheet-id', ...fields })
  origin.script = { rows: former }
  await world.ingest(task)
  const current = (await pointers(task)).snapshot_id
  origin.script = { rows: former, ...found }
  return { task, current, run: await world.ingest(task), now: await pointers(task) }
}

const pointers = (task_id: number) =>
  world.db
    .selectFrom('tasks')
    .innerJoin('source_tasks', 'source_tasks.task_id', 'tasks.id')
    .select(['snapshot_id', 'waiting_snapshot_id', 'pulled_at', 'changed_at'])
    .where('tasks.id', '=', task_id)
    .executeTakeFirstOrThrow()

test.each<[string, Row[], Partial<ScriptedSource['script']>, string]>([
  [
    'far fewer rows',
    table(10),
    { rows: table(4) },
    'The origin has 4 rows, fewer than 50% of the 10 current ones.',
  ],
  ['no rows at all', table(10), { rows: table(0) }, 'The origin has no rows; the current ones are 10.'],
  ['nothing at all', table(10), { rows: [] }, 'The origin has no rows; the current ones are 10.'],
  [
    'fewer than it says itself',
    table(10),
    { rows: table(9), total: 10 },
    'The origin says that it has 10 rows, but only 9 came.',
  ],
  [
    'a column gone',
    table(10),
    { rows: table(10, ['SKU', 'Name']) },
    'The origin no longer has 1 column of the current rows: Price.',
  ],
  [
    'a column renamed',
    table(10),
    { rows: table(10, ['SKU', 'Title', 'Price']) },
    'The origin no longer has 1 column of the current rows: Name.',
  ],
  [
    'cells beyond the header',
    table(10),
    { rows: [...table(10), ['SKU-x', 'a', 1, 2]] },
    'The origin has 1 column with values but without a name, more than before: cells may have shifted.',
  ],
])('%s: the old rows stay current, and the new ones wait', async (_, former, found, reason) => {
  const { run, now, current } = await compare(former, found)
  expect(run.state).toBe('warning')
  expect(run.warnings).toContain(reason)
  expect(run.message).toMatch(/which need approval\. The previous 10 rows are still used\./)
  expect(run.receipt).toMatchObject({ is_changed: false, needs_approval: true })
  expect(now).toMatchObject({ snapshot_id: current, waiting_snapshot_id: expect.any(Number) })
  expect(now.pulled_at).toEqual(now.changed_at)
})

test('blanks around a column name and its Unicode form do not make it another column', async () => {
  const former = table(3, ['SKU', 'Price ', 'Größe'.normalize('NFD')])
  const { run } = await compare(former, { rows: table(3, ['SKU', 'Price', 'Größe']) })
  expect(run).toMatchObject({ state: 'success', receipt: { is_changed: true } })
})

test.each<[string, Row[], Partial<ScriptedSource['script']>, object?]>([
  ['half the rows', table(10), { rows: table(5) }],
  [
    'columns in another order',
    table(10),
    { rows: table(10).map(([sku = null, name = null, price = null]) => [price, sku, name]) },
  ],
  ['few rows where any number will do', table(10), { rows: table(1) }, { min_rows_percent: 0 }],
  ['as many as it says', table(10), { rows: table(9), total: 9 }],
])('%s: the new rows become current', async (_, former, found, fields) => {
  const { run, now, current } = await compare(former, found, fields)
  expect(run).toMatchObject({ state: 'success', warnings: [] })
  expect(now.waiting_snapshot_id).toBeNull()
  expect(now.snapshot_id).not.toBe(current)
})

test('an empty origin never empties a task, whatever minimum is set', async () => {
  const { run, now } = await compare(table(10), { rows: table(0) }, { min_rows_percent: 0 })
  expect(run.state).toBe('warning')
  expect(now.waiting_snapshot_id).not.toBeNull()
})

test('a first ingest that is incomplete by the origin’s count needs approval, too', async () => {
  const task = await world.sourceTask({ spreadsheet_id: 'a-spreadsheet-id' })
  origin.script = { rows: table(3), total: 4 }
  expect(await world.ingest(task)).toMatchObject({
    state: 'warning',
    message: expect.stringMatching(/^Read 3 rows x 3 columns, which need approval\. 1 request/),
  })
  expect(await pointers(task)).toMatchObject({ snapshot_id: null, waiting_snapshot_id: expect.any(Number) })
})

test('equal rows keep waiting for approval, others replace them, and a complete ingest ends the wait', async () => {
  const { task, now: first } = await compare(table(10), { rows: table(2) })
  await world.ingest(task)
  expect((await pointers(task)).waiting_snapshot_id).toBe(first.waiting_snapshot_id)
  origin.script = { rows: table(3) }
  await world.ingest(task)
  expect((await pointers(task)).waiting_snapshot_id).not.toBe(first.waiting_snapshot_id)
  origin.script = { rows: table(10) }
  expect((await world.ingest(task)).receipt).toMatchObject({ is_changed: false })
  expect((await pointers(task)).waiting_snapshot_id).toBeNull()
})

test('rows that need approval are not pruned', async () => {
  const { now } = await compare(table(10), { rows: table(2) })
  await world.db
    .updateTable('snapshots')
    .set({ created_at: new Date(0), pinned_until: new Date(0) })
    .execute()
  await prune(world.db, 90)
  const left = await world.db.selectFrom('snapshots').select('id').execute()
  expect(left.map(({ id }) => id)).toEqual(expect.arrayContaining([now.snapshot_id, now.waiting_snapshot_id]))
})

test('acknowledging waiting rows does not acknowledge later ones', async () => {
  const { task, run } = await compare(table(10), { rows: table(2) })
  const { warnings } = await world.db
    .selectFrom('runs')
    .select('warnings')
    .where('id', '=', run.id)
    .executeTakeFirstOrThrow()
  await world.db
    .insertInto('acknowledged_warnings')
    .values(warnings.map(({ id }) => ({ task_id: task, warning_id: id, acknowledged_by: 'ada@example.com' })))
    .execute()
  expect((await world.ingest(task)).state).toBe('success')
  origin.script = { rows: [...table(2), ['SKU-9', 1, 1]] }
  expect((await world.ingest(task)).state).toBe('warning')
})

test('the id of a warning about columns without a name is the one that earlier acknowledgements store', async () => {
  const { run, now } = await compare(table(10), { rows: [...table(10), ['SKU-x', 'a', 1, 2]] })
  const { warnings } = await world.db
    .selectFrom('runs')
    .select('warnings')
    .where('id', '=', run.id)
    .executeTakeFirstOrThrow()
  const { hash } = await world.db
    .selectFrom('snapshots')
    .select('hash')
    .where('id', '=', now.waiting_snapshot_id)
    .executeTakeFirstOrThrow()
  const subject = createHash('sha256').update(`nameless ${hash}`).digest('hex').slice(0, 16)
  expect(warnings.map(({ id }) => id)).toEqual([`held_back-${subject}`])
})
