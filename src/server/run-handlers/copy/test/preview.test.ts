import { beforeEach, describe, expect, test } from 'vitest'
import { copyWorlds } from '../../../../../test/fakes/json-directory/world.ts'
import type { Cell } from '../../../../../test/fakes/spreadsheets.ts'
import type { CopyWorld } from '../../../../../test/fixtures/copy-world.ts'

const header = ['SKU', 'Name', 'Stock']
const rows = Array.from({ length: 30 }, (_, n) => [`SKU-${n}`, `Product ${n}`, n])

/** Replaces the rows of a tab. */
async function edit(world: CopyWorld, spreadsheet: string, tab: string, values: Cell[][]): Promise<void> {
  await world.clear(spreadsheet, tab)
  await world.write(spreadsheet, tab, values)
}

describe.each(copyWorlds())('over %s', (_provider, world) => {
  beforeEach(() => world.faults())

  test('a preview says what a run would change, and writes nothing', async () => {
    const { target, task } = await world.pair([header, ...rows], [['old']])
    const before = await world.values(target, 'Shop')
    const { state, plan, receipt, run_id } = await world.preview(task)
    expect(state).toBe('success')
    expect(receipt).toMatchObject({ mode: 'preview', writes: 0, plan: plan?.hash })
    expect((await world.requestsOf(run_id)).write).toBe(0)
    expect(await world.values(target, 'Shop')).toEqual(before)
    expect(plan).toMatchObject({ state: 'open', summary: { rows: { former: 0, wanted: 30, added: 30 } } })
    const run = await world.run(task)
    expect(run.receipt?.cells_changed).toBe(plan?.summary.cells.written)
  })

  test('neither the status of the task nor its last successful run changes', async () => {
    const { task } = await world.pair([header, ...rows])
    await world.run(task)
    const task_before = await world.db
      .selectFrom('tasks')
      .selectAll()
      .where('id', '=', task)
      .executeTakeFirst()
    await world.preview(task)
    const task_after = await world.db
      .selectFrom('tasks')
      .selectAll()
      .where('id', '=', task)
      .executeTakeFirst()
    expect(task_after).toEqual(task_before)
  })

  test('an inserted row moves those below it; a changed cell counts as one', async () => {
    const { source, task } = await world.pair([header, ...rows.slice(0, 29), []])
    await world.run(task)
    const changed = rows.map((row, n) => (n === 20 ? ['SKU-20', 'Renamed', 20] : row))
    await edit(world, source, 'Products', [
      header,
      ...changed.slice(0, 10),
      ['NEW', 'New', 1],
      ...changed.slice(10, 29),
    ])
    const { plan, rows: shown } = await world.preview(task)
    expect(plan?.summary.rows).toEqual({
      former: 29,
      wanted: 30,
      removed: 0,
      changed: 1,
      added: 1,
      moved: 18,
    })
    expect(plan?.summary.cells).toMatchObject({ changed: 1, emptied: 0 })
    expect(shown.find(({ kind }) => kind === 'added')).toMatchObject({
      old_row: null,
      new_row: 12,
      new_cells: ['NEW', 'New', 1],
    })
    expect(shown.find(({ kind }) => kind === 'changed')).toMatchObject({
      old_row: 22,
      new_row: 23,
      old_cells: ['SKU-20', 'Product 20', 20],
      new_cells: ['SKU-20', 'Renamed', 20],
    })
  })

  test.each<[string, object]>([
    ['its key columns', { key_columns: JSON.stringify(['Size', 'Code']) }],
    ['its unique column', { limits: JSON.stringify({ unique_column: 'Item  Id' }) }],
    [
      'its key columns, not by its unique column',
      {
        key_columns: JSON.stringify(['Size', 'Code']),
        limits: JSON.stringify({ unique_column: 'No' }),
      },
    ],
  ])('a row of a task is the same row by %s, whatever else changes', async (_, settings) => {
    const titles = ['No', 'Code', 'Size', 'Item Id', 'Stock']
    const item = (n: number, no: number, stock: number): Cell[] => [
      no,
      `C-${n >> 1}`,
      n % 2 ? 'S' : 'M',
      `I-${n}`,
      stock,
    ]
    const table = Array.from({ length: 8 }, (_row, n) => item(n, n, n))
    const { source, task } = await world.pair([titles, ...table], [], settings)
    await world.run(task)
    const wanted = [5, 2, 7, 0].map((n, place) => item(n, 100 + place, -n - 1))
    await edit(world, source, 'Products', [titles, ...wanted, item(9, 104, 9)])
    const { plan, rows: shown } = await world.preview(task)
    expect(plan?.summary.rows).toMatchObject({ removed: 4, changed: 4, added: 1, moved: 0 })
    expect(
      shown
        .filter(({ kind }) => kind === 'changed')
        .map(({ old_cells, new_cells }) => [old_cells[3], new_cells[3]]),
    ).toEqual([5, 2, 7, 0].map((n) => [`I-${n}`, `I-${n}`]))
  })

  test('removed rows, emptied cells and changed headers come first', async () => {
    const { source, task } = await world.pair([header, ...rows])
    await world.run(task)
    const kept = rows
      .slice(0, 18)
      .map(([sku, name, stock], n) => [sku ?? '', name ?? '', n < 5 ? '' : (stock ?? '')])
    await edit(world, source, 'Products', [['SKU', 'Title', 'Stock'], ...kept])
    const { plan } = await world.preview(task)
    expect(plan?.summary.lines.slice(0, 3)).toEqual([
      { level: 'danger', text: '12 of 30 rows removed' },
      { level: 'danger', text: '5 cells emptied, in Stock' },
      { level: 'danger', text: 'Headers changed: B ‘Name’ to ‘Title’' },
    ])
  })

  test('an applied plan writes exactly its rows, whatever the source holds by then', async () => {
    const { source, target, task } = await world.pair([header, ...rows])
    const { plan, plan_id } = await world.preview(task)
    await edit(world, source, 'Products', [header, ['LATER', 'Later', 1]])
    const run = await world.run(task, { plan: plan_id })
    expect(run.state).toBe('success')
    expect(run.receipt).toMatchObject({ plan: plan?.hash, rows: 30 })
    expect(await world.values(target, 'Shop')).toEqual([header, ...rows])
  })

  test('if the target has changed since, nothing is written and the cells are named', async () => {
    const { source, target, task } = await world.pair([header, ...rows])
    await world.run(task)
    await edit(world, source, 'Products', [header, ...rows.slice(1)])
    const { plan_id } = await world.preview(task)
    await edit(world, target, 'Shop', [
      header,
      ...rows.map((row, n) => (n === 3 ? ['SKU-3', 'Mine', 3] : row)),
    ])
    const held = await world.values(target, 'Shop')
    const run = await world.run(task, { plan: plan_id })
    expect(run.state).toBe('failed')
    expect(run.message).toMatch(
      /The plan is outdated: 1 cell \(.+\) of the target differs from what .* by another editor/,
    )
    expect(await world.values(target, 'Shop')).toEqual(held)
  })

  test('a plan is applied once: the second time a run has changed the target', async () => {
    const { target, task } = await world.pair([header, ...rows])
    const { plan_id } = await world.preview(task)
    const first = await world.run(task, { plan: plan_id })
    expect(first.state).toBe('success')
    const again = await world.run(task, { plan: plan_id })
    expect(again.message).toContain(`changed by run ${first.id}`)
    expect(await world.values(target, 'Shop')).toEqual([header, ...rows])
  })

  test('unowned cells are named in the plan, and a run is refused', async () => {
    const { source, target, task } = await world.pair([header, ...rows])
    await world.run(task)
    await world.write(target, 'Shop', [
      ...Array(4).fill([]),
      [null, null, null, 'mine'],
      [null, null, null, 'too'],
    ])
    await edit(world, source, 'Products', [[...header, 'EAN'], ...rows.map((row, n) => [...row, `ean-${n}`])])
    const { state, plan } = await world.preview(task)
    expect(state).toBe('success')
    expect(plan?.summary.unowned).toMatchObject({
      kind: 'extra_columns',
      cells: 2,
      columns: [{ header: '' }],
    })
    expect(
      plan?.summary.lines.filter(({ level }) => level === 'danger').map(({ text }) => text),
    ).toContainEqual(
      expect.stringMatching(/^2 cells overwritten that the task does not own, in .+A run is refused/),
    )
    const stored = await world.db
      .selectFrom('sync_tasks')
      .select('foreign_cells')
      .where('task_id', '=', task)
      .executeTakeFirst()
    expect(stored?.foreign_cells).toBeNull()
    expect((await world.run(task)).message).toContain('does not own')
  })

  test('a preview may be live beside a run of the same task', async () => {
    const { source, task } = await world.pair([header, ...rows])
    await world.slowReads(source)
    await world.start(task)
    const { state } = await world.preview(task)
    expect(state).toBe('success')
    expect((await world.ended(task)).state).toBe('success')
  })
})
