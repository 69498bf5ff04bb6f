import { expect, test } from 'vitest'
import { copyWorld } from '../../../../../test/fixtures/copy-world.ts'
import { DATES, formatsOf, mixed } from '../../../../../test/fixtures/mixed-formats.ts'
import type { RowSettings } from '../../../../contract/rows/row-settings.ts'

const world = copyWorld()
const staged = copyWorld({ cellsPerRead: 4_000, commit_bytes: 500_000, requestBytes: 500_000 })

const table = [
  ['SKU', 'Brand', 'Stock', 'Note'],
  ['007', 'Acme', 5, ''],
  ['008', 'Bolt', 0, 'old'],
  ['009', 'acme', 12, ''],
  ['010', 'Core', '1.234,50', 'text'],
]

/** A task with these settings, and its target after a run. */
async function copied(settings: Partial<RowSettings>, rows = table, held: string[][] = []) {
  const { sort_by, ...others } = settings
  const json = Object.fromEntries(
    Object.entries({ ...others, ...(sort_by && { sort_by }) }).map(([name, value]) => [
      name,
      typeof value === 'object' ? JSON.stringify(value) : value,
    ]),
  )
  const pair = await world.pair(rows, held, json)
  const ended = await world.run(pair.task)
  return { ...pair, ended, target_rows: await world.values(pair.target, 'Shop') }
}

const acme = {
  match: 'all' as const,
  conditions: [{ column: 'Brand', operator: 'is' as const, values: ['Acme'] }],
}

test('chosen columns are copied in their order under their names, with what the source does not have behind them', async () => {
  const { ended, target_rows } = await copied({
    columns: [
      { source: 'Stock', name: 'On hand' },
      { source: 'SKU', name: 'SKU' },
    ],
    extra_columns: [
      { kind: 'constant', name: 'Shop', value: 'DE' },
      { kind: 'source_name', name: 'From' },
      { kind: 'row_number', name: 'Row' },
    ],
  })
  expect(ended.state).toBe('success')
  expect(target_rows).toEqual([
    ['On hand', 'SKU', 'Shop', 'From', 'Row'],
    [5, '007', 'DE', 'Products', 2],
    [0, '008', 'DE', 'Products', 3],
    [12, '009', 'DE', 'Products', 4],
    ['1.234,50', '010', 'DE', 'Products', 5],
  ])
  expect(ended.log).toContain('INFO Not chosen, so not copied: ‘Brand’, ‘Note’.')
})

test('only rows that pass the filter are copied, sorted, and no more than wanted', async () => {
  const { ended, target_rows } = await copied({
    filter: acme,
    sort_by: [{ column: 'Stock', descending: true }],
    max_rows: 1,
  })
  expect(target_rows).toEqual([table[0], ['009', 'acme', 12]])
  expect(ended.log).toContain('INFO 2 of 4 rows pass the filter.')
  expect(ended.log).toContain('INFO Only the first 1 of these rows are copied, the maximum of this task.')
  expect(ended.receipt?.rows).toBe(1)
})

test('numbers come before texts and blank cells last, in both directions', async () => {
  const rows = [['A'], ['b'], [10], [''], ['a'], [2]]
  const order = async (descending: boolean) => {
    const marked = rows.map((row, n) => [...row, n === 0 ? 'No' : n])
    const { target_rows } = await copied({ sort_by: [{ column: 'A', descending }] }, marked)
    return target_rows.slice(1).map(([value]) => value)
  }
  expect(await order(false)).toEqual([2, 10, 'a', 'b', ''])
  expect(await order(true)).toEqual(['b', 'a', 10, 2, ''])
})

test('nothing is written when the chosen rows are unchanged', async () => {
  const { source, task, target } = await copied({
    filter: acme,
    sort_by: [{ column: 'SKU', descending: false }],
  })
  await world.write(source, 'Products!D3', [['another note of a row that is left out']])
  expect((await world.run(task)).receipt?.mode).toBe('unchanged')
  await world.write(source, 'Products!C2', [[6]])
  expect((await world.run(task)).receipt?.cells_changed).toBe(1)
  expect((await world.values(target, 'Shop'))[1]).toEqual(['007', 'Acme', 6])
})

test('a row that no longer passes leaves the target', async () => {
  const { source, task, target } = await copied({ filter: acme })
  await world.write(source, 'Products!B2', [['Bolt']])
  expect((await world.run(task)).state).toBe('success')
  expect(await world.values(target, 'Shop')).toEqual([table[0], ['009', 'acme', 12]])
})

test.each<[string, Partial<RowSettings>, RegExp]>([
  [
    'a chosen column',
    {
      columns: [
        { source: 'Sku', name: 'SKU' },
        { source: 'Price', name: 'P' },
      ],
    },
    /has no column ‘Sku’, ‘Price’\. Its nearest names are ‘SKU’/,
  ],
  [
    'a column of the filter',
    { filter: { match: 'all', conditions: [{ column: 'Brnd', operator: 'blank', values: [] }] } },
    /has no column ‘Brnd’\. Its nearest names are ‘Brand’/,
  ],
  [
    'a column of the order',
    { sort_by: [{ column: 'Stok', descending: false }] },
    /has no column ‘Stok’\. Its nearest names are ‘Stock’/,
  ],
  [
    'an extra column of a name that exists',
    { extra_columns: [{ kind: 'row_number', name: 'Brand' }] },
    /Two columns would be called ‘Brand’/,
  ],
])('a run is refused before it writes: %s', async (_, settings, message) => {
  const { ended, target_rows } = await copied(settings, table, [['Mine']])
  expect(ended.state).toBe('failed')
  expect(ended.message).toMatch(message)
  expect(target_rows).toEqual([['Mine']])
})

test('a filter that no row passes never empties a target', async () => {
  const { source, task, target } = await copied({ filter: acme })
  await world.write(source, 'Products!B2', [['x'], ['x'], ['x']])
  const ended = await world.run(task)
  expect([ended.state, ended.message]).toEqual([
    'failed',
    expect.stringMatching(/^No row of .* passes the filter/),
  ])
  expect(await world.values(target, 'Shop')).toHaveLength(3)
})

test('columns that are new in the source are copied by choice, behind the chosen ones', async () => {
  const columns = [{ source: 'SKU', name: 'SKU' }]
  const { source, task, target } = await copied({ columns, include_new_columns: true }, [['SKU'], ['1']])
  await world.write(source, 'Products!B1', [['Colour'], ['red']])
  expect((await world.run(task)).log).toContain('INFO Copied besides the chosen columns: ‘Colour’.')
  expect(await world.values(target, 'Shop')).toEqual([
    ['SKU', 'Colour'],
    ['1', 'red'],
  ])
})

test('number formats stay with their rows when these are left out or sorted', async () => {
  const { source, target, task } = await mixed(world, DATES)
  await world.db
    .updateTable('sync_tasks')
    .set({ sort_by: JSON.stringify([{ column: 'Value', descending: true }]), max_rows: 6 })
    .where('task_id', '=', task)
    .execute()
  const run = await world.run(task)
  expect(run.state).toBe('success')
  expect(await formatsOf(world, target, 'Shop!B2:B7', 6)).toEqual(DATES.formats.toReversed().slice(0, 6))
  expect((await world.run(task)).receipt?.mode).toBe('unchanged')
  expect(await world.values(source, 'Products')).toHaveLength(9)
})

test('a large table is sorted and filtered on its way to a target that is filled while the source is read', async () => {
  const words = 'and some words more, '.repeat(4)
  const rows = Array.from({ length: 3_000 }, (_, n) => [`${n} ${words}`, n, ...Array(4).fill(words)])
  const header = ['Name', 'Number', 'A', 'B', 'C', 'D']
  const { source, target, task } = await staged.pair([header, ...rows], [], {
    filter: JSON.stringify({
      match: 'all',
      conditions: [{ column: 'Number', operator: 'less', values: ['2500'] }],
    }),
    sort_by: JSON.stringify([{ column: 'Number', descending: true }]),
    extra_columns: JSON.stringify([{ kind: 'row_number', name: 'Row' }]),
  })
  expect((await staged.run(task)).state).toBe('success')
  const expected = rows.slice(0, 2_500).toReversed()
  expect(await staged.values(target, 'Shop')).toEqual([
    [...header, 'Row'],
    ...expected.map((row) => [...row, Number(row[1]) + 2]),
  ])
  await staged.write(source, 'Products!A2', [['changed']])
  expect((await staged.run(task)).receipt?.cells_changed).toBe(1)
  expect((await staged.values(target, 'Shop')).at(-1)?.[0]).toBe('changed')
})
