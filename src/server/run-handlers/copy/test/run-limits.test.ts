import { beforeEach, describe, expect, test } from 'vitest'
import { copyWorlds } from '../../../../../test/fakes/json-directory/world.ts'
import type { Cell } from '../../../../../test/fakes/spreadsheets.ts'
import type { CopyWorld } from '../../../../../test/fixtures/copy-world.ts'
import { planOfRun } from '../../../../../test/fixtures/previewed.ts'
import type { RunLimits } from '../../../../contract/run-limits/calls.ts'

const header = ['SKU', 'Name', 'Stock']
const rows = Array.from({ length: 40 }, (_, n): Cell[] => [`SKU-${n}`, `Product ${n}`, n])

const limited = (limits: RunLimits = {}) => ({ limits: JSON.stringify(limits) })

/** A task with these limits whose target holds the table already. */
async function filled(world: CopyWorld, limits: RunLimits = {}, table: Cell[][] = [header, ...rows]) {
  // Blank rows, so that rows can be added below.
  const pair = await world.pair([...table, [], []], [], limited(limits))
  expect((await world.run(pair.task)).state).toBe('success')
  return pair
}

async function edit(world: CopyWorld, spreadsheet: string, tab: string, values: Cell[][]): Promise<void> {
  await world.clear(spreadsheet, tab)
  await world.write(spreadsheet, tab, values)
}

describe.each(copyWorlds())('over %s', (_provider, world) => {
  beforeEach(() => world.faults())

  /** Runs a task after its source was replaced. */
  async function runOn({ source, task }: { source: string; task: number }, values: Cell[][]) {
    await edit(world, source, 'Products', values)
    return world.run(task)
  }

  test('a run that would remove more than half of the rows writes nothing, is not retried and leaves its plan', async () => {
    const pair = await filled(world)
    const before = await world.values(pair.target, 'Shop')
    const run = await runOn(pair, [header, ...rows.slice(0, 19)])
    expect(run).toMatchObject({
      state: 'failed',
      message: 'Would remove 21 of 40 rows; the limit is 20. Nothing was written.',
    })
    expect(run.requests.write).toBe(0)
    expect(await world.values(pair.target, 'Shop')).toEqual(before)
    const { id } = await world.db
      .selectFrom('plans')
      .select('id')
      .where('run_id', '=', run.id)
      .executeTakeFirstOrThrow()
    const applied = await world.run(pair.task, { plan: id })
    expect(applied.state).toBe('success')
    expect(await world.values(pair.target, 'Shop')).toEqual([header, ...rows.slice(0, 19)])
  })

  test('exactly half may be removed, and anything of fewer than 20 rows', async () => {
    expect((await runOn(await filled(world), [header, ...rows.slice(0, 20)])).state).toBe('success')
    const small = await filled(world, {}, [header, ...rows.slice(0, 19)])
    expect((await runOn(small, [header, ...rows.slice(0, 1)])).state).toBe('success')
  })

  test('moved rows and renamed keys are not removals', async () => {
    const pair = await filled(world, { removed_percent: 0 })
    const renamed = rows.map(([sku, ...rest]) => [`NEW-${sku}`, ...rest])
    expect((await runOn(pair, [header, ...renamed])).state).toBe('success')
    expect((await runOn(pair, [header, ['TOP', 'Top', 1], ...renamed.toReversed()])).state).toBe('success')
  })

  test('a column that is put in front, and columns in another order, remove no row and leave the key its values', async () => {
    const pair = await filled(world, { unique_column: 'SKU' })
    const inFront = [header, ...rows].map((row, n): Cell[] => [n === 0 ? 'Shop' : `Shop ${n}`, ...row])
    expect(await runOn(pair, inFront)).toMatchObject({ state: 'success' })
    const turned = inFront.map((row) => row.toReversed())
    expect(await runOn(pair, turned)).toMatchObject({ state: 'success' })
    expect(await runOn(pair, turned.slice(0, 11))).toMatchObject({
      message: expect.stringMatching(/^Would remove 30 of 40 rows/),
    })
  })

  test('rows that are moved and changed are not removals if they keep their first cell or their unique value', async () => {
    const pair = await filled(world)
    const changed = rows.map(([sku], n): Cell[] => [sku ?? '', `Other ${n}`, -n])
    expect((await runOn(pair, [header, ...changed.slice(1)])).state).toBe('success')
    const keyed = rows.map(([sku, , stock], n): Cell[] => [n, sku ?? '', stock ?? ''])
    const other = await filled(world, { unique_column: 'Code' }, [['No', 'Code', 'Stock'], ...keyed])
    const later = keyed.map(([, sku], n): Cell[] => [n + 1000, sku ?? '', -n])
    expect((await runOn(other, [['No', 'Code', 'Stock'], ...later.slice(1)])).state).toBe('success')
  })

  test('a limit of 0 stops at the first removed row', async () => {
    const pair = await filled(world, { removed_percent: 0, from_rows: 1 })
    const run = await runOn(pair, [header, ...rows.slice(1)])
    expect(run.message).toBe('Would remove 1 of 40 rows; the limit is 0. Nothing was written.')
  })

  test('emptied cells are counted by column, of its filled cells', async () => {
    const table = rows.map(([sku, name, stock], n) => [sku ?? '', n < 30 ? (name ?? '') : '', stock ?? ''])
    const pair = await filled(world, {}, [header, ...table])
    const emptied = (count: number) =>
      table.map(([sku, name, stock], n) => [sku, n < count ? '' : name, stock])
    const run = await runOn(pair, [header, ...emptied(16)] as Cell[][])
    expect(run.message).toBe('Would empty 16 of 30 cells in ‘Name’; the limit is 15. Nothing was written.')
    expect((await runOn(pair, [header, ...emptied(15)] as Cell[][])).state).toBe('success')
  })

  test('a removed column is named, not the one that moves into its place; a renamed or moved one is none', async () => {
    const pair = await filled(world)
    const without = rows.map(([sku, , stock]) => [sku ?? '', stock ?? ''])
    const run = await runOn(pair, [['SKU', 'Stock'], ...without])
    expect(run.message).toBe('Would empty 40 of 40 cells in ‘Name’; the limit is 20. Nothing was written.')
    expect((await runOn(pair, [['SKU', 'Title', 'Stock'], ...rows])).state).toBe('success')
    const swapped = rows.map(([sku, name, stock]) => [sku ?? '', stock ?? '', name ?? ''])
    expect((await runOn(pair, [['SKU', 'Stock', 'Title'], ...swapped])).state).toBe('success')
  })

  test('changed cells of rows that stay have a limit only if one is set', async () => {
    const pair = await filled(world, { changed_cells: 3 })
    const changed = (count: number) =>
      rows.map(([sku, name, stock], n) => [sku ?? '', name ?? '', n < count ? -1 : (stock ?? '')])
    expect((await runOn(pair, [header, ...changed(4)])).message).toMatch(
      /^Would change 4 cells; the limit is 3/,
    )
    expect((await runOn(pair, [header, ...changed(3)])).state).toBe('success')
  })

  test('columns must exist, have no blank cell and no value twice, whatever the form of their header', async () => {
    const pair = await filled(
      world,
      {
        required_columns: ['Stock left'],
        filled_columns: ['Name'],
        unique_column: 'SKU',
      },
      [['SKU', 'Name', ' Stock\nleft '], ...rows],
    )
    const run = await runOn(pair, [header, ['SKU-0', '', 1], ...rows, []])
    expect(run.message).toBe(
      'Would write no column ‘Stock left’, leave ‘Name’ blank in 1 row and write 1 value of ‘SKU’ more than once. Nothing was written.',
    )
    expect(run.log.join('\n')).toContain('‘SKU-0’ is one of the values that ‘SKU’ has more than once.')
  })

  test('several limits are named in one sentence, and the preview names them too', async () => {
    const pair = await filled(world, { changed_cells: 2 })
    const kept = rows.slice(0, 10).map(([sku, name]) => [sku ?? '', `${name} new`, 7])
    await edit(world, pair.source, 'Products', [header, ...kept])
    const { plan } = await world.preview(pair.task)
    const run = await world.run(pair.task)
    expect(run.message).toBe(
      'Would remove 30 of 40 rows (the limit is 20) and change 19 cells (the limit is 2). Nothing was written.',
    )
    expect(plan?.summary.lines.slice(0, 2)).toEqual([
      { level: 'danger', text: 'Would remove 30 of 40 rows; the limit is 20.' },
      { level: 'danger', text: 'Would change 19 cells; the limit is 2.' },
    ])
  })

  test('the sentence of a limit and the summary of its plan have one count, also in the run that applies it', async () => {
    const pair = await filled(world)
    // Only the first cell says that a row is the same.
    const turned = rows.toReversed().slice(0, 15)
    const kept = turned.map(([sku], n): Cell[] => [sku ?? '', `Other ${n}`, -n - 1])
    const run = await runOn(pair, [header, ...kept])
    expect(run.message).toMatch(/^Would remove 25 of 40 rows; the limit is 20\./)
    const { id } = await world.db
      .selectFrom('plans')
      .select('id')
      .where('run_id', '=', run.id)
      .executeTakeFirstOrThrow()
    const { plan } = await world.preview(pair.task)
    const applied = await world.run(pair.task, { plan: id })
    const countsOf = async (run_id: number) => (await planOfRun(world.db, run_id)).summary.rows
    const counts = { removed: 25, changed: 15, added: 0, moved: 0 }
    expect(await countsOf(run.id)).toMatchObject(counts)
    expect(plan?.summary.rows).toMatchObject(counts)
    expect(await countsOf(applied.id)).toMatchObject(counts)
  })

  test('a first run onto a blank target has no limits, one onto the rows of another does', async () => {
    const strict = limited({ required_columns: ['Price'], removed_percent: 0 })
    const blank = await world.pair([header, ...rows], [], strict)
    expect((await world.run(blank.task)).state).toBe('success')
    const theirs = rows.map((_, n) => [`Other ${n}`, `Thing ${n}`, -n])
    const taken = await world.pair([header, ...rows], [header, ...theirs], limited())
    expect((await world.run(taken.task)).message).toMatch(/^Would remove 40 of 40 rows; the limit is 20/)
  })

  test('a later run that meets the same limit says since when, until one succeeds', async () => {
    const pair = await filled(world)
    expect((await runOn(pair, [header, ...rows.slice(0, 5)])).message).not.toContain('since')
    const { message } = await runOn(pair, [header, ...rows.slice(0, 4)])
    expect(message).toMatch(
      /^Would remove 36 of 40 rows; the limit is 20\. Nothing was written\. This has been so since \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC\.$/,
    )
    await runOn(pair, [header, ...rows.slice(0, 30)])
    expect((await runOn(pair, [header, ...rows.slice(0, 4)])).message).not.toContain('since')
  })

  test('if the target was edited after the plan, running it once writes nothing', async () => {
    const pair = await filled(world)
    const run = await runOn(pair, [header, ...rows.slice(0, 4)])
    const { id } = await world.db
      .selectFrom('plans')
      .select('id')
      .where('run_id', '=', run.id)
      .executeTakeFirstOrThrow()
    await world.write(pair.target, 'Shop', [['Edited']])
    const held = await world.values(pair.target, 'Shop')
    const applied = await world.run(pair.task, { plan: id })
    expect(applied.message).toMatch(/^The plan is outdated: 1 cell/)
    expect(await world.values(pair.target, 'Shop')).toEqual(held)
  })

  test('a worker that takes over checks the limits anew, and never after the commit began', async () => {
    const pair = await filled(world, { removed_percent: 25 })
    await edit(world, pair.source, 'Products', [header, ...rows.slice(0, 25)])
    await world.slowReads(pair.source)
    await world.start(pair.task)
    await world.changeEngine()
    expect((await world.ended(pair.task)).message).toMatch(/^Would remove 15 of 40 rows; the limit is 10/)
  })

  test('the limits of a run are those when it was queued', async () => {
    const pair = await filled(world, { removed_percent: 100 })
    await edit(world, pair.source, 'Products', [header, ...rows.slice(0, 4)])
    await world.slowReads(pair.source)
    await world.start(pair.task)
    await world.db
      .updateTable('sync_tasks')
      .set(limited({ removed_percent: 0 }))
      .where('task_id', '=', pair.task)
      .execute()
    expect((await world.ended(pair.task)).state).toBe('success')
  })
})
