import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test, vi } from 'vitest'
import { type SignedIn, type TestApp, testApp } from '../../../../test/fixtures/app.ts'
import { aType } from '../../../../test/fixtures/factories.ts'
import { testFolder } from '../../../../test/fixtures/folders.ts'
import { packed, workbookParts } from '../../../../test/fixtures/workbooks.ts'

// Each read starts a process.
vi.setConfig({ testTimeout: 120_000 })

let app: TestApp
let ada: SignedIn
let path: string

const text = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`
const rows = `<row r="1">${text('SKU')}${text('Price')}</row><row r="2">${text('007')}<c><v>1.5</v></c></row>`

beforeAll(async () => {
  path = await testFolder()
  await mkdir(join(path, '2026'))
  await packed(
    path,
    workbookParts({
      tabs: { Notes: '', Prices: rows },
      after: '<definedNames><definedName name="PriceColumn">Prices!$B$1:$B$2</definedName></definedNames>',
    }),
    'prices.xlsx',
  )
  await writeFile(join(path, 'stock.csv'), Buffer.from('SKU;Stock\n007;5\n', 'utf16le'))
  await writeFile(join(path, 'letter.docx'), 'no table')
  await writeFile(join(path, '~$prices.xlsx'), Buffer.concat([Buffer.from([3]), Buffer.from('Ada')]))
  const secret = await testFolder()
  await writeFile(join(secret, 'secret.csv'), 'secret')
  await symlink(secret, join(path, 'linked'))
  app = await testApp({ env: { FILES_FOLDERS: `Suppliers=${path},Gone=${path}/gone` } })
  ada = await app.signIn('ada@example.com')
})

async function get(url: string) {
  const reply = await ada.request('GET', url)
  return { status: reply.statusCode, body: reply.json() }
}
const browse = (folder: string) => get(`/api/files?path=${encodeURIComponent(folder)}`)

test('folders, subfolders and files that can be read are listed; a folder that is missing says so', async () => {
  const roots = await get('/api/files')
  expect(roots.body.entries).toMatchObject([
    { kind: 'folder', path: 'Suppliers', problem: null },
    { path: 'Gone', problem: 'The folder ‘Gone’ cannot be opened on this machine.' },
  ])
  const { entries } = (await browse('Suppliers')).body
  expect(entries.map(({ path: one }: { path: string }) => one)).toEqual([
    'Suppliers/2026',
    'Suppliers/linked',
    'Suppliers/prices.xlsx',
    'Suppliers/stock.csv',
  ])
  expect((await browse('Suppliers/2026')).body).toEqual({ entries: [], has_more: false })
})

test.each(['..', 'Suppliers/..', 'Suppliers/../..', 'Suppliers/linked', '/etc', 'Suppliers/C:', 'Other'])(
  'the folder %s is not listed',
  async (folder) => {
    const { status, body } = await browse(folder)
    expect([400, 404]).toContain(status)
    expect(JSON.stringify(body)).not.toContain('secret')
  },
)

test('the tabs, named areas and the format of a file are described', async () => {
  expect((await get(`/api/spreadsheets/${encodeURIComponent('Suppliers/prices.xlsx')}`)).body).toMatchObject({
    id: 'Suppliers/prices.xlsx',
    name: 'prices.xlsx',
    tabs: [
      { title: 'Notes' },
      { title: 'Prices' },
      { title: 'PriceColumn', kind: 'area', rows: 2, columns: 1 },
    ],
  })
  expect((await get(`/api/spreadsheets/${encodeURIComponent('Suppliers/stock.csv')}`)).body).toMatchObject({
    tabs: [{ title: 'CSV', rows: 2, columns: 2 }],
    format: { delimiter: ';', encoding: 'utf-16le', quote: '"' },
  })
  expect(await get(`/api/spreadsheets/${encodeURIComponent('Suppliers/none.xlsx')}`)).toMatchObject({
    status: 404,
    body: { message: 'There is no file ‘Suppliers/none.xlsx’.' },
  })
})

test('a sync task reads a file: saved, sampled, ready', async () => {
  const type = await aType(app.db, {})
  const body = {
    sync_task_type_id: type.id,
    name: 'From a file',
    source_ss_id: 'Suppliers/prices.xlsx',
    source_sheet_name: 'Prices',
    target_ss_id: 'the-target-spreadsheet-1',
    target_sheet_name: 'Shop',
  }
  const saved = (await ada.request('POST', '/api/sync_tasks', body)).json()
  expect(saved).toMatchObject({
    source_provider: 'files',
    source_ss_name: 'prices.xlsx',
    target_provider: 'google-sheets',
  })
  const ready = await get(`/api/sync_tasks/${saved.id}/check_readiness`)
  expect(ready.body.ready).toBe(true)
  expect(ready.body.message).toMatch(
    /^‘prices.xlsx’ has 1 row below its header \(changed .+, \d+ kB, open by ‘?Ada’?\)\.$/,
  )
  const sample = await ada.request('POST', '/api/sync_tasks/sample_rows', {
    source_type: 'sheet',
    source_ss_id: body.source_ss_id,
    source_sheet_name: 'Prices',
    source_compiler_config_id: null,
    start_row: 1,
    columns: null,
    include_new_columns: true,
    filter: null,
    sort_by: [],
    max_rows: null,
    extra_columns: [],
  })
  expect(sample.json()).toMatchObject({ header: ['SKU', 'Price'], first: [['007', 1.5]] })

  const moved = await ada.request('PUT', `/api/sync_tasks/${saved.id}`, {
    source_ss_id: 'a-google-spreadsheet-1',
    source_provider: 'google-sheets',
  })
  expect(moved.json()).toMatchObject({ source_provider: 'google-sheets', source_ss_name: '' })
})

test('the sample of a CSV source is read as the form says', async () => {
  const sampled = async (source_csv_delimiter: string | null) =>
    (
      await ada.request('POST', '/api/sync_tasks/sample_rows', {
        ...{ source_type: 'sheet', source_ss_id: 'Suppliers/stock.csv', source_sheet_name: 'CSV' },
        ...{ source_compiler_config_id: null, start_row: 1, columns: null, include_new_columns: true },
        ...{ filter: null, sort_by: [], max_rows: null, extra_columns: [], source_csv_delimiter },
      })
    ).json()
  expect(await sampled(null)).toMatchObject({ header: ['SKU', 'Stock'], first: [['007', '5']] })
  expect(await sampled(',')).toMatchObject({ header: ['SKU;Stock'], first: [['007;5']] })
})

test('a provider that is not the one of the id, and a path that is none are refused', async () => {
  const type = await aType(app.db, {})
  const body = {
    sync_task_type_id: type.id,
    name: 'Refused',
    source_ss_id: 'Suppliers/prices.xlsx',
    target_ss_id: 'the-target-spreadsheet-2',
    target_sheet_name: 'Shop',
  }
  for (const [wrong, field] of [
    [{ source_provider: 'google-sheets' }, 'source_provider'],
    [{ source_ss_id: 'Suppliers//prices.xlsx' }, 'source_ss_id'],
    [{ source_ss_id: 'C:\\prices/x.xlsx' }, 'source_ss_id'],
    [{ target_ss_id: 'Suppliers//prices.xlsx' }, 'target_ss_id'],
  ] as const) {
    const reply = await ada.request('POST', '/api/sync_tasks', { ...body, ...wrong })
    expect([reply.statusCode, reply.json().errors?.[0]?.field], field).toEqual([400, field])
  }
  const saved = (await ada.request('POST', '/api/sync_tasks', body)).json()
  const reply = await ada.request('PUT', `/api/sync_tasks/${saved.id}`, { source_provider: 'google-sheets' })
  expect([reply.statusCode, reply.json().field]).toEqual([400, 'source_provider'])
})

test('a source task of type sheet reads a file, whose first table needs no name', async () => {
  const reply = await ada.request('POST', '/api/source_tasks', {
    name: 'Stock of the supplier',
    source_type: 'sheet',
    spreadsheet_id: 'Suppliers/stock.csv',
  })
  expect([reply.statusCode, reply.json()]).toMatchObject([
    201,
    { source_provider: 'files', spreadsheet_name: 'stock.csv', sheet_name: '', warnings: [] },
  ])
  const missing = await ada.request('POST', '/api/source_tasks', {
    name: 'Of a file that is to come',
    source_type: 'sheet',
    spreadsheet_id: 'Suppliers/later.csv',
  })
  expect(missing.json().warnings).toEqual([
    expect.stringContaining('There is no file ‘Suppliers/later.csv’.'),
  ])
})
