import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { aMerge } from '../../../../../test/fixtures/compiling.ts'
import { copyWorld } from '../../../../../test/fixtures/copy-world.ts'
import { runOf } from '../../../../../test/fixtures/engine.ts'
import { DOLLAR, EURO, formatsOf, setFormats } from '../../../../../test/fixtures/mixed-formats.ts'
import type { FurtherSource } from '../../../../contract/rows/write-settings.ts'
import { consolidateServerMessages as messages } from '../../../../contract/sync-tasks/server-messages.ts'

const world = copyWorld()

const sheet = (source_ss_id: string, source_sheet_name = ''): FurtherSource => ({
  source_type: 'sheet',
  source_ss_id,
  source_sheet_name,
  source_compiler_config_id: null,
})

const german = [
  ['SKU', 'Name', 'Stock'],
  ['007', 'Tea', 5],
  ['008', 'Cup', 0],
]
const french = [
  ['Stock', 'SKU', 'Prix'],
  [3, '007', 9.5],
  [8, '020', 4],
]

/** A task that copies the tab DE of one spreadsheet and FR of another one, with these settings. */
async function two(
  settings: object = {},
  { de = german, fr = french }: { de?: unknown[][]; fr?: unknown[][] } = {},
) {
  const first = await world.spreadsheet({ DE: de as string[][] }, 'Germany')
  const second = await world.spreadsheet({ FR: fr as string[][] }, 'France')
  const target = await world.spreadsheet({ Shop: [] }, 'Web shop')
  const task = await world.task({
    ...{ source_ss_id: first, source_sheet_name: 'DE', target_ss_id: target },
    more_sources: JSON.stringify([sheet(second, 'FR')]),
    ...settings,
  })
  const rows = () => world.values(target, 'Shop')
  return { first, second, target, task, rows }
}

test('rows of all sources stand one below the other in columns matched by header', async () => {
  const { task, rows } = await two()
  const ended = await world.run(task)
  expect([ended.state, ended.message]).toEqual(['success', expect.any(String)])
  expect(await rows()).toEqual([
    ['SKU', 'Name', 'Stock', 'Prix'],
    ['007', 'Tea', 5],
    ['008', 'Cup', 0],
    ['007', '', 3, 9.5],
    ['020', '', 8, 4],
  ])
  const again = await world.run(task)
  expect(again.receipt?.mode).toBe('unchanged')
  expect(again.requests.write).toBe(0)
})

test('a column names the source of each row, another one its row there, and filter, order and maximum work over the whole', async () => {
  const { task, rows } = await two({
    columns: JSON.stringify([
      { source: 'SKU', name: 'Id' },
      { source: 'Stock', name: 'Stock' },
    ]),
    extra_columns: JSON.stringify([
      { kind: 'source_name', name: 'From' },
      { kind: 'row_number', name: 'Row' },
    ]),
    filter: JSON.stringify({
      match: 'all',
      conditions: [{ column: 'Stock', operator: 'at_least', values: ['1'] }],
    }),
    sort_by: JSON.stringify([{ column: 'Stock', descending: true }]),
    max_rows: 2,
  })
  expect(await world.run(task)).toMatchObject({ state: 'success' })
  expect(await rows()).toEqual([
    ['Id', 'Stock', 'From', 'Row'],
    ['020', 8, 'FR', 3],
    ['007', 5, 'DE', 2],
  ])
})

test('sources whose tabs have one name are named by their spreadsheets', async () => {
  const first = await world.spreadsheet({ Products: german }, 'Germany')
  const second = await world.spreadsheet({ Products: french }, 'France')
  const target = await world.spreadsheet({ Shop: [] })
  const task = await world.task({
    ...{
      source_ss_id: first,
      target_ss_id: target,
      more_sources: JSON.stringify([sheet(second, 'Products')]),
    },
    extra_columns: JSON.stringify([{ kind: 'source_name', name: 'From' }]),
  })
  await world.run(task)
  const rows = await world.values(target, 'Shop')
  expect(rows.slice(1).map((row) => row.at(-1))).toEqual(['Germany', 'Germany', 'France', 'France'])
})

test('a source that cannot be read fails the run before it writes, and is named', async () => {
  const { task, rows, second } = await two()
  await world.run(task)
  const before = await rows()
  await world.batch(
    second,
    { addSheet: { properties: { title: 'Other' } } },
    { deleteSheet: { sheetId: 100 } },
  )
  await world.setRetries(task, 0)
  const ended = await world.run(task)
  expect(ended.state).toBe('failed')
  expect(ended.message).toContain('Source 2: ‘France’ does not have a tab called ‘FR’.')
  expect(ended.requests.write).toBe(0)
  expect(await rows()).toEqual(before)
})

test.each([
  [
    'two columns of one name',
    [
      ['SKU', 'Stock', ' Stock'],
      ['1', 2, 3],
    ],
    messages.header_twice('‘FR’ in ‘France’', ['Stock']),
  ],
  [
    'a value in a column without a header',
    [
      ['SKU', '', 'Stock'],
      ['1', 'note', 3],
    ],
    messages.no_column_header('‘FR’ in ‘France’', 'B2'),
  ],
  ['a source without a header', [[]], messages.no_header('‘FR’ in ‘France’')],
])('%s: nothing is written', async (_, fr, message) => {
  const { task, rows } = await two({}, { fr })
  const ended = await world.run(task)
  expect([ended.state, ended.message]).toEqual(['failed', message])
  expect(await rows()).toEqual([])
})

test('a source without rows is named in a warning', async () => {
  const { task, rows } = await two({}, { fr: [['SKU', 'Stock']] })
  const ended = await world.run(task)
  expect(ended.state).toBe('warning')
  expect(ended.log.join('\n')).toContain(messages.no_rows('‘FR’ in ‘France’'))
  expect(await rows()).toHaveLength(3)
})

test('a further source that is the target under its new name is refused', async () => {
  const target = await world.spreadsheet({ Shop: [['SKU']] })
  const task = await world.task({
    ...{ source_ss_id: (await two()).first, source_sheet_name: 'DE', target_ss_id: target },
    more_sources: JSON.stringify([sheet(target)]),
  })
  const refused = await world.run(task)
  expect(refused.message).toContain('cannot be copied onto itself')
  expect(await world.values(target, 'Shop')).toEqual([['SKU']])
})

test('a renamed tab of a further source is followed, and its name is kept in the task', async () => {
  const { task, second, rows } = await two()
  await world.run(task)
  await world.batch(second, {
    updateSheetProperties: { properties: { sheetId: 100, title: 'France 2026' }, fields: 'title' },
  })
  const ended = await world.run(task)
  expect(ended.state).not.toBe('failed')
  expect(await rows()).toHaveLength(5)
  const stored = await world.db
    .selectFrom('sync_tasks')
    .innerJoin('further_sources as f', 'f.task_id', 'sync_tasks.task_id')
    .select(['more_sources', 'f.source_place', 'f.source_sheet_name', 'f.source_ss_name'])
    .where('sync_tasks.task_id', '=', task)
    .executeTakeFirstOrThrow()
  expect(stored).toMatchObject({
    more_sources: [{ source_sheet_name: 'France 2026' }],
    ...{ source_sheet_name: 'France 2026', source_ss_name: 'France', source_place: expect.any(String) },
  })
})

test('each row keeps the number format of its source', async () => {
  const { first, second, target, task } = await two()
  await setFormats(world, first, [
    [1, 2, EURO],
    [2, 2, EURO],
  ])
  await setFormats(world, second, [
    [1, 0, DOLLAR],
    [2, 0, EURO],
  ])
  expect(await world.run(task)).toMatchObject({ state: 'success' })
  expect(await formatsOf(world, target, 'Shop!C2:C5', 4)).toEqual([EURO, EURO, DOLLAR, EURO])
  expect((await world.run(task)).receipt).toMatchObject({ mode: 'unchanged', writes: 0 })
})

test('a preview shows the rows of all sources and its plan writes them', async () => {
  const { task, rows } = await two()
  const preview = await world.preview(task)
  expect(preview.plan?.summary.rows).toMatchObject({ wanted: 4, added: 4 })
  expect(await rows()).toEqual([])
  await world.run(task, { plan: preview.plan_id })
  expect(await rows()).toHaveLength(5)
})

test('a source that is read in several requests is read until two readings agree', async () => {
  const many = [['SKU', 'Stock'], ...Array.from({ length: 300 }, (_, n) => [`F-${n}`, n])]
  const { task, rows } = await two({ chunk_size: 100 }, { fr: many })
  const ended = await world.run(task)
  expect(ended.state).toBe('success')
  const all = await rows()
  expect([all.length, all.at(-1)]).toEqual([303, ['F-299', '', 299]])
})

test('compiled records are a further source, whose compile the run waits for', async () => {
  const read = await world.sourceTask({
    spreadsheet_id: await world.spreadsheet({ Products: german }),
  })
  await world.ingest(read)
  const config = await aMerge(world.db, [read])
  await world.start(config.task_id)
  await runOf(world.db, config.task_id)
  const { task, rows } = await two({
    more_sources: JSON.stringify([
      {
        source_type: 'internal',
        source_ss_id: '',
        source_sheet_name: '',
        source_compiler_config_id: config.id,
      },
    ]),
    extra_columns: JSON.stringify([{ kind: 'source_name', name: 'From' }]),
  })
  const ended = await world.run(task)
  expect(ended.state).toBe('success')
  const { name } = await world.db
    .selectFrom('tasks')
    .select('name')
    .where('id', '=', config.task_id)
    .executeTakeFirstOrThrow()
  const from = (await rows()).map((row) => row.at(-1))
  expect(from).toEqual(['From', 'DE', 'DE', name, name])
  const inputs = await sql<{
    input_task_id: number
  }>`select input_task_id from task_inputs where task_id = ${task}`.execute(world.db)
  expect(inputs.rows).toEqual([{ input_task_id: config.task_id }])
})
