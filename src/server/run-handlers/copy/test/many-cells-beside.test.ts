import { expect, test } from 'vitest'
import type { Cell } from '../../../../../test/fakes/spreadsheets.ts'
import { copyWorld } from '../../../../../test/fixtures/copy-world.ts'

const world = copyWorld()

const header = ['SKU', 'Stock']

test('of 100,000 rows, the cells beside those that move are found with one more request', {
  timeout: 90_000,
}, async () => {
  const many = Array.from({ length: 100_000 }, (_, n): Cell[] => [`SKU-${n}`, n])
  const { source, target, task } = await world.pair([header, ...many])
  expect(await world.run(task)).toMatchObject({ state: 'success' })
  await world.write(target, 'Shop!E2', [['first']])
  await world.write(target, 'Shop!E90002', [['ordered']])
  await world.write(source, 'Products!A50002', [['NEW', 1], ...many.slice(50_000, -1)])
  const stop = await world.run(task)
  expect(stop).toMatchObject({
    state: 'failed',
    message: expect.stringContaining(
      '1 filled cell beside another row: ‘ordered’ in E90002 stands beside SKU-90000; it would stand beside SKU-89999',
    ),
  })
  await world.clear(target, 'Shop!E90002')
  const run = await world.run(task)
  expect(run).toMatchObject({ state: 'success' })
  // A table that fills its grid has no columns beside it.
  const properties = { sheetId: 100, gridProperties: { columnCount: 2 } }
  await world.batch(target, { updateSheetProperties: { properties, fields: 'gridProperties.columnCount' } })
  await world.write(source, 'Products!A30002', [['NEWER', 1], ...many.slice(30_000, 50_000)])
  const alone = await world.run(task)
  expect(alone).toMatchObject({ state: 'success', requests: { read: run.requests.read - 1 } })
})
