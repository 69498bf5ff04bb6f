import { expect, test } from 'vitest'
import { copyWorld } from '../../../../../test/fixtures/copy-world.ts'

const world = copyWorld()
const table = Array.from({ length: 50 }, (_, row) =>
  Array.from({ length: 6 }, (_, column) => `${row}/${column}`),
)

test.each([
  ['whose tab is named', 'Products'],
  ['of the first tab', ''],
])(
  'a small table %s costs two reads and two writes, and two reads and no write when nothing differs',
  async (_, source_sheet_name) => {
    const { source, target, task } = await world.pair(table, [['old']], { source_sheet_name })
    const first = await world.run(task)
    expect(first).toMatchObject({ state: 'success', requests: { read: 2, write: 2 } })
    const same = await world.run(task)
    expect(same).toMatchObject({ state: 'success', requests: { read: 2, write: 0 } })
    await world.write(source, 'Products!B3', [['new']])
    const changed = await world.run(task)
    expect(changed).toMatchObject({ state: 'success', requests: { read: 2, write: 2 } })
    expect(await world.values(target, 'Shop')).toEqual(await world.values(source, 'Products'))
  },
)

test('a long narrow table, of which the first request brings only the beginning, is copied whole', async () => {
  const long = Array.from({ length: 10_050 }, (_, row) => [`${row}`, row])
  const { source, target, task } = await world.pair(long, [['old']])
  expect(await world.run(task)).toMatchObject({ state: 'success' })
  expect(await world.values(target, 'Shop')).toEqual(await world.values(source, 'Products'))
  await world.write(source, 'Products!B10040', [['new']])
  expect(await world.run(task)).toMatchObject({ state: 'success' })
  expect(await world.values(target, 'Shop')).toEqual(await world.values(source, 'Products'))
})
