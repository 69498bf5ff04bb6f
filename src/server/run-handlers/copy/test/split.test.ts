import { expect, test } from 'vitest'
import type { Cell } from '../../../../../test/fakes/spreadsheets.ts'
import { copyWorld } from '../../../../../test/fixtures/copy-world.ts'
import { planOfRun } from '../../../../../test/fixtures/previewed.ts'
import { writeFieldMessages as fields } from '../../../../contract/rows/field-messages.ts'
import { runLimitMessages as limits } from '../../../../contract/run-limits/server-messages.ts'
import { splitServerMessages as messages } from '../../../../contract/sync-tasks/server-messages.ts'

const world = copyWorld()

const header = ['SKU', 'Country', 'Stock']
const rows = [
  ['1', 'DE', 5],
  ['2', 'FR', 3],
  ['3', 'DE', 8],
]

const split = (data: Cell[][] = rows, settings: object = {}) =>
  world.pair([header, ...data], [], { split_by: 'Country', ...settings })

/** Replaces the rows of the source. */
async function edit(source: string, data: Cell[][]) {
  await world.clear(source, 'Products')
  await world.write(source, 'Products', [header, ...data])
}

test('the rows of each value are written to a tab of their own, which is created as needed', async () => {
  const { task, target } = await split(rows, { split_tab_name: 'Shop {value}' })
  const ended = await world.run(task)
  expect([ended.state, ended.message]).toEqual(['success', messages.done(2, 2)])
  expect(await world.tabs(target)).toEqual(['Shop', 'Shop DE', 'Shop FR'])
  expect(await world.values(target, 'Shop DE')).toEqual([header, rows[0], rows[2]])
  expect(await world.values(target, 'Shop FR')).toEqual([header, rows[1]])
  expect(await world.values(target, 'Shop')).toEqual([])
  const stored = await world.db
    .selectFrom('sync_tasks')
    .select('target_ss_name')
    .where('task_id', '=', task)
    .executeTakeFirstOrThrow()
  expect(stored.target_ss_name).toBe('Web shop')
  expect(ended.log).toContain(`INFO ${messages.together(2)}`)
  // The staging tab, and the commit.
  expect(ended.requests.write).toBe(2)
  expect(ended.receipt).toMatchObject({
    rows: 3,
    tabs: [
      { value: 'DE', sheet_name: 'Shop DE', rows: 2, is_cleared: false },
      { value: 'FR', sheet_name: 'Shop FR', rows: 1, is_cleared: false },
    ],
  })
  const again = await world.run(task)
  expect([again.message, again.receipt?.mode]).toEqual([messages.done(2, 0), 'unchanged'])
  expect(again.requests.write).toBe(0)
})

test('only the tabs whose rows have changed are written', async () => {
  const { task, source, target } = await split()
  await world.run(task)
  await edit(source, [...rows, ['4', 'FR', 1], ['5', 'IT', 2]])
  const ended = await world.run(task)
  expect(ended.message).toBe(messages.done(3, 2))
  expect(await world.values(target, 'FR')).toEqual([header, rows[1], ['4', 'FR', 1]])
  expect(await world.values(target, 'IT')).toEqual([header, ['5', 'IT', 2]])
})

test.each<[string, Cell[][], string]>([
  [
    'a blank value',
    [
      ['1', 'DE', 5],
      ['2', ' ', 3],
    ],
    messages.blank('Country', 1, 3),
  ],
  [
    'two values of one tab',
    [
      ['1', 'DE', 5],
      ['2', 'de', 3],
    ],
    messages.equal_names('DE', 'de'),
  ],
  [
    'a value that is too long',
    [['1', 'x'.repeat(101), 5]],
    messages.bad_name('x'.repeat(101), 'Sheet name must be at most 100 characters'),
  ],
  [
    'more values than tabs',
    Array.from({ length: 201 }, (_, n) => [String(n), `C${n}`, n]),
    messages.too_many('Country', 201, 200),
  ],
])('%s is named, and nothing is written', async (_, data, message) => {
  const { task, target } = await split(data)
  const ended = await world.run(task)
  expect([ended.state, ended.message]).toEqual(['failed', message])
  expect(ended.requests.write).toBe(0)
  expect(await world.tabs(target)).toEqual(['Shop'])
})

test('a missing column, another write mode and a mark are refused', async () => {
  const refusal = async (settings: object) => (await world.run((await split(rows, settings)).task)).message
  expect(await refusal({ split_by: 'Land' })).toBe(
    messages.column_missing('‘Products’ in ‘Catalogue’', 'Land'),
  )
  expect(await refusal({ write_mode: 'append' })).toBe(messages.conflict(fields.split_replaces('append')))
  expect(await refusal({ find_columns_by_header: true })).toBe(messages.conflict(fields.split_in_order))
  expect(await refusal({ on_missing: 'mark' })).toBe(messages.conflict(fields.split_no_mark))
})

test('limits count over all tabs, and stop the run before any tab is written', async () => {
  const { task, source, target } = await split(rows, { limits: JSON.stringify({ changed_cells: 2 }) })
  await world.run(task)
  // Each tab is within the limit.
  await edit(source, [
    ['2', 'FR', 30],
    ['1', 'DE', 50],
    ['3', 'DE', 80],
  ])
  const ended = await world.run(task)
  expect([ended.state, ended.requests.write]).toEqual(['failed', 0])
  expect(ended.message).toContain(limits.change(3))
  expect(await world.values(target, 'FR')).toEqual([header, rows[1]])
  expect(await world.values(target, 'DE')).toEqual([header, rows[0], rows[2]])
  const plan = await planOfRun(world.db, ended.id)
  expect(plan).toMatchObject({ state: 'open', summary: { cells: { changed: 3 } } })
  expect(plan.summary.lines[0]?.text).toContain(limits.change(3))
  const { id } = await world.db
    .selectFrom('plans')
    .select('id')
    .where('hash', '=', plan.hash)
    .executeTakeFirstOrThrow()
  expect((await world.run(task, { plan: id })).message).toBe(messages.done(2, 2))
  expect(await world.values(target, 'FR')).toEqual([header, ['2', 'FR', 30]])
})

test('a tab whose value is gone is kept', async () => {
  const { task, source, target } = await split()
  await world.run(task)
  await edit(source, [
    ['1', 'DE', 5],
    ['2', 'France', 3],
  ])
  const ended = await world.run(task)
  expect(ended.state).toBe('success')
  expect(ended.log).toContain(`INFO ${messages.kept(['FR'])}`)
  expect(await world.values(target, 'FR')).toEqual([header, rows[1]])
  expect(await world.values(target, 'France')).toEqual([header, ['2', 'France', 3]])
})

test('a tab whose value is gone is emptied by choice, except for its header and the cells of others', async () => {
  const { task, source, target } = await split(rows, { on_missing: 'clear' })
  await world.run(task)
  const { data } = await world.api.spreadsheets.get({ spreadsheetId: target })
  const sheetId = data.sheets?.find(({ properties }) => properties?.title === 'FR')?.properties?.sheetId ?? 0
  await world.batch(target, { appendDimension: { sheetId, dimension: 'COLUMNS', length: 3 } })
  await world.write(target, 'FR!E1', [['Note']])
  await edit(source, [['1', 'DE', 5]])
  const ended = await world.run(task)
  expect([ended.state, ended.message]).toEqual(['success', messages.done(2, 2)])
  expect(await world.values(target, 'FR')).toEqual([[...header, '', 'Note']])
  expect((await world.run(task)).message).toBe(messages.done(1, 0))
})

test('a tab that a colleague has renamed is followed, and one that was deleted is written anew', async () => {
  const { task, source, target } = await split()
  await world.run(task)
  const { data } = await world.api.spreadsheets.get({ spreadsheetId: target })
  const idOf = (title: string) =>
    data.sheets?.find(({ properties }) => properties?.title === title)?.properties?.sheetId ?? 0
  await world.batch(
    target,
    { updateSheetProperties: { properties: { sheetId: idOf('DE'), title: 'Germany' }, fields: 'title' } },
    { deleteSheet: { sheetId: idOf('FR') } },
  )
  await edit(source, [...rows, ['9', 'DE', 1]])
  const ended = await world.run(task)
  expect(ended.state).not.toBe('failed')
  expect(await world.tabs(target)).toEqual(['Shop', 'Germany', 'FR'])
  expect(await world.values(target, 'Germany')).toHaveLength(4)
  expect(await world.values(target, 'FR')).toEqual([header, rows[1]])
})

test('a tab of another task is not written', async () => {
  const { task, target } = await split()
  const source = await world.spreadsheet({ Products: [header, ['7', 'x', 1]] })
  await world.run(await world.task({ source_ss_id: source, target_ss_id: target, target_sheet_name: 'FR' }))
  const ended = await world.run(task)
  expect(ended.state).toBe('failed')
  expect(ended.message).toContain('The tab ‘FR’ in ‘Web shop’ is the target of the task')
  expect(await world.values(target, 'FR')).toEqual([header, ['7', 'x', 1]])
})
