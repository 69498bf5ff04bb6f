import { expect, test } from 'vitest'
import type { Cell } from '../../../../test/fakes/spreadsheets.ts'
import { copyWorld } from '../../../../test/fixtures/copy-world.ts'

const world = copyWorld()

const header = ['SKU', 'Name', 'Price']
const products = (count: number, name = 'Product') =>
  Array.from({ length: count }, (_, index) => [`SKU-${index + 1}`, `${name} ${index + 1}`, index + 0.5])

async function sheet(rows: Cell[][]) {
  const spreadsheet_id = await world.spreadsheet({ Products: [header, ...rows] }, 'Catalogue')
  const task = await world.sourceTask({ spreadsheet_id })
  return { spreadsheet_id, task }
}

/** The task's current state. */
const held = async (task_id: number) => {
  const task = await world.db
    .selectFrom('tasks')
    .innerJoin('source_tasks', 'source_tasks.task_id', 'tasks.id')
    .select(['snapshot_id', 'waiting_snapshot_id', 'pulled_at', 'changed_at', 'sheet_id', 'spreadsheet_name'])
    .where('tasks.id', '=', task_id)
    .executeTakeFirstOrThrow()
  const rows = await world.db
    .selectFrom('snapshot_rows')
    .select('cells')
    .where('snapshot_id', '=', task.snapshot_id ?? 0)
    .orderBy('row_no')
    .execute()
  return { ...task, rows: rows.map(({ cells }) => cells) }
}

const snapshotsOf = (task_id: number) =>
  world.db.selectFrom('snapshots').selectAll().where('task_id', '=', task_id).orderBy('id').execute()

test('the rows of a sheet become current: columns, rows, receipt, both times, the tab found', async () => {
  const { task } = await sheet(products(3))
  const run = await world.ingest(task)
  expect(run).toMatchObject({ state: 'success', warnings: [] })
  expect(run.receipt).toMatchObject({
    rows: 3,
    columns: 3,
    requests: 1,
    is_changed: true,
    needs_approval: false,
    account: 'ada@example.com',
  })
  const now = await held(task)
  expect(now.rows).toEqual(products(3))
  expect(now).toMatchObject({ spreadsheet_name: 'Catalogue', sheet_id: expect.any(Number) })
  expect(now.pulled_at).toEqual(now.changed_at)
  expect(await snapshotsOf(task)).toMatchObject([{ columns: header, row_count: 3, hash: run.receipt?.hash }])
  expect(run.log).toEqual([
    'INFO Run started, requested by ada@example.com',
    'INFO Reading ‘Products’ in ‘Catalogue’ as ada@example.com.',
    'INFO ‘Products’ in ‘Catalogue’ has 3 rows x 3 columns.',
    expect.stringMatching(/^SUCCESS Read 3 rows x 3 columns\. 1 request in [\d.]+ s\.$/),
  ])
})

test('a sheet is read from its header row, and its tab is found in any Unicode form of its title', async () => {
  const title = 'Größen'
  const spreadsheet_id = await world.spreadsheet(
    {
      [title.normalize('NFD')]: [
        ['Report of 2026'],
        [null, 'net'],
        ['SKU ', 'Price'],
        ['A', 1],
        ['B', '#N/A'],
      ],
    },
    'Reports',
  )
  const task = await world.sourceTask({ spreadsheet_id, sheet_name: title, start_row: 3 })
  const read = await world.ingest(task)
  expect(read).toMatchObject({ state: 'warning', receipt: { rows: 2, columns: 2 } })
  // Row numbers are the sheet's.
  expect(read.warnings).toEqual([expect.stringContaining('1 cell (Price in row 5)')])
  expect((await held(task)).rows).toEqual([
    ['A', 1],
    ['B', '#N/A'],
  ])
  // Another header row is another table, even if the sheet is the same.
  await world.db.updateTable('source_tasks').set({ start_row: 4 }).where('task_id', '=', task).execute()
  const run = await world.ingest(task)
  expect(run).toMatchObject({ state: 'warning', receipt: { rows: 1, needs_approval: true } })
})

test('an unchanged ingest keeps the rows: its time is updated, the time of the change is not, and no rows are left behind', async () => {
  const { task } = await sheet(products(3))
  await world.ingest(task)
  const before = await held(task)
  const run = await world.ingest(task)
  expect(run.message).toMatch(/^Read 3 rows x 3 columns, the same as before\. 1 request in/)
  expect(run).toMatchObject({ state: 'success', receipt: { is_changed: false, rows: 3 } })
  const after = await held(task)
  expect(after).toMatchObject({ snapshot_id: before.snapshot_id, changed_at: before.changed_at })
  expect(after.pulled_at?.getTime()).toBeGreaterThan(before.pulled_at?.getTime() ?? 0)
  expect(await snapshotsOf(task)).toHaveLength(1)
})

test('other rows replace them at once', async () => {
  const { task, spreadsheet_id } = await sheet(products(3))
  await world.ingest(task)
  const before = await held(task)
  await world.write(spreadsheet_id, 'Products!A2', [['SKU-1', 'Renamed', 1]])
  expect((await world.ingest(task)).receipt?.is_changed).toBe(true)
  const after = await held(task)
  expect(after.rows[0]).toEqual(['SKU-1', 'Renamed', 1])
  expect(after.changed_at?.getTime()).toBeGreaterThan(before.changed_at?.getTime() ?? 0)
})

test('error cells are a warning that says where they are; the rows become current', async () => {
  const { task } = await sheet([['SKU-1', '#N/A', '#REF!']])
  const run = await world.ingest(task)
  expect(run.state).toBe('warning')
  expect(run.warnings).toEqual([
    '2 cells (Name in row 2, Price in row 2) with a spreadsheet error such as #N/A, kept as text.',
  ])
  expect((await held(task)).rows).toHaveLength(1)
})

test('a sheet without rows below its header and an empty sheet are reported', async () => {
  const { task } = await sheet([])
  expect(await world.ingest(task)).toMatchObject({
    state: 'warning',
    warnings: ['‘Products’ in ‘Catalogue’ has no rows.'],
  })
  const spreadsheet_id = await world.spreadsheet({ Products: [] }, 'Blank')
  const blank = await world.sourceTask({ spreadsheet_id })
  expect(await world.ingest(blank)).toMatchObject({ state: 'warning', receipt: { rows: 0, columns: 0 } })
})

test('columns with values and no name are kept; a repeated name is unchanged', async () => {
  const spreadsheet_id = await world.spreadsheet({
    Products: [
      ['A', 'A'],
      [1, 2, 3],
    ],
  })
  const task = await world.sourceTask({ spreadsheet_id })
  await world.ingest(task)
  expect(await snapshotsOf(task)).toMatchObject([{ columns: ['A', 'A', ''] }])
})

test('a failed run keeps the last good rows; a permanent error fails at once', async () => {
  const { task } = await sheet(products(3))
  await world.ingest(task)
  await world.db
    .updateTable('source_tasks')
    .set({ sheet_name: 'Gone', sheet_id: null })
    .where('task_id', '=', task)
    .execute()
  expect(await world.ingest(task)).toMatchObject({
    state: 'failed',
    message: '‘Catalogue’ does not have a tab called ‘Gone’.',
  })
  expect((await held(task)).rows).toEqual(products(3))
})

test('more rows than the task allows fail with that message', async () => {
  const spreadsheet_id = await world.spreadsheet({ Products: [header, ...products(4)] })
  const task = await world.sourceTask({ spreadsheet_id, max_rows: 3 })
  expect(await world.ingest(task)).toMatchObject({
    state: 'failed',
    message: expect.stringMatching(/has more than 3 rows, the limit of this task\.$/),
  })
})

test('the error of a task without a source says what to do', async () => {
  const task = await world.sourceTask({ source_type: 'api' })
  expect(await world.ingest(task)).toMatchObject({
    state: 'failed',
    message: 'The task does not say where its rows come from. Edit it.',
  })
})
