import { expect, test } from 'vitest'
import { type CopyWorld, copyWorld } from '../../../../../test/fixtures/copy-world.ts'

// Google rejects requests above 10 MB, so a commit can be too large here.
const world = copyWorld()
const unlimited = copyWorld({ commit_bytes: 60_000_000, proxied: true })

type Rows = (string | number)[][]

const sized = (rows: number, columns: number): Rows =>
  Array.from({ length: rows }, (_, row) => Array.from({ length: columns }, (_, column) => `${row}/${column}`))

async function copied(rows: Rows, { task, spreadsheet }: Pick<CopyWorld, 'task' | 'spreadsheet'>) {
  const source = await spreadsheet({ Products: rows })
  const target = await spreadsheet({ Shop: [] })
  const names = { source_sheet_name: 'Products', target_sheet_name: 'Shop' }
  return { source, target, task: await task({ source_ss_id: source, target_ss_id: target, ...names }) }
}

const bound = (to: CopyWorld) => ({ task: to.task.bind(to), spreadsheet: to.spreadsheet.bind(to) })

async function imagesOf(task_id: number) {
  const { db } = world
  const { snapshot_id, before_snapshot_id } = await db
    .selectFrom('tasks')
    .select(['snapshot_id', 'before_snapshot_id'])
    .where('id', '=', task_id)
    .executeTakeFirstOrThrow()
  const before = await db
    .selectFrom('snapshot_rows')
    .select('cells')
    .where('snapshot_id', '=', before_snapshot_id ?? 0)
    .orderBy('row_no')
    .execute()
  return { snapshot_id, before_snapshot_id, before: before.map(({ cells }) => cells) }
}

test('a table whose cells all fit one commit costs two writes', async () => {
  const rows = sized(5_000, 20)
  const { target, task } = await copied(rows, bound(unlimited))
  const run = await unlimited.run(task)
  expect(run).toMatchObject({ state: 'success', receipt: { mode: 'small' }, requests: { write: 2 } })
  expect(await unlimited.values(target, 'Shop')).toEqual(rows)
})

test('20,000 cells that are scattered over 20,000 rows take two writes, and the before image stores no rows', async () => {
  const rows = sized(20_000, 4)
  const { source, target, task } = await copied(rows, bound(world))
  await world.run(task)
  const first = await imagesOf(task)
  // Spread over the columns, so that few changed cells are adjacent.
  const changed = rows.map((row, index) => row.with((index * 7) % 4, `new ${index}, longer than before`))
  await world.write(source, 'Products!A1', changed)
  const run = await world.run(task)
  expect(run).toMatchObject({
    state: 'success',
    receipt: { mode: 'small', cells_changed: 20_000 },
    requests: { write: 2 },
  })
  expect(await world.values(target, 'Shop')).toEqual(changed)
  expect((await imagesOf(task)).before_snapshot_id).toBe(first.snapshot_id)
})

test('the whole table is written when that has fewer bytes than its cells one by one', async () => {
  const rows = sized(9_000, 6)
  const { source, target, task } = await copied(rows, bound(world))
  await world.run(task)
  const changed = rows.map((row) => row.map((cell) => `${cell}!`))
  await world.write(source, 'Products!A1', changed)
  const run = await world.run(task)
  expect(run).toMatchObject({ state: 'success', receipt: { mode: 'staged', cells_changed: 54_000 } })
  expect(await world.values(target, 'Shop')).toEqual(changed)
})

test('cells that are scattered over a table too large for one commit are staged as patches over the rows of the target', async () => {
  const rows = Array.from({ length: 16_000 }, (_, row) =>
    Array.from({ length: 10 }, (_, column) => `row ${row}, column ${column}, as it was written at first`),
  )
  const { source, target, task } = await copied(rows, bound(world))
  await world.run(task)
  const changed = rows.map((row, index) =>
    row.with(
      (index * 7) % 10,
      index % 9 === 0 ? '' : `new ${index}, for more bytes than two million ${'x'.repeat(30)}`,
    ),
  )
  for (let first = 0; first < changed.length; first += 4_000)
    await world.write(source, `Products!A${first + 1}`, changed.slice(first, first + 4_000))
  const run = await world.run(task)
  // Create the staging tab, write all differences in one request, commit. The whole table would take five write requests.
  expect(run).toMatchObject({
    state: 'success',
    receipt: { mode: 'staged', cells_changed: 16_000 },
    requests: { write: 3 },
  })
  expect(run.log.filter((line) => line.includes('Writing again'))).toEqual([])
  const expected = changed.map((row) => row.slice(0, row.findLastIndex((cell) => cell !== '') + 1))
  expect(await world.values(target, 'Shop')).toEqual(expected)
  expect(await world.tabs(target)).toEqual(['Shop'])
})

test('rows that are not cached are staged from the database', async () => {
  // 27 MB, of which 24 MB are cached.
  const rows = Array.from({ length: 560 }, (_, row) => [row, `${row} ${'é€'.repeat(9_700)}`])
  const { source, target, task } = await copied(sized(561, 2), bound(world))
  await world.run(task)
  for (let first = 0; first < rows.length; first += 140)
    await world.write(source, `Products!A${first + 2}`, rows.slice(first, first + 140))
  const run = await world.run(task)
  expect(run).toMatchObject({ state: 'success', receipt: { mode: 'staged' } })
  expect(run.log.filter((line) => line.includes('Writing again'))).toEqual([])
  expect((await world.values(target, 'Shop')).slice(1)).toEqual(rows)
})

test('the whole table is written when Google refuses the size of a commit', async () => {
  const rows = Array.from({ length: 2_300 }, (_, row) => ['a'.repeat(90), `${1_000 + row} `.repeat(940)])
  const { source, target, task } = await copied(
    rows.map(([first = '']) => [first, 'short']),
    bound(unlimited),
  )
  await unlimited.run(task)
  for (let first = 0; first < rows.length; first += 1_150)
    await unlimited.write(source, `Products!A${first + 1}`, rows.slice(first, first + 1_150))
  const run = await unlimited.run(task)
  expect(run.log).toContain(
    'INFO Google refused the request as too large (400). The whole table is staged instead.',
  )
  expect(run.state).toBe('success')
  expect(await unlimited.values(target, 'Shop')).toEqual(rows)
  expect(await unlimited.tabs(target)).toEqual(['Shop'])
})

test('what a commit overwrites is restored where the rows were sorted right before it, also if Google had refused its size', async () => {
  const { proxy } = unlimited
  const key = (row: number) => `S${1_000 + row}`
  const header = ['SKU', 'Name', 'Stock']
  const rows = Array.from({ length: 2_300 }, (_, row) => [key(row), 'short', row])
  const own = ['A own row', 'mine', -1]
  const keys = { write_mode: 'update' as const, key_columns: JSON.stringify(['SKU']) }
  const { source, target, task } = await unlimited.pair([header, ...rows], [header, ...rows, own], keys)
  expect((await unlimited.run(task)).state).toBe('success')
  const changed = rows.map(([sku, , stock]) => [sku, `${stock} `.repeat(1_000), stock])
  for (let first = 0; first < rows.length; first += 1_150)
    await unlimited.write(source, `Products!A${first + 2}`, changed.slice(first, first + 1_150) as Rows)
  const commit = proxy.hold({ path: new RegExp(target), body: /copyPaste.*deleteSheet/s })
  await unlimited.start(task)
  await commit.arrived
  const range = { sheetId: 100, startRowIndex: 1, endRowIndex: rows.length + 2 }
  const sortSpecs = [{ dimensionIndex: 0, sortOrder: 'ASCENDING' }]
  await unlimited.batch(target, { sortRange: { range, sortSpecs } })
  await commit.deliver()
  const run = await unlimited.ended(task)
  expect(run.state, run.message).toBe('warning')
  expect(run.log).toContain(
    'INFO Google refused the request as too large (400). The whole table is staged instead.',
  )
  expect(await unlimited.values(target, 'Shop')).toEqual([header, own, ...changed])
})

test('the before image of a target that another editor changed has its rows: those that differ and those that do not', async () => {
  const rows = sized(60, 3)
  const { source, target, task } = await copied(rows, bound(world))
  await world.run(task)
  const edited = rows.with(41, ['by hand', 'x', 1]).with(17, ['too', 2, 'y'])
  await world.write(target, 'Shop!A1', edited)
  await world.write(source, 'Products!B6', [['new']])
  expect((await world.run(task)).receipt).toMatchObject({ mode: 'small', cells_changed: 7 })
  const { snapshot_id, before_snapshot_id, before } = await imagesOf(task)
  expect(before).toEqual(edited.slice(1))
  expect(before_snapshot_id).not.toBe(snapshot_id)
})
