import { beforeEach, describe, expect, test } from 'vitest'
import { copyWorlds } from '../../../../../test/fakes/json-directory/world.ts'
import type { Cell } from '../../../../../test/fakes/spreadsheets.ts'
import type { CopyWorld } from '../../../../../test/fixtures/copy-world.ts'
import type { Previewed } from '../../../../../test/fixtures/previewed.ts'
import { planServerMessages as messages } from '../../../../contract/plans/server-messages.ts'

const header = ['SKU', 'Name', 'Stock']
const rows = Array.from({ length: 12 }, (_, n) => [`SKU-${n}`, `Product ${n}`, n])
/** What a later source holds: a row less, a row more, and other stocks. */
const later = [
  ...rows.slice(0, 3),
  ...rows.slice(4).map(([sku, name, stock]) => [sku, name, Number(stock) + 100]),
  ['NEW', 'New', 1],
]

const withoutNames = (table: Cell[][]): Cell[][] =>
  table.map((row) => row.filter((_, column) => column !== 1))

async function replace(
  world: CopyWorld,
  spreadsheet: string,
  tab: string,
  values: unknown[][],
): Promise<void> {
  await world.clear(spreadsheet, tab)
  await world.write(spreadsheet, tab, values as Cell[][])
}

async function apply(world: CopyWorld, task: number, { plan_id, message }: Previewed) {
  expect(plan_id, message).not.toBeNull()
  const run = await world.run(task, { plan: plan_id })
  expect(['success', 'warning'], run.message).toContain(run.state)
  return run
}

/** A task whose second run has changed its target. */
async function changed(world: CopyWorld, held: Cell[][] = []) {
  const pair = await world.pair([header, ...rows], held)
  const first = await world.run(pair.task)
  expect(first.state, first.message).toBe('success')
  await replace(world, pair.source, 'Products', [header, ...later])
  const second = await world.run(pair.task)
  expect(second.state, second.message).toBe('success')
  return { ...pair, first: first.id, second: second.id, values: () => world.values(pair.target, 'Shop') }
}

describe.each(copyWorlds())('over %s', (_provider, world) => {
  beforeEach(() => world.faults())

  test('the last change is undone, and the undo is undone', async () => {
    const { task, second, values } = await changed(world)
    const undo = await world.undo(task)
    expect(undo.plan).toMatchObject({
      state: 'open',
      restores: { run_id: second, side: 'former', kept: { cells: 0 } },
      summary: { rows: { former: 12, wanted: 12 } },
    })
    const run = await apply(world, task, undo)
    expect(run.receipt?.plan).toBe(undo.plan?.hash)
    expect(await values()).toEqual([header, ...rows])
    await apply(world, task, await world.undo(task))
    expect(await values()).toEqual([header, ...later])
  })

  test('any kept version is restored', async () => {
    const { source, task, first, second, values } = await changed(world)
    await replace(world, source, 'Products', [header, ['ONLY', 'One', 1]])
    await world.run(task)
    await apply(world, task, await world.restore(task, first))
    expect(await values()).toEqual([header, ...rows])
    await apply(world, task, await world.restore(task, second))
    expect(await values()).toEqual([header, ...later])
  })

  test('undoing a first copy empties the area, and brings back what was there', async () => {
    const { target, task } = await world.pair([header, ...rows])
    await world.run(task)
    await apply(world, task, await world.undo(task))
    expect(await world.values(target, 'Shop')).toEqual([])
    expect(await world.tabs(target)).toEqual(['Shop'])
    await apply(world, task, await world.undo(task))
    expect(await world.values(target, 'Shop')).toEqual([header, ...rows])
    const other = await world.pair(
      [header, ...rows],
      [
        ['Mine', 'was'],
        ['here', 1],
      ],
    )
    await world.run(other.task)
    await apply(world, other.task, await world.undo(other.task))
    expect(await world.values(other.target, 'Shop')).toEqual([
      ['Mine', 'was'],
      ['here', 1],
    ])
  })

  test('cells that were edited since are kept and named, unless they are wanted back', async () => {
    const { target, task, values } = await changed(world)
    await world.write(target, 'Shop!B3', [['Mine']])
    await world.write(target, 'Shop!C5', [[-1]])
    const undo = await world.undo(task)
    expect(undo.plan?.restores?.kept).toEqual({ cells: 2, addresses: ['B3', 'C5'] })
    expect(undo.plan?.summary.lines.map(({ text }) => text)).toContain(
      '2 cells were edited since; they are kept: B3, C5',
    )
    // SKU-4 stands in row 5 after the change, and in row 6 before it.
    const edits: Record<string, unknown[]> = {
      'SKU-1': ['SKU-1', 'Mine', 1],
      'SKU-4': ['SKU-4', 'Product 4', -1],
    }
    const expected = [header, ...rows].map((row) => edits[String(row[0])] ?? row)
    await apply(world, task, undo)
    expect(await values()).toEqual(expected)
  })

  test('rows that others inserted stay, and rows that they deleted stay deleted', async () => {
    const { target, task, values } = await changed(world)
    const line = (startIndex: number) => ({
      sheetId: 100,
      dimension: 'ROWS',
      startIndex,
      endIndex: startIndex + 1,
    })
    await world.batch(target, { insertDimension: { range: line(2) } })
    await world.write(target, 'Shop!A3', [['MINE', 'Inserted', 7]])
    // After the header, SKU-0, MINE, SKU-1, SKU-2, SKU-4 and SKU-5 there is SKU-6.
    await world.batch(target, { deleteDimension: { range: line(7) } })
    const undo = await world.undo(task)
    expect(undo.plan?.restores).toMatchObject({ kept: { cells: 3 }, deleted_cells: 3 })
    await apply(world, task, undo)
    const left = rows.filter(([sku]) => sku !== 'SKU-6')
    expect(await values()).toEqual([header, ...left.slice(0, 1), ['MINE', 'Inserted', 7], ...left.slice(1)])
  })

  test('cells in an area that an undo has emptied are kept when the undo is undone', async () => {
    const { target, task } = await world.pair([header, ...rows])
    await world.run(task)
    await apply(world, task, await world.undo(task))
    await world.write(target, 'Shop!B3', [['Mine']])
    const again = await world.undo(task)
    expect(again.plan?.restores?.kept).toEqual({ cells: 1, addresses: ['B3'] })
    await apply(world, task, again)
    const shown = (await world.values(target, 'Shop')).flat()
    expect(shown).toEqual(
      expect.arrayContaining(['Mine', ...rows.flat().filter((cell) => cell !== 'Product 1')]),
    )
  })

  test('an edited cell keeps its column when columns have come or gone since the version', async () => {
    const narrow = withoutNames([header, ...rows])
    const { source, target, task } = await world.pair([header, ...rows])
    await world.run(task)
    await replace(world, source, 'Products', narrow)
    await world.run(task)
    expect(await world.values(target, 'Shop')).toEqual(narrow)
    await world.write(target, 'Shop!B3', [[99]])
    const undo = await world.undo(task)
    expect(undo.plan?.restores?.kept).toEqual({ cells: 1, addresses: ['B3'] })
    await apply(world, task, undo)
    const restored = [header, ...rows].map((row, n) => (n === 2 ? [row[0], row[1], 99] : row))
    expect(await world.values(target, 'Shop')).toEqual(restored)
    await world.write(target, 'Shop!C4', [[77]])
    const again = await world.undo(task)
    expect(again.plan?.restores?.kept.addresses).toEqual(['C4'])
    await apply(world, task, again)
    const edited = narrow.map((row, n) => ({ 2: [row[0], 99], 3: [row[0], 77] })[n] ?? row)
    expect(await world.values(target, 'Shop')).toEqual(edited)
  })

  test('an edited cell in a column that was only renamed stays in it, and the header comes back', async () => {
    const { source, target, task } = await world.pair([header, ...rows])
    await world.run(task)
    const renamed = header.map((name) => (name === 'Name' ? 'Title' : name))
    await replace(world, source, 'Products', [renamed, ...rows])
    await world.run(task)
    await world.write(target, 'Shop!B3', [['Mine']])
    const undo = await world.undo(task)
    expect(undo.plan?.restores?.kept).toEqual({ cells: 1, addresses: ['B3'] })
    await apply(world, task, undo)
    const restored = [header, ...rows].map((row, n) => (n === 2 ? [row[0], 'Mine', row[2]] : row))
    expect(await world.values(target, 'Shop')).toEqual(restored)
  })

  test('an edited cell in a column that the version does not have is not lost: no plan is made', async () => {
    const { source, target, task } = await world.pair(withoutNames([header, ...rows]))
    await world.run(task)
    await replace(world, source, 'Products', [header, ...rows])
    await world.run(task)
    await world.write(target, 'Shop!B3', [['Mine']])
    const refused = await world.undo(task)
    expect(refused).toMatchObject({ plan_id: null, message: messages.columns_changed(1, ['B3']) })
    await world.write(target, 'Shop!B3', [['']])
    expect((await world.undo(task)).plan_id).not.toBeNull()
    await world.write(target, 'Shop!B3', [['Mine']])
    await apply(world, task, await world.undo(task, { overwrite_edits: true }))
    expect((await world.values(target, 'Shop'))[2]).toEqual(['SKU-1', 1])
  })

  test('edited cells are restored on request', async () => {
    const { target, task, values } = await changed(world)
    await world.write(target, 'Shop!B3', [['Mine']])
    await apply(world, task, await world.undo(task, { overwrite_edits: true }))
    expect(await values()).toEqual([header, ...rows])
  })

  test('a deleted tab is created again', async () => {
    const { target, task, values } = await changed(world)
    await world.batch(target, { addSheet: { properties: { sheetId: 777, title: 'Other' } } })
    await world.batch(target, { deleteSheet: { sheetId: 100 } })
    await apply(world, task, await world.undo(task))
    expect(await values()).toEqual([header, ...rows])
  })

  test('an edit after the plan was made is noticed, and nothing is written', async () => {
    const { target, task } = await changed(world)
    const { plan_id } = await world.undo(task)
    await world.write(target, 'Shop!B3', [['Mine']])
    const held = await world.values(target, 'Shop')
    const run = await world.run(task, { plan: plan_id })
    expect(run.message).toMatch(/The plan is outdated: 1 cell \(B3\)/)
    expect(await world.values(target, 'Shop')).toEqual(held)
  })
})
