import { afterAll, describe, expect, test } from 'vitest'
import { EDITS } from '../../../../test/colleague-edits.ts'
import { copyWorld } from '../../../../test/copy-world.ts'
import { COMMIT, editBefore } from '../../../../test/edited-copies.ts'

// What a colleague does in the target between the last look of a copy at it and its commit.
const world = copyWorld({ proxied: true, commit_bytes: 2_000 })
afterAll(() => world.proxy.reset())

describe.each([
  { what: 'changes a few cells', rows: 6, first: false },
  { what: 'pastes', rows: 60, first: false },
])('a commit that $what loses nothing of a colleague’s when', (scenario) => {
  test.concurrent.each(EDITS)('$what', async (edit) => {
    expect(await editBefore(world, COMMIT, scenario, edit)).toBe(true)
  })
})

test('where a column is moved into the table at that moment, no more of it is written over than the commit itself has reached', async () => {
  const rows = Array.from({ length: 6 }, (_, row) =>
    ['H0', 'H1', 'H2'].map((name) => (row ? `${name} ${row}` : name)),
  )
  const { source, target, task } = await world.pair(rows)
  await world.run(task)
  await world.write(target, 'Shop!F1', [['Mine'], ['a'], ['b'], ['c'], ['d'], ['e']])
  await world.write(source, 'Products!B3', [['changed']])
  const held = world.proxy.hold({ path: new RegExp(target), ...COMMIT })
  await world.start(task)
  await held.arrived
  const column = { sheetId: 100, dimension: 'COLUMNS', startIndex: 5, endIndex: 6 }
  await world.batch(target, { moveDimension: { source: column, destinationIndex: 1 } })
  await held.deliver()
  const run = await world.ended(task)
  expect([run.state, run.message]).toEqual([
    'failed',
    expect.stringMatching(/columns were inserted, moved or deleted: .*at the moment it was written/),
  ])
  expect(await world.values(target, 'Shop!B1:B6')).toEqual([
    ['Mine'],
    ['a'],
    ['changed'],
    ['c'],
    ['d'],
    ['e'],
  ])
  expect((await world.run(task)).message).toMatch(
    /columns were inserted, moved or deleted: .*Nothing was written/,
  )
})
