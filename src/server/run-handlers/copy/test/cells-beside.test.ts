import { describe, expect, test } from 'vitest'
import type { Cell } from '../../../../../test/fakes/spreadsheets.ts'
import { copyWorld } from '../../../../../test/fixtures/copy-world.ts'

const world = copyWorld()

const header = ['SKU', 'Stock']
const rows = [1, 2, 3, 4].map((n) => [`SKU-${n}`, n])

test('cells beside rows that leave their place are named, with their columns', async () => {
  const { source, target, task } = await world.pair([header, ...rows])
  await world.run(task)
  await world.write(target, 'Shop!D1', [
    ['Notes', 'Checked'],
    ['beside the first row', null],
    ['beside the second row', 'yes'],
    [null, null],
    [null, 'no'],
  ])
  await world.clear(source, 'Products')
  await world.write(source, 'Products', [header, ['SKU-1', 99], ...rows.slice(2)])
  const { plan, run_id } = await world.preview(task)
  expect(plan?.summary.rows).toMatchObject({ removed: 1, changed: 1, moved: 2 })
  expect(plan?.summary.beside).toEqual({
    cells: 3,
    rows: 2,
    columns: [
      { column: 'D', header: 'Notes' },
      { column: 'E', header: 'Checked' },
    ],
  })
  expect(plan?.summary.lines).toContainEqual({
    level: 'danger',
    text: '3 cells beside 2 rows would end up beside another row, in Notes, Checked',
  })
  expect((await world.requestsOf(run_id)).write).toBe(0)
})

test('if every row keeps its place, nothing is read beside the table', async () => {
  const { source, target, task } = await world.pair([header, ...rows])
  await world.run(task)
  await world.write(target, 'Shop!D2', [['mine']])
  await world.write(source, 'Products!B3', [[99]])
  const { plan } = await world.preview(task)
  expect(plan?.summary.rows).toMatchObject({ changed: 1, removed: 0, moved: 0 })
  expect(plan?.summary.beside).toBeNull()
})

const products = Array.from({ length: 12 }, (_, n): Cell[] => [
  String(n + 1).padStart(5, '0'),
  `Product ${n + 1}`,
  n % 3,
  10 * n,
])
const titles = ['SKU', 'Name', 'Stock', 'Price']

/** A task whose target holds the products, with notes in F beside some of them. */
async function withNotes(
  definition: Parameters<typeof world.pair>[2] = {},
  notes: Record<number, Cell> = { 2: 'sold out', 9: 'ordered' },
  table: Cell[][] = [titles, ...products],
) {
  const pair = await world.pair(table, [], definition)
  expect(await world.run(pair.task)).toMatchObject({ state: 'success' })
  for (const [row, note] of Object.entries(notes)) await world.write(pair.target, `Shop!F${row}`, [[note]])
  return pair
}

type Pair = Awaited<ReturnType<typeof withNotes>>

async function runOn({ source, task }: Pair, rows: Cell[][], header: Cell[] = titles) {
  await world.clear(source, 'Products')
  await world.write(source, 'Products', [header, ...rows])
  return world.run(task)
}

const inserted = [...products.slice(0, 4), ['NEW', 'Between', 1, 5], ...products.slice(4)]
const stopped =
  'Would leave 1 filled cell beside another row: ‘ordered’ in F9 stands beside 00008; it would stand beside 00007. Nothing was written. Run it once, or switch the task to ‘update’, which leaves every row in its place.'

describe('a run under replace', () => {
  test('is stopped with an example if a row is inserted above a cell, and leaves the plan that runs it once', async () => {
    const pair = await withNotes()
    const before = await world.values(pair.target, 'Shop')
    const run = await runOn(pair, inserted)
    expect(run).toMatchObject({ state: 'failed', message: stopped, requests: { write: 0 } })
    expect(await world.values(pair.target, 'Shop')).toEqual(before)
    const again = await world.run(pair.task)
    expect(again.message).toContain('This has been so since')
    const plan = await world.db
      .selectFrom('plans')
      .select(['id', 'limits'])
      .where('run_id', '=', again.id)
      .executeTakeFirstOrThrow()
    expect(plan.limits).toEqual([{ kind: 'cells_beside', text: expect.stringContaining('‘ordered’ in F9') }])
    expect(await world.run(pair.task, { plan: plan.id })).toMatchObject({ state: 'success' })
    expect((await world.values(pair.target, 'Shop!A9:F9'))[0]).toEqual([
      '00007',
      'Product 7',
      0,
      60,
      '',
      'ordered',
    ])
  })

  test('is stopped for a cell between columns that it finds by their headers', async () => {
    const pair = await world.pair([titles, ...products], [], { find_columns_by_header: true })
    expect(await world.run(pair.task)).toMatchObject({ state: 'success' })
    const column = { sheetId: 100, dimension: 'COLUMNS', startIndex: 0, endIndex: 1 }
    await world.batch(pair.target, { insertDimension: { range: column } })
    await world.batch(pair.target, { insertDimension: { range: { ...column, startIndex: 2, endIndex: 3 } } })
    await world.write(pair.target, 'Shop!C9', [['ordered']])
    const changed = products.map((row, n) => (n === 7 ? ['00008', 'Other', -1, -2] : row))
    expect(await runOn(pair, changed)).toMatchObject({ state: 'success' })
    const before = await world.values(pair.target, 'Shop')
    const run = await runOn(pair, inserted)
    expect(run).toMatchObject({ state: 'failed', message: stopped.replace('F9', 'C9') })
    expect(await world.values(pair.target, 'Shop')).toEqual(before)
  })

  test.each<[string, Cell[][]]>([
    ['rows are appended', [...products, ['NEW', 'Last', 1, 5]]],
    ['a row below all cells is removed', products.slice(0, 11)],
    ['cells of a row change', products.map((row, n) => (n === 7 ? ['00008', 'Other', -1, -2] : row))],
    [
      'the key of a row is corrected',
      products.map((row, n) => (n === 7 ? ['00008-A', ...row.slice(1)] : row)),
    ],
    ['most cells of every row change', products.map(([sku], n) => [sku ?? '', `Other ${n}`, -n, -n])],
  ])('is not stopped if %s', async (_, rows) => {
    const pair = await withNotes()
    expect(await runOn(pair, rows)).toMatchObject({ state: 'success' })
  })

  test.each<[string, Cell[][], string]>([
    [
      'a row above is removed',
      products.slice(1),
      '2 filled cells beside another row: ‘sold out’ in F2 stands beside 00001; it would stand beside 00002',
    ],
    [
      'the last row with a cell is removed',
      products.slice(0, 7),
      '1 filled cell beside another row: ‘ordered’ in F9 stands beside 00008; it would stand beside no row',
    ],
    [
      'the source is sorted otherwise',
      products.toReversed(),
      '2 filled cells beside another row: ‘sold out’ in F2 stands beside 00001; it would stand beside 00012',
    ],
    [
      'the source is sorted otherwise and every row changes',
      products.toReversed().map(([sku, name], n) => [sku ?? '', name ?? '', 7, n]),
      '2 filled cells beside another row',
    ],
    [
      'another row takes the place of one',
      products.map((row, n) => (n === 7 ? ['99999', 'Table', -1, -2] : row)),
      '‘ordered’ in F9 stands beside 00008; it would stand beside 99999',
    ],
  ])('is stopped if %s', async (_, rows, message) => {
    const pair = await withNotes()
    expect(await runOn(pair, rows)).toMatchObject({
      state: 'failed',
      message: expect.stringContaining(message),
    })
  })

  test('cells beside equal rows, formulas and headers do not count', async () => {
    const equal = [titles, ...products.slice(0, 4).map((): Cell[] => ['SAME', 'Same', 1, 1]), ...products]
    const pair = await withNotes({}, { 1: 'Notes', 3: 'mine' }, equal)
    await world.batch(pair.target, {
      repeatCell: {
        range: { sheetId: 100, startRowIndex: 1, endRowIndex: 17, startColumnIndex: 6, endColumnIndex: 7 },
        cell: { userEnteredValue: { formulaValue: '=SUM(C2:D2)' } },
        fields: 'userEnteredValue',
      },
    })
    expect(await runOn(pair, [['SAME', 'Same', 1, 1], ...equal.slice(1)])).toMatchObject({ state: 'success' })
  })

  test('a row that is gone has not changed into a similar one that has moved up and changed', async () => {
    const sizes = ['S', 'M', 'L', 'XL'].map((size, n): Cell[] => [`SHIRT-${size}`, 'Shirt', 'red', n])
    const pair = await withNotes({}, { 3: 'reorder' }, [['SKU', 'Name', 'Colour', 'Stock'], ...sizes])
    const later = sizes.toSpliced(1, 1).map((row) => row.with(3, 9))
    expect((await runOn(pair, later)).message).toContain(
      '‘reorder’ in F3 stands beside SHIRT-M; it would stand beside SHIRT-L',
    )
  })

  test('a header row that moves down leaves the cells beside other rows', async () => {
    const pair = await withNotes()
    await world.db.updateTable('sync_tasks').set({ start_row: 2 }).where('task_id', '=', pair.task).execute()
    await world.clear(pair.source, 'Products')
    await world.write(pair.source, 'Products!A2', [titles, ...products])
    expect((await world.run(pair.task)).message).toContain(
      '‘ordered’ in F9 stands beside 00008; it would stand beside 00007',
    )
  })

  test('a column that is put in front or left out moves no row', async () => {
    const pair = await withNotes()
    const without = products.map(([sku, name, , price]): Cell[] => [sku ?? '', name ?? '', price ?? ''])
    expect(await runOn(pair, without, ['SKU', 'Name', 'Price'])).toMatchObject({ state: 'success' })
    const inFront = without.map((row, n): Cell[] => [`Shop ${n}`, ...row])
    expect(await runOn(pair, inFront, ['Shop', 'SKU', 'Name', 'Price'])).toMatchObject({ state: 'success' })
  })

  test('named key columns identify rows, whatever else changes', async () => {
    const key_columns = JSON.stringify(['Name', 'Stock'])
    const pair = await withNotes({ key_columns })
    const others = products.map(([, name, stock], n): Cell[] => [`X-${n}`, name ?? '', stock ?? '', -n])
    expect(await runOn(pair, others)).toMatchObject({ state: 'success' })
    expect(
      (
        await runOn(
          pair,
          others.map(([sku, name, , price]) => [sku ?? '', name ?? '', 9, price ?? '']),
        )
      ).message,
    ).toContain('‘sold out’ in F2')
  })

  test('a task of an earlier release, or one that chose so, only warns', async () => {
    for (const on_cells_beside of [null, 'warn'] as const) {
      const pair = await withNotes({ on_cells_beside })
      const run = await runOn(pair, inserted)
      expect(run.state).toBe('warning')
      expect(run.log.join('\n')).toContain(
        '1 filled cell ended up beside another row: ‘ordered’ in F9 stood beside 00008; it stands beside 00007 now.',
      )
    }
  })

  test('a first run onto rows of others is not stopped', async () => {
    const held = [titles, ...products].map((row, n): Cell[] => [...row, null, `note ${n}`])
    const { task } = await world.pair([titles, ...inserted], held)
    expect(await world.run(task)).toMatchObject({ state: 'success' })
  })

  test('the columns beside a small table cost no request, unless the run stops', async () => {
    const pair = await withNotes({}, { 2: 'sold out' })
    const unchanged = await world.run(pair.task)
    const changed = await runOn(pair, inserted)
    expect(changed).toMatchObject({ state: 'success', requests: { read: unchanged.requests.read } })
    const other = await runOn(pair, products.slice(1))
    expect(other).toMatchObject({
      state: 'failed',
      requests: { read: unchanged.requests.read + 1, write: 0 },
    })
  })
})
