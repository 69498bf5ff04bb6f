import { describe, expect, test } from 'vitest'
import { copyWorlds } from '../../../../../test/fakes/json-directory/world.ts'
import type { Cell } from '../../../../../test/fakes/spreadsheets.ts'
import type { CopyWorld } from '../../../../../test/fixtures/copy-world.ts'

const header = ['SKU', 'Name', 'Stock']
const rows: Cell[][] = [
  ['007', 'Bolt', 5],
  ['008', 'Nut', 3],
  ['009', 'Gear', 1],
]

async function setSource(world: CopyWorld, source: string, values: Cell[][]): Promise<void> {
  await world.clear(source, 'Products')
  await world.write(source, 'Products', values)
}

const keys = JSON.stringify(['SKU'])

describe.each(copyWorlds())('over %s', (_provider, world) => {
  test('update changes rows where they stand, adds new ones, marks missing ones, and keeps what others wrote beside', async () => {
    const held = [
      ['SKU', 'Name', 'Stock', 'Mine', 'State'],
      ['009', 'old', 0, 'note of 009'],
      ['007', 'Bolt', 5, 'note of 007'],
    ]
    const { source, target, task } = await world.pair([header, ...rows], held, {
      ...{ write_mode: 'update', key_columns: keys, on_missing: 'mark', mark_column: 'State' },
      ...{ mark_text: 'gone', find_columns_by_header: true },
    })
    const first = await world.run(task)
    expect([first.state, first.message]).toEqual(['success', expect.any(String)])
    expect(await world.values(target, 'Shop')).toEqual([
      ['SKU', 'Name', 'Stock', 'Mine', 'State'],
      ['009', 'Gear', 1, 'note of 009'],
      ['007', 'Bolt', 5, 'note of 007'],
      ['008', 'Nut', 3],
    ])
    await setSource(world, source, [header, ...rows.slice(1), ['010', 'New', 7]])
    const second = await world.run(task)
    expect(second.receipt).toMatchObject({ by_key: { added: 1, unchanged: 2 } })
    expect(await world.values(target, 'Shop')).toEqual([
      ['SKU', 'Name', 'Stock', 'Mine', 'State'],
      ['009', 'Gear', 1, 'note of 009'],
      ['007', 'Bolt', 5, 'note of 007', 'gone'],
      ['008', 'Nut', 3],
      ['010', 'New', 7],
    ])
  })

  test('append adds rows below those of others, and none twice', async () => {
    const { source, target, task } = await world.pair([header, ...rows], [header, ['001', 'Other', 9]], {
      ...{ write_mode: 'append', key_columns: keys },
    })
    expect((await world.run(task)).state).toBe('success')
    const appended = [header, ['001', 'Other', 9], ...rows]
    expect(await world.values(target, 'Shop')).toEqual(appended)
    await setSource(world, source, [header, ['007', 'Bolt', 99], ['011', 'More', 2]])
    expect((await world.run(task)).state).toBe('success')
    expect(await world.values(target, 'Shop')).toEqual([...appended, ['011', 'More', 2]])
  })

  test('a split task writes a tab per value', async () => {
    const shops = [
      ['SKU', 'Shop'],
      ['007', 'North'],
      ['008', 'South'],
      ['009', 'North'],
    ]
    const { target, task } = await world.pair(shops, [], { split_by: 'Shop' })
    const run = await world.run(task)
    expect([run.state, run.message]).toEqual(['success', expect.any(String)])
    expect((await world.tabs(target)).toSorted()).toEqual(['North', 'Shop', 'South'])
    expect(await world.values(target, 'North')).toEqual([
      ['SKU', 'Shop'],
      ['007', 'North'],
      ['009', 'North'],
    ])
  })
})
