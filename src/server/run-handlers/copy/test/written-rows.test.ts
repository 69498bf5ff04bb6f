import { expect, test } from 'vitest'
import type { Cell } from '../../../../../test/fakes/spreadsheets.ts'
import { copyWorld } from '../../../../../test/fixtures/copy-world.ts'

// What runs remember of the rows that they wrote.
const world = copyWorld()

const header = ['SKU', 'Stock']
const rows: Cell[][] = [header, ['A', 1], ['B', 2]]
const byKey = { write_mode: 'update', key_columns: JSON.stringify(['SKU']) } as const

const setMode = (task: number, settings: object) =>
  world.db.updateTable('sync_tasks').set(settings).where('task_id', '=', task).execute()

test('rows that a task wrote as it replaced its target can be missing later', async () => {
  const { source, target, task } = await world.pair(rows)
  await world.run(task)
  await setMode(task, { ...byKey, on_missing: 'clear' })
  await world.write(target, 'Shop!A4', [['Z', 9]])
  await world.clear(source, 'Products')
  await world.write(source, 'Products', [header, ['B', 2]])
  const run = await world.run(task)
  expect(run.receipt, run.message).toMatchObject({ by_key: { missing: 1, unchanged: 1 } })
  expect(await world.values(target, 'Shop')).toEqual([header, [], ['B', 2], ['Z', 9]])
})

test('rows appended by an applied plan are not appended again', async () => {
  const { source, target, task } = await world.pair(rows, [], { write_mode: 'append' })
  await world.run(task)
  await world.write(source, 'Products!A4', [['C', 3]])
  const { plan_id } = await world.preview(task)
  const applied = await world.run(task, { plan: plan_id })
  expect(applied.state, applied.message).toBe('success')
  const expected = [...rows, ['C', 3]]
  expect(await world.values(target, 'Shop')).toEqual(expected)
  await world.run(task)
  expect(await world.values(target, 'Shop')).toEqual(expected)
})

test('a preview remembers nothing: what it would add is added by the next run', async () => {
  const { target, task } = await world.pair(rows, [], { write_mode: 'append' })
  await world.preview(task)
  expect(await world.values(target, 'Shop')).toEqual([])
  await world.run(task)
  expect(await world.values(target, 'Shop')).toEqual(rows)
})

test('a run of update can be undone, and the next one writes again', async () => {
  const { source, target, task } = await world.pair(rows, [], byKey)
  await world.run(task)
  await world.write(target, 'Shop!C1', [['Note'], ['of A'], ['of B']])
  await world.write(source, 'Products!A2', [
    ['A', 10],
    ['B', 2],
    ['C', 3],
  ])
  await world.run(task)
  const { plan_id, message } = await world.undo(task)
  const undone = await world.run(task, { plan: plan_id })
  expect(undone.state, `${message} ${undone.message}`).toBe('success')
  expect(await world.values(target, 'Shop')).toEqual([
    ['SKU', 'Stock', 'Note'],
    ['A', 1, 'of A'],
    ['B', 2, 'of B'],
  ])
  await world.run(task)
  expect((await world.values(target, 'Shop')).slice(1)).toEqual([
    ['A', 10, 'of A'],
    ['B', 2, 'of B'],
    ['C', 3],
  ])
})

test('columns may be moved at any time, and those that the task has left are not cleared', async () => {
  const { source, target, task } = await world.pair(rows, [], { ...byKey, find_columns_by_header: true })
  await world.run(task)
  const orders: Cell[][][] = [
    [
      ['Stock', 'SKU', 'Theirs'],
      [1, 'A', 'x'],
      [2, 'B', 'y'],
    ],
    [
      ['Theirs', 'More', 'SKU', 'Stock'],
      ['x', 'p', 'A', 1],
      ['y', 'q', 'B', 2],
    ],
    [
      ['SKU', 'Stock', 'Theirs', 'More'],
      ['A', 1, 'x', 'p'],
      ['B', 2, 'y', 'q'],
    ],
  ]
  for (const [nth, order] of orders.entries()) {
    await world.clear(target, 'Shop')
    await world.write(target, 'Shop', order)
    const stock = 10 + nth
    await world.write(source, 'Products!B2', [[stock]])
    const run = await world.run(task)
    expect(run.state, run.message).toBe('success')
    expect(await world.values(target, 'Shop')).toEqual(
      order.map((row) => row.map((cell) => (cell === 1 ? stock : cell))),
    )
  }
})
