import { expect, test } from 'vitest'
import { aMerge, aSource, compileHandler, storedRecords } from '../../../../test/fixtures/compiling.ts'
import { databasePerTest } from '../../../../test/fixtures/database.ts'
import { logOf, runOf, startEngine } from '../../../../test/fixtures/engine.ts'
import type { MergeSettings } from '../../../contract/compiler/configs.ts'

const database = databasePerTest()
type Cell = string | number | boolean | null
type Source = { name?: string; columns: string[]; rows: Cell[][] }
type Mapping = { sku: string; master_sku: string }

/** Compiles sources (the first is the master) with settings made from their ids. `mappings`: SKU mappings of the second source. */
async function merged(
  sources: Source[],
  settings: (ids: number[]) => Partial<MergeSettings>,
  mappings: Mapping[] = [],
) {
  const { db } = database
  const ids: number[] = []
  for (const { name, columns, rows } of sources) ids.push(await aSource(db, columns, rows, name))
  const config = await aMerge(db, ids)
  const stored = Object.entries(settings(ids)).map(([name, value]) => [name, JSON.stringify(value)])
  if (stored.length > 0)
    await db
      .updateTable('compiler_configs')
      .set(Object.fromEntries(stored))
      .where('id', '=', config.id)
      .execute()
  if (mappings.length > 0)
    await db
      .insertInto('compiler_sku_mappings')
      .values(mappings.map((one) => ({ ...one, compiler_config_id: config.id, source_task_id: ids[1] ?? 0 })))
      .execute()
  const engine = await startEngine(database, [compileHandler(database)])
  await engine.queueRun(config.task_id)
  const run = await runOf(db, config.task_id)
  return { run, task_id: config.task_id }
}

const cellsOf = async (task_id: number) =>
  (await storedRecords(database.db, task_id)).rows.map(({ cells }) => cells)

const shop: Source[] = [
  { columns: ['SKU', 'Price', 'Currency'], rows: [['1', null, 'EUR']] },
  { columns: ['SKU', 'Price', 'Currency'], rows: [['1', 5, 'USD']] },
]

test('grouped fields come from the first source where not all of them are blank, including its blanks', async () => {
  const { task_id } = await merged(shop, () => ({ field_groups: [['Price', 'Currency']] }))
  expect(await cellsOf(task_id)).toEqual([['1', null, 'EUR']])
})

test('the sources of a field and of its group are used in the given order', async () => {
  const { task_id } = await merged(shop, ([, second = 0]) => ({
    field_groups: [['Price', 'Currency']],
    field_priorities: [{ field: 'Currency', source_task_ids: [second] }],
  }))
  expect(await cellsOf(task_id)).toEqual([['1', 5, 'USD']])
})

test('only blanks in required fields flag a record; without a choice all fields are required', async () => {
  const { task_id } = await merged(
    [
      {
        columns: ['SKU', 'Name', 'Size'],
        rows: [
          ['1', 'Pan', null],
          ['2', null, 'L'],
        ],
      },
    ],
    () => ({ required_fields: ['Name'] }),
  )
  expect((await storedRecords(database.db, task_id)).has_blanks).toEqual(['2'])
})

test('a column is read under another name, also as the SKU', async () => {
  const { task_id } = await merged(
    [
      { columns: ['SKU', 'Price'], rows: [['1', null]] },
      { columns: ['EAN', 'SKU', 'Cost'], rows: [['1', 'supplier’s', 7]] },
    ],
    ([, second = 0]) => ({
      column_names: [
        { source_task_id: second, column: 'EAN', field: 'SKU' },
        { source_task_id: second, column: 'SKU', field: 'Supplier SKU' },
        { source_task_id: second, column: 'Cost', field: 'Price' },
      ],
    }),
  )
  expect((await storedRecords(database.db, task_id)).fields).toEqual(['Price', 'Supplier SKU'])
  expect(await cellsOf(task_id)).toEqual([['1', 7, 'supplier’s']])
})

test('a mapped SKU of a source uses the master’s; if that makes it a duplicate, its first row is used', async () => {
  const { task_id } = await merged(
    [
      { columns: ['SKU', 'Price'], rows: [['007', null]] },
      {
        columns: ['SKU', 'Price'],
        rows: [
          ['7', 1],
          ['007', 2],
        ],
      },
    ],
    () => ({}),
    [{ sku: '7', master_sku: '007' }],
  )
  expect(await cellsOf(task_id)).toEqual([['007', 1]])
  expect((await storedRecords(database.db, task_id)).is_duplicate).toEqual(['007'])
})

test('names and SKUs are compared trimmed and in normalized Unicode', async () => {
  const nfd = (text: string) => text.normalize('NFD')
  const { task_id, run } = await merged(
    [
      { columns: ['SKU', 'Größe', 'Price '], rows: [['Ä-1', null, null]] },
      {
        columns: [' SKU', `${nfd('Größe')} `, 'Price', 'Preis\u00a0'],
        rows: [
          [nfd(' Ä-1'), 'L', null, 5],
          [nfd('Ö'), 'M', 7, null],
        ],
      },
    ],
    ([, second = 0]) => ({
      required_fields: [nfd('Größe '), 'Price '],
      column_names: [{ source_task_id: second, column: 'Preis ', field: 'Note' }],
    }),
    [{ sku: 'Ö', master_sku: nfd('Ä-2') }],
  )
  expect(run).toMatchObject({ state: 'success' })
  expect(await cellsOf(task_id)).toEqual([
    ['Ä-1', 'L', null, 5],
    ['Ä-2', 'M', 7, null],
  ])
})

test('two columns of a source for one field are refused', async () => {
  const { run } = await merged(
    [{ name: 'Given', columns: ['SKU', 'Price', 'Cost'], rows: [['1', 2, 3]] }],
    ([first = 0]) => ({ column_names: [{ source_task_id: first, column: 'Cost', field: 'Price' }] }),
  )
  expect([run.state, run.error]).toEqual(['failed', '‘Given’ has 2 columns named Price: ‘Price’, ‘Cost’.'])
})

test('settings that match no source give a warning with the records', async () => {
  const { run, task_id } = await merged(
    [{ name: 'Given', columns: ['SKU', 'Name'], rows: [['1', 'Pan']] }],
    ([first = 0]) => ({
      required_fields: ['Name', 'Weight'],
      column_names: [{ source_task_id: first, column: 'Cost', field: 'Price' }],
    }),
  )
  expect(run.state).toBe('warning')
  const log = (await logOf(database.db, task_id)).join('\n')
  expect(log).toContain('The settings name the field ‘Weight’, which no source has.')
  expect(log).toContain('The renamed column ‘Cost’ does not exist in ‘Given’.')
  // Acknowledgements name the warning by this id, whatever its text.
  expect(run.warnings).toContainEqual({
    id: 'merge_setting-b70c1536dca87915',
    message: 'The renamed column ‘Cost’ does not exist in ‘Given’.',
  })
  expect((await storedRecords(database.db, task_id)).has_blanks).toEqual([])
})

test('a compile warns of each source whose rows have not changed for so many days, and of no other', async () => {
  const { db } = database
  const columns = ['SKU', 'Name']
  const [old, fresh] = [
    await aSource(db, columns, [['1', 'a']], 'Monthly list'),
    await aSource(db, columns, [['1', 'b']], 'Stock'),
  ]
  const changed = (id: number, hours: number) =>
    db
      .updateTable('source_tasks')
      .set({ changed_at: new Date(Date.now() - hours * 3_600_000) })
      .where('task_id', '=', id)
      .execute()
  await changed(old, 7 * 24 + 1)
  await changed(fresh, 7 * 24 - 1)
  const config = await aMerge(db, [old, fresh])
  const engine = await startEngine(database, [compileHandler(database)])
  const warnings = async (stale_days: number | null) => {
    await db.updateTable('compiler_configs').set({ stale_days }).where('id', '=', config.id).execute()
    await engine.queueRun(config.task_id)
    return (await runOf(db, config.task_id)).warnings.map(({ message }) => message)
  }
  expect(await warnings(null)).toEqual([])
  // The second compile merges nothing anew, and warns all the same.
  expect(await warnings(7)).toEqual([
    expect.stringMatching(
      /^The rows of ‘Monthly list’ have not changed for 7 days, since \d{4}-\d{2}-\d{2}\.$/,
    ),
  ])
  expect(await warnings(8)).toEqual([])
})
