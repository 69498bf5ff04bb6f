import { expect, test } from 'vitest'
import type { Cell } from '../../../../../test/fakes/spreadsheets.ts'
import { type CopyWorld, copyWorld } from '../../../../../test/fixtures/copy-world.ts'
import type { WriteSettings } from '../../../../contract/rows/write-settings.ts'

const world: CopyWorld = copyWorld()

const header = ['SKU', 'Name', 'Stock']
const rows: Cell[][] = [
  ['007', 'Bolt', 5],
  ['008', 'Nut', 3],
  ['009', 'Gear', 1],
]

const stored = (settings: Partial<WriteSettings>) =>
  Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [
      name,
      typeof value === 'object' ? JSON.stringify(value) : value,
    ]),
  )

async function pair(settings: Partial<WriteSettings>, held: Cell[][] = [], source = [header, ...rows]) {
  const made = await world.pair(
    source,
    held,
    stored({ write_mode: 'update', key_columns: ['SKU'], ...settings }),
  )
  const shown = () => world.values(made.target, 'Shop')
  const setSource = async (values: Cell[][]) => {
    await world.clear(made.source, 'Products')
    await world.write(made.source, 'Products', values)
  }
  const setTarget = async (values: Cell[][]) => {
    await world.clear(made.target, 'Shop')
    await world.write(made.target, 'Shop', values)
  }
  return { ...made, shown, setSource, setTarget, run: () => world.run(made.task) }
}

const receiptOf = async (task: number) => {
  const run = await world.db
    .selectFrom('runs')
    .select('receipt')
    .where('task_id', '=', task)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  return run.receipt as { by_key?: unknown; mode: string; cells_changed: number }
}

test('new rows follow the table, beside formulas and checkboxes that are prepared below it, but not beside a note', async () => {
  const { target, run, shown, setSource } = await pair({})
  expect((await run()).state).toBe('success')
  const prepared = (row: number) => [
    { userEnteredValue: { formulaValue: `=A${row}&"!"` } },
    { userEnteredValue: { boolValue: false } },
  ]
  const fields = 'userEnteredValue'
  const start = { sheetId: 100, rowIndex: 1, columnIndex: 4 }
  const prepare = { start, fields, rows: [2, 3, 4, 5, 6].map((row) => ({ values: prepared(row) })) }
  await world.batch(target, { updateCells: prepare })
  await setSource([header, ...rows, ['010', 'New', 10]])
  expect((await run()).receipt).toMatchObject({ by_key: { added: 1, unchanged: 3 } })
  expect((await shown()).slice(4)).toEqual([
    ['010', 'New', 10, '', '010!', false],
    ['', '', '', '', '!', false],
  ])
  await world.write(target, 'Shop!F6', [['a note']])
  await setSource([header, ...rows, ['010', 'New', 10], ['011', 'Newer', 11]])
  expect((await run()).state).toBe('success')
  expect((await shown()).slice(4)).toEqual([
    ['010', 'New', 10, '', '010!', false],
    ['', '', '', '', '!', 'a note'],
    ['011', 'Newer', 11],
  ])
})

test('new rows are inserted, so that a filter over the whole tab still reaches its end', async () => {
  const { target, run, shown, setSource } = await pair({})
  expect((await run()).state).toBe('success')
  const range = { sheetId: 100, startRowIndex: 0, endRowIndex: 10, startColumnIndex: 0, endColumnIndex: 3 }
  await world.batch(target, { setBasicFilter: { filter: { range } } })
  await setSource([header, ...rows, ['010', 'New', 10], ['011', 'Newer', 11]])
  expect((await run()).state).toBe('success')
  expect((await shown()).slice(4)).toEqual([
    ['010', 'New', 10],
    ['011', 'Newer', 11],
  ])
  const { data } = await world.api.spreadsheets.get({ spreadsheetId: target, fields: 'sheets.basicFilter' })
  expect(data.sheets?.[0]?.basicFilter?.range).toMatchObject({ endRowIndex: 12 })
})

test('update writes known rows where they stand now, new ones below, and leaves what is beside them', async () => {
  const { task, run, shown, setSource, setTarget } = await pair({})
  expect((await run()).state).toBe('success')
  expect(await shown()).toEqual([header, ...rows])
  await setTarget([
    [...header, 'Note'],
    ['009', 'Gear', 1, 'nine'],
    ['own', 'Mine', 2, 'ours'],
    ['007', 'Bolt', 5, 'seven'],
    ['008', 'Nut', 3, 'eight'],
  ])
  await setSource([header, ['006', 'New', 6], ['007', 'Bolt', 50], ['008', 'Nut', 3], ['009', 'Cog', 1]])
  expect((await run()).state).toBe('success')
  expect(await shown()).toEqual([
    [...header, 'Note'],
    ['009', 'Cog', 1, 'nine'],
    ['own', 'Mine', 2, 'ours'],
    ['007', 'Bolt', 50, 'seven'],
    ['008', 'Nut', 3, 'eight'],
    ['006', 'New', 6],
  ])
  expect(await receiptOf(task)).toMatchObject({
    cells_changed: 5,
    by_key: { added: 1, updated: 2, unchanged: 1, missing: 0, skipped: 0 },
  })
  expect((await run()).state).toBe('success')
  expect(await receiptOf(task)).toMatchObject({ mode: 'unchanged', by_key: { unchanged: 4 } })
})

test.each<[WriteSettings['on_missing'], Cell[]]>([
  ['keep', ['008', 'Nut', 3, 'eight']],
  ['clear', ['', '', '', 'eight']],
])('rows that the source no longer has: %s', async (on_missing, expected) => {
  const { run, shown, setSource, setTarget, task } = await pair({ on_missing })
  await run()
  await setTarget([
    [...header, 'Note'],
    ['007', 'Bolt', 5],
    ['008', 'Nut', 3, 'eight'],
    ['010', 'Theirs', 3, 'ten'],
  ])
  await setSource([header, ['007', 'Bolt', 5]])
  expect((await run()).state).toBe('success')
  expect(await shown()).toEqual([
    [...header, 'Note'],
    ['007', 'Bolt', 5],
    expected,
    ['010', 'Theirs', 3, 'ten'],
  ])
  expect(await receiptOf(task)).toMatchObject({ by_key: { missing: 1 } })
})

test('mark writes its text into the mark column, once, and takes it away when the row is back', async () => {
  const { run, shown, setSource, task } = await pair({
    on_missing: 'mark',
    mark_column: 'State',
    mark_text: 'gone since {date}',
  })
  await run()
  await setSource([header, ['007', 'Bolt', 5], ['009', 'Gear', 1]])
  await run()
  const [top, , eight] = await shown()
  expect(top).toEqual([...header, 'State'])
  expect(eight).toEqual(['008', 'Nut', 3, expect.stringMatching(/^gone since \d{4}-\d\d-\d\d$/)])
  await run()
  expect(await receiptOf(task)).toMatchObject({ mode: 'unchanged' })
  await setSource([header, ...rows])
  await run()
  expect(await shown()).toEqual([[...header, 'State'], ...rows])
})

test('columns are found by their headers wherever they stand; a missing one is added at the right', async () => {
  const { run, shown, target } = await pair({ find_columns_by_header: true }, [
    ['Note', 'Stock', 'Price', 'SKU'],
    ['eight', 1, '', '008'],
    ['own', 9, 3, 'x-1'],
  ])
  const formula = { userEnteredValue: { formulaValue: '=B2*2' } }
  await world.batch(target, {
    updateCells: {
      start: { sheetId: 100, rowIndex: 1, columnIndex: 2 },
      rows: [{ values: [formula] }],
      fields: 'userEnteredValue',
    },
  })
  expect((await run()).state).toBe('success')
  expect(await shown()).toEqual([
    ['Note', 'Stock', 'Price', 'SKU', 'Name'],
    ['eight', 3, 6, '008', 'Nut'],
    ['own', 9, 3, 'x-1'],
    ['', 5, '', '007', 'Bolt'],
    ['', 1, '', '009', 'Gear'],
  ])
})

test('append adds rows whose key the target does not have, and changes no other', async () => {
  const { run, shown, task } = await pair({ write_mode: 'append' }, [header, ['008', 'Their nut', 99]])
  await run()
  expect(await shown()).toEqual([header, ['008', 'Their nut', 99], ['007', 'Bolt', 5], ['009', 'Gear', 1]])
  expect(await receiptOf(task)).toMatchObject({ by_key: { added: 2, unchanged: 1, missing: 0 } })
})

test('append without a key adds rows that were not appended before, counted with repetitions; a removed row stays away', async () => {
  const { run, shown, setSource, setTarget } = await pair({ write_mode: 'append', key_columns: [] })
  await run()
  await setTarget([header, ['009', 'Gear', 1], ['007', 'Edited', 5]])
  await setSource([header, ...rows, ['007', 'Bolt', 5], ['008', 'Nut', 4]])
  expect((await run()).state).toBe('success')
  const expected = [header, ['009', 'Gear', 1], ['007', 'Edited', 5], ['007', 'Bolt', 5], ['008', 'Nut', 4]]
  expect(await shown()).toEqual(expected)
  await run()
  expect(await shown()).toEqual(expected)
})

test.each<[string, Partial<WriteSettings>, Cell[][], Cell[][], RegExp]>([
  [
    'a blank key of the source',
    {},
    [header, ['', 'Bolt', 5], ['008', 'Nut', 3]],
    [],
    /‘Products’.* 1 row without SKU: row 2\. Nothing was written/,
  ],
  [
    'a repeated key of the source',
    {},
    [header, ['7', 'a', 1], ['7', 'b', 2]],
    [],
    /1 value of SKU in several rows: ‘7’ in row 2, row 3\. Nothing was written/,
  ],
  [
    'a repeated key of the target',
    {},
    [header, ['7', 'a', 1]],
    [header, ['7', 'x', 1], ['7', 'y', 1]],
    /‘Shop’.*‘7’ in row 2, row 3\. Nothing was written/,
  ],
  [
    'an unknown key column',
    { key_columns: ['SKO'] },
    [header, ...rows],
    [],
    /has no column ‘SKO’.*nearest names are ‘SKU’.*Nothing was written/,
  ],
  [
    'two columns of the name of the key',
    {},
    [
      ['SKU', 'SKU', 'Name'],
      ['7', '8', 'x'],
    ],
    [],
    /two columns ‘SKU’.*cannot be a key column/,
  ],
])('%s ends the run before it writes', async (_what, settings, source, held, reason) => {
  const { run, shown } = await pair(settings, held, source)
  const { state, message } = await run()
  expect(state).toBe('failed')
  expect(message).toMatch(reason)
  expect(await shown()).toEqual(held)
})

test('rows with a blank or repeated key are skipped by choice, with a warning that names them', async () => {
  const { run, shown, task } = await pair(
    { on_bad_keys: 'skip' },
    [],
    [header, ['', 'Bolt', 5], ['7', 'a', 1], ['7', 'b', 2], ['8', 'c', 3]],
  )
  const { state, log } = await run()
  expect(state).toBe('warning')
  expect(log.join('\n')).toMatch(/1 row without SKU: row 2\. These rows were skipped/)
  expect(await shown()).toEqual([header, ['8', 'c', 3]])
  expect(await receiptOf(task)).toMatchObject({ by_key: { added: 1, skipped: 3 } })
})
