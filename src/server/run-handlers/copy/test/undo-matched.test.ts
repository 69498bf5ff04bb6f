import { describe, expect, test } from 'vitest'
import { copyWorlds } from '../../../../../test/fakes/json-directory/world.ts'
import type { Cell } from '../../../../../test/fakes/spreadsheets.ts'
import { type CopyWorld, copyWorld } from '../../../../../test/fixtures/copy-world.ts'
import type { Previewed } from '../../../../../test/fixtures/previewed.ts'

// Undoing and restoring in a target whose rows are matched, which people sort and take notes in.

const header = ['SKU', 'Name', 'Stock']
const held: Cell[][] = [
  [...header, 'Note'],
  ['own', 'Mine', 2, 'of own'],
  ['007', 'Bolt', 5, 'of 007'],
  ['008', 'Nut', 3, 'of 008'],
]
const KEY = JSON.stringify(['SKU'])

async function replace(world: CopyWorld, spreadsheet: string, tab: string, rows: unknown[][]) {
  await world.clear(spreadsheet, tab)
  await world.write(spreadsheet, tab, rows as Cell[][])
}

/** A task whose first run changes no row, and whose second one copies `then`. */
async function changed(world: CopyWorld, settings: object, then: Cell[][]) {
  const rows = held.slice(2).map((row) => row.slice(0, 3))
  const pair = await world.pair([header, ...rows], held, {
    ...{ write_mode: 'update', key_columns: KEY, on_bad_keys: 'skip' },
    ...settings,
  })
  expect((await world.run(pair.task)).state).toBe('success')
  await replace(world, pair.source, 'Products', [header, ...then])
  const second = await world.run(pair.task)
  expect(second.state, second.message).toBe('success')
  return { ...pair, second: second.id, values: () => world.values(pair.target, 'Shop') }
}

async function apply(world: CopyWorld, task: number, { plan_id, message }: Previewed) {
  expect(plan_id, message).not.toBeNull()
  const run = await world.run(task, { plan: plan_id })
  expect(run.state, run.message).toBe('success')
}

const later: Cell[][] = [
  ['007', 'Bolt', 70],
  ['008', 'Nut', 3],
  ['010', 'New', 10],
]

describe.each(copyWorlds())('over %s', (_provider, world) => {
  test('an undo moves no row of a table that was sorted since, and keeps all notes and edits', async () => {
    const { target, task, second, values } = await changed(world, {}, later)
    expect(await values()).toEqual([
      held[0],
      ['own', 'Mine', 2, 'of own'],
      ['007', 'Bolt', 70, 'of 007'],
      ['008', 'Nut', 3, 'of 008'],
      ['010', 'New', 10],
    ])
    await replace(world, target, 'Shop', [
      ['SKU', 'Name', 'Stock', 'Note'],
      ['010', 'New', 10, 'of 010'],
      ['008', 'Nut', 3, 'of 008'],
      ['own', 'Mine', 4, 'of own'],
      ['007', 'Bolt', 70, 'of 007'],
      ['typed', 'By hand', 1, 'since'],
    ])
    const undo = await world.undo(task)
    expect(undo.plan).toMatchObject({ restores: { run_id: second, side: 'former', kept: { cells: 0 } } })
    await apply(world, task, undo)
    const undone = [
      ['SKU', 'Name', 'Stock', 'Note'],
      ['', '', '', 'of 010'],
      ['008', 'Nut', 3, 'of 008'],
      ['own', 'Mine', 4, 'of own'],
      ['007', 'Bolt', 5, 'of 007'],
      ['typed', 'By hand', 1, 'since'],
    ]
    expect(await values()).toEqual(undone)
    await apply(world, task, await world.undo(task))
    expect(await values()).toEqual(
      undone.with(1, ['010', 'New', 10, 'of 010']).with(4, ['007', 'Bolt', 70, 'of 007']),
    )
  })

  test('an edited cell keeps its value and is named, unless edits are restored, too', async () => {
    const { target, task, values } = await changed(world, {}, later)
    await world.write(target, 'Shop!C3', [[71]])
    const undo = await world.undo(task)
    expect(undo.plan?.restores?.kept).toMatchObject({ cells: 1, addresses: [expect.stringMatching(/C3$/)] })
    await apply(world, task, await world.undo(task, { overwrite_edits: true }))
    expect(await values()).toEqual(held)
  })

  test('edits since the last run are undone by restoring what it left, edits included; rows of others stay', async () => {
    const { target, task, second, values } = await changed(world, {}, later)
    const left = await values()
    await world.write(target, 'Shop!C2', [[9], [71], [4]])
    const kept = await world.restore(task, second)
    expect(kept.plan?.restores?.kept.cells).toBe(2)
    await apply(world, task, await world.restore(task, second, { overwrite_edits: true }))
    expect(await values()).toEqual(left.with(1, ['own', 'Mine', 9, 'of own']))
  })

  test('rows that a run cleared come back in their places', async () => {
    const { task, values } = await changed(world, { on_missing: 'clear' }, [['008', 'Nut', 3]])
    expect((await values())[2]).toEqual(['', '', '', 'of 007'])
    await apply(world, task, await world.undo(task))
    expect(await values()).toEqual(held)
  })

  test('a mark is removed', async () => {
    const { task, values } = await changed(world, { on_missing: 'mark', mark_column: 'Gone' }, [
      ['008', 'Nut', 3],
    ])
    expect((await values())[2]?.[4]).not.toBe('')
    await apply(world, task, await world.undo(task))
    expect((await values()).map((row) => row.slice(0, 4))).toEqual(held)
    expect((await values())[2]?.[4] ?? '').toBe('')
  })

  test('an earlier version is restored over several runs, and edits by others between them stay', async () => {
    const { source, target, task, second, values } = await changed(world, {}, later)
    await world.write(target, 'Shop!C2', [[6]])
    await world.write(target, 'Shop!D3', [['seen by Ben']])
    await world.write(target, 'Shop!A6', [['mine', 'By hand', 8]])
    await replace(world, source, 'Products', [header, ['007', 'Bolt', 700], ['011', 'Newer', 1]])
    await world.run(task)
    await apply(world, task, await world.restore(task, second))
    expect((await values()).filter((row) => row.some((cell) => cell !== ''))).toEqual([
      held[0],
      ['own', 'Mine', 6, 'of own'],
      ['007', 'Bolt', 70, 'seen by Ben'],
      ['008', 'Nut', 3, 'of 008'],
      ['010', 'New', 10],
      ['mine', 'By hand', 8],
    ])
  })

  test('an appended row is removed, also if the table was sorted since', async () => {
    const { target, task, values } = await changed(world, { write_mode: 'append' }, later)
    const rows = await values()
    await replace(world, target, 'Shop', [rows[0] ?? [], ...rows.slice(1).reverse()])
    await apply(world, task, await world.undo(task))
    expect(await values()).toEqual([rows[0], [], ...rows.slice(1, 4).reverse()])
  })

  test('what the first run wrote into a blank tab is removed, and comes back', async () => {
    const { target, task } = await world.pair([header, ...later], [], {
      ...{ write_mode: 'update', key_columns: KEY },
    })
    await world.run(task)
    await apply(world, task, await world.undo(task))
    expect(await world.values(target, 'Shop')).toEqual([])
    await apply(world, task, await world.undo(task))
    expect(await world.values(target, 'Shop')).toEqual([header, ...later])
  })
})

describe('in a spreadsheet,', () => {
  const world = copyWorld()

  test('if the header of the key is gone, an undo says so and writes nothing', async () => {
    const { target, task, values } = await changed(world, { find_columns_by_header: true }, later)
    await world.write(target, 'Shop!A1', [['Number']])
    const edited = await values()
    const undo = await world.undo(task)
    expect([undo.state, undo.message]).toEqual([
      'failed',
      expect.stringContaining('a key column of the task'),
    ])
    expect(await values()).toEqual(edited)
  })

  test('columns that people moved are restored where they stand, and formulas of others stay', async () => {
    const { target, task, values } = await changed(world, { find_columns_by_header: true }, later)
    const moved = [
      ['Note', 'Stock', 'SKU', 'Name'],
      ['of 007', 70, '007', 'Bolt'],
      ['of own', 2, 'own', 'Mine'],
      ['of 008', 3, '008', 'Nut'],
      ['of 010', 10, '010', 'New'],
    ]
    await replace(world, target, 'Shop', moved)
    await world.api.spreadsheets.values.update({
      ...{ spreadsheetId: target, range: 'Shop!A2', valueInputOption: 'USER_ENTERED' },
      requestBody: { values: [['=B2*2']] },
    })
    await apply(world, task, await world.undo(task))
    expect(await values()).toEqual([
      ['Note', 'Stock', 'SKU', 'Name'],
      [10, 5, '007', 'Bolt'],
      ['of own', 2, 'own', 'Mine'],
      ['of 008', 3, '008', 'Nut'],
      ['of 010'],
    ])
  })
})
