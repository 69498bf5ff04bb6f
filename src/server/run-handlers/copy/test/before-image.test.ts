import { expect, test } from 'vitest'
import { beforeImage } from '../../../../../test/fixtures/before-image.ts'
import { type CopyWorld, copyWorld } from '../../../../../test/fixtures/copy-world.ts'

const world = copyWorld()
const COLUMNS = 4

type Rows = Parameters<CopyWorld['write']>[2]

/** Long enough that the differing rows take several blocks. */
const table: Rows = Array.from({ length: 3_000 }, (_, row) =>
  Array.from({ length: COLUMNS }, (_, column) => `row ${row}, column ${column} ${'é'.repeat(40)}`),
)
/** Changes one cell per data row, in varying columns. */
const changed = table.map((row, n) => (n === 0 ? row : row.with((n * 7) % COLUMNS, `new ${n}`)))

async function settled() {
  const source = await world.spreadsheet({ Products: table })
  const target = await world.spreadsheet({ Shop: [] })
  const task = await world.task({ source_ss_id: source, target_ss_id: target })
  await world.run(task)
  return { source, target, task }
}

const taskOf = (task_id: number) =>
  world.db
    .selectFrom('tasks')
    .select(['snapshot_id', 'before_snapshot_id'])
    .where('id', '=', task_id)
    .executeTakeFirstOrThrow()

test('the before image of a target that is unchanged since the last run is the copy of that run', async () => {
  const { source, task } = await settled()
  const { snapshot_id } = await taskOf(task)
  await world.write(source, 'Products!A1', changed)
  expect(await world.run(task)).toMatchObject({ state: 'success', receipt: { cells_changed: 2_999 } })
  expect((await taskOf(task)).before_snapshot_id).toBe(snapshot_id)
  expect(await beforeImage(world.db, task)).toEqual(table)
})

test('the before image of a target in which another editor changed, cleared and added rows has the rows before the run', async () => {
  const { source, target, task } = await settled()
  await world.write(target, 'Shop!B2000', [['by hand', true]])
  await world.clear(target, 'Shop!A10:D10')
  await world.batch(target, { appendDimension: { sheetId: 100, dimension: 'ROWS', length: 5 } })
  await world.write(target, `Shop!A${table.length + 3}`, [['below', '', 7]])
  const held = await world.values(target, 'Shop')
  await world.write(source, 'Products!A1', changed)
  expect((await world.run(task)).state).toBe('success')
  expect(await world.values(target, 'Shop')).toEqual(changed)
  expect(await beforeImage(world.db, task)).toEqual(held)
})

test('without the copy of the last run the before image has its own rows', async () => {
  const { source, target, task } = await settled()
  const { snapshot_id } = await taskOf(task)
  await world.db.deleteFrom('snapshot_rows').where('snapshot_id', '=', snapshot_id).execute()
  await world.db.deleteFrom('snapshots').where('id', '=', snapshot_id).execute()
  const held = await world.values(target, 'Shop')
  await world.write(source, 'Products!A1', changed)
  expect((await world.run(task)).state).toBe('success')
  expect((await taskOf(task)).before_snapshot_id).not.toBe(snapshot_id)
  expect(await beforeImage(world.db, task)).toEqual(held)
})
