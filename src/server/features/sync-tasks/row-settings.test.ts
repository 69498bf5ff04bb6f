import { beforeAll, expect, test } from 'vitest'
import { accessToken } from '../../../../test/fakes/sandbox.ts'
import { Spreadsheets } from '../../../../test/fakes/spreadsheets.ts'
import { type SignedIn, type TestApp, testApp } from '../../../../test/fixtures/app.ts'
import { aConfig, aSyncTask, aSyncTaskBody, aType } from '../../../../test/fixtures/factories.ts'
import { uploadsTo } from '../../../../test/fixtures/uploads.ts'
import { limits } from '../../../contract/limits.ts'
import { RowSample } from '../../../contract/rows/row-sample.ts'
import { type RowSettings, wholeTable } from '../../../contract/rows/row-settings.ts'

let site: TestApp
let ada: SignedIn
let sheets: Spreadsheets
beforeAll(async () => {
  site = await testApp()
  ada = await site.signIn('ada@example.com')
  sheets = new Spreadsheets()
  sheets.connect(site.sandbox.root, () => accessToken(site.sandbox.root, 'ada@example.com'))
})

const settings: RowSettings = {
  columns: [
    { source: 'SKU', name: 'Article' },
    { source: 'Stock, "free"', name: 'Stock' },
  ],
  include_new_columns: true,
  filter: {
    match: 'any',
    conditions: [
      { column: 'Stock', operator: 'greater', values: ['0'] },
      { column: 'Note', operator: 'blank', values: [] },
      { column: 'Brand', operator: 'one_of', values: ['Acme', 'Bolt, Inc.'] },
    ],
  },
  sort_by: [{ column: 'SKU', descending: true }],
  max_rows: 500,
  extra_columns: [
    { kind: 'constant', name: 'Shop', value: '=DE' },
    { kind: 'row_number', name: 'Row' },
    { kind: 'run_time', name: 'Written' },
  ],
  completeness: null,
}

const created = async (fields: object = settings) => {
  const type = await aType(site.db)
  return ada.request('POST', '/api/sync_tasks', aSyncTaskBody(type.id, fields))
}

test('a task keeps the settings of its rows and columns; without any it copies everything', async () => {
  const reply = await created()
  expect(reply.statusCode, reply.body).toBe(201)
  expect(reply.json()).toMatchObject(settings)
  const changed = await ada.request('PUT', `/api/sync_tasks/${reply.json().id}`, {
    columns: null,
    filter: null,
  })
  expect(changed.json()).toMatchObject({ ...settings, columns: null, filter: null })
  expect((await created({})).json()).toMatchObject(wholeTable)
})

test('the history of a task tells what its settings were, in words', async () => {
  const { id } = (await created()).json()
  await ada.request('PUT', `/api/sync_tasks/${id}`, {
    filter: null,
    columns: null,
    extra_columns: [],
    sort_by: [],
  })
  const { changes } = (await ada.request('GET', `/api/tasks/${id}/changes`)).json()
  const before = Object.fromEntries(
    changes[0].fields.map(({ label, before: text }: { label: string; before: string }) => [label, text]),
  )
  expect(before).toEqual({
    Columns: 'SKU as Article, Stock, "free" as Stock',
    Filter: 'Stock is more than 0 or Note is blank or Brand is one of ‘Acme’, ‘Bolt, Inc.’',
    'Order of rows': 'SKU, largest first',
    'Extra columns': 'Shop = ‘=DE’, Row = row number in the source, Written = time of the run',
  })
})

test('settings are unchanged after an export and an import', async () => {
  const { id } = (await created()).json()
  const uploads = uploadsTo('/api/sync_tasks/import', site, ada)
  const file = (await ada.request('GET', '/api/sync_tasks/export')).body
  expect(await uploads.imported(file)).toMatchObject({ status: 'success', updated: 0, failed: 0 })
  await ada.request('PUT', `/api/sync_tasks/${id}`, { ...wholeTable })
  expect(await uploads.imported(file)).toMatchObject({ status: 'success', updated: 1, failed: 0 })
  expect((await ada.request('GET', `/api/sync_tasks/${id}`)).json()).toMatchObject(settings)
})

test('the completeness of a target is unchanged after an export and an import', async () => {
  const completeness = { fields: ['GTIN', 'Name, short'], only_complete: true }
  const { id: source_compiler_config_id } = await aConfig(site.db)
  const reply = await created({ source_type: 'internal', source_compiler_config_id, completeness })
  expect(reply.statusCode, reply.body).toBe(201)
  const path = `/api/sync_tasks/${reply.json().id}`
  const uploads = uploadsTo('/api/sync_tasks/import', site, ada)
  const file = (await ada.request('GET', '/api/sync_tasks/export')).body
  await ada.request('PUT', path, { completeness: null })
  expect(await uploads.imported(file)).toMatchObject({ status: 'success', updated: 1, failed: 0 })
  expect((await ada.request('GET', path)).json()).toMatchObject({ completeness })
})

test.each<[field: string, value: unknown, message: string]>([
  ['columns', [], 'Choose at least one column, or copy all'],
  [
    'columns',
    [
      { source: 'A', name: 'X' },
      { source: 'B', name: 'X' },
    ],
    'Two columns would be called ‘X’ in the target',
  ],
  [
    'columns',
    [
      { source: 'A', name: 'X' },
      { source: 'A', name: 'Y' },
    ],
    'The column ‘A’ is chosen twice',
  ],
  ['columns', [{ source: 'A', name: ' ' }], 'A column of the target needs a name'],
  [
    'filter',
    { conditions: [{ column: 'A', operator: 'less', values: ['many'] }] },
    '‘many’ is not a number. Write it as 1234.5',
  ],
  ['filter', { conditions: [{ column: '', operator: 'blank' }] }, 'Choose a column'],
  ['sort_by', [{ column: 'A' }, { column: 'A', descending: true }], 'The rows are sorted by ‘A’ twice'],
  ['extra_columns', [{ kind: 'row_number', name: '' }], 'A column of the target needs a name'],
])('%s %j is refused', async (field, value, message) => {
  const reply = await created({ [field]: value })
  expect([reply.statusCode, reply.json().message]).toEqual([400, message])
  expect(reply.json().field).toMatch(new RegExp(`^${field}`))
})

test('a cell of a file that is no JSON is refused, with its column', async () => {
  const type = await aType(site.db, { name: 'Files' })
  const task = await aSyncTask(site.db, { task_type_id: type.id, name: 'One' })
  const uploads = uploadsTo('/api/sync_tasks/import', site, ada)
  const reply = await uploads.imported(
    `task_type,name,target_ss_id,target_sheet_name,filter\r\nFiles,${task.name},${'t'.repeat(44)},Shop,Stock > 0\r\n`,
  )
  expect(reply).toMatchObject({ failed: 1, errors: [{ field: 'filter' }] })
})

const rows = [
  ['SKU', 'Stock', ''],
  ['007', 5],
  ['008', '1.234,50', 'beyond'],
  ['009', 12],
]

const sampled = async (fields: object) => {
  const { columns, include_new_columns, filter, sort_by, max_rows, extra_columns } = wholeTable
  const whole = { columns, include_new_columns, filter, sort_by, max_rows, extra_columns }
  const body = {
    source_type: 'sheet',
    source_ss_id: '',
    source_sheet_name: '',
    source_compiler_config_id: null,
    start_row: 1,
  }
  return ada.request('POST', '/api/sync_tasks/sample_rows', { ...body, ...whole, ...fields })
}

test('the editor shows columns with their first values, and the rows that a run would copy', async () => {
  const source_ss_id = await sheets.spreadsheet({ Products: rows })
  const reply = await sampled({
    source_ss_id,
    filter: { match: 'all', conditions: [{ column: 'Stock', operator: 'at_least', values: ['5'] }] },
    sort_by: [{ column: 'Stock', descending: true }],
    columns: [{ source: 'SKU', name: 'Article' }],
    extra_columns: [
      { kind: 'row_number', name: 'Row' },
      { kind: 'run_time', name: 'Written' },
    ],
  })
  const now = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d /)
  expect(reply.statusCode, reply.body).toBe(200)
  expect(RowSample.parse(reply.json())).toEqual({
    columns: [
      { name: 'SKU', values: ['007', '008', '009'], number_as_text: null },
      { name: 'Stock', values: [5, '1.234,50', 12], number_as_text: '1.234,50' },
    ],
    problem: null,
    rows: 3,
    passed: 2,
    sources: 1,
    ...{ is_count_partial: false, is_partial: false },
    header: ['Article', 'Row', 'Written'],
    first: [
      ['009', 4, now],
      ['007', 2, now],
    ],
    row_keys: null,
    tabs: null,
  })
})

test('rows without a key and with the key of another row are counted, and the tabs of a split are named', async () => {
  const source_ss_id = await sheets.spreadsheet({
    Products: [
      ['SKU', 'Shop'],
      ['007', 'Wien'],
      [' 007 ', 'Graz'],
      ['', 'Wien'],
      ['008', ''],
      ['', 'Linz'],
    ],
  })
  const columns = [
    { source: 'SKU', name: 'Article' },
    { source: 'Shop', name: 'Shop' },
  ]
  const settings = { source_ss_id, columns, key_columns: ['Article'], split_by: 'Shop' }
  const sample = (await sampled(settings)).json()
  expect([sample.row_keys, sample.tabs]).toEqual([
    { blank: 2, repeated: 2, example: '007' },
    { values: ['Wien', 'Graz', 'Linz'], count: 3, blank: 1 },
  ])
  const filter = { match: 'all', conditions: [{ column: 'Shop', operator: 'is', values: ['Wien'] }] }
  const unknown = { key_columns: ['SKU'], split_by: 'Town' }
  expect((await sampled({ ...settings, filter })).json().row_keys).toMatchObject({ blank: 1, repeated: 0 })
  expect((await sampled({ ...settings, ...unknown })).json()).toMatchObject({ row_keys: null, tabs: null })
})

test('a column that the source does not have is named, and the columns are shown all the same', async () => {
  const source_ss_id = await sheets.spreadsheet({ Products: rows })
  const sample = (await sampled({ source_ss_id, sort_by: [{ column: 'Stck' }] })).json()
  expect(sample.problem).toMatch(/has no column ‘Stck’\. Its nearest names are ‘Stock’/)
  expect(sample.columns).toHaveLength(2)
})

test('a source that cannot be read gives the reason', async () => {
  const gone = await sampled({ source_ss_id: 'x'.repeat(44) })
  expect([gone.statusCode, gone.json().message]).toEqual([404, expect.any(String)])
  const config = await aConfig(site.db, { name: 'Shop' })
  const empty = await sampled({ source_type: 'internal', source_compiler_config_id: config.id })
  expect(empty.json().message).toMatch(/Shop/)
})

test('the rows of all sources are counted, also where the first one alone has more than are read', async () => {
  const many = Array.from({ length: limits.sample_rows + 10 }, (_, n) => [`S${n}`, n % 2])
  const source_ss_id = await sheets.spreadsheet({ Products: [['SKU', 'Stock'], ...many] })
  const further = await sheets.spreadsheet({
    Products: [
      ['SKU', 'Stock'],
      ['A', 1],
      ['B', 0],
      ['C', 1],
    ],
  })
  const more_sources = [
    {
      ...{ source_type: 'sheet', source_ss_id: further, source_sheet_name: 'Products' },
      source_compiler_config_id: null,
    },
  ]
  const filter = { match: 'all', conditions: [{ column: 'Stock', operator: 'at_least', values: ['1'] }] }
  const counted = { rows: many.length + 3, passed: many.length / 2 + 2 }
  expect((await sampled({ source_ss_id, more_sources, filter })).json()).toMatchObject({
    ...counted,
    ...{ sources: 2, is_count_partial: false, is_partial: true },
  })
  expect((await sampled({ source_ss_id, filter })).json()).toMatchObject({
    ...{ rows: limits.sample_rows, passed: limits.sample_rows / 2 },
    ...{ sources: 1, is_count_partial: true, is_partial: true },
  })
})

test('the sample of several sources has the columns of all of them', async () => {
  const source_ss_id = await sheets.spreadsheet({
    Products: [
      ['SKU', 'Stock'],
      ['007', 5],
    ],
  })
  const further = await sheets.spreadsheet(
    {
      Products: [
        ['Price', 'SKU'],
        [9, '020'],
      ],
    },
    'Other',
  )
  const more = {
    source_type: 'sheet',
    source_ss_id: further,
    source_sheet_name: 'Products',
    source_compiler_config_id: null,
  }
  const reply = await sampled({
    source_ss_id,
    more_sources: [more],
    extra_columns: [{ kind: 'source_name', name: 'From' }],
  })
  expect(reply.statusCode, reply.body).toBe(200)
  expect(RowSample.parse(reply.json())).toMatchObject({
    header: ['SKU', 'Stock', 'Price', 'From'],
    first: [
      ['007', 5, null, 'Book'],
      ['020', null, 9, 'Other'],
    ],
  })
})
