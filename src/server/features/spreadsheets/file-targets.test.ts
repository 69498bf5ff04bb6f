import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test, vi } from 'vitest'
import { type SignedIn, type TestApp, testApp } from '../../../../test/fixtures/app.ts'
import { aSyncTaskBody, aType } from '../../../../test/fixtures/factories.ts'
import { testFolder } from '../../../../test/fixtures/folders.ts'
import { packed, workbookParts } from '../../../../test/fixtures/workbooks.ts'

// Each read starts a process.
vi.setConfig({ testTimeout: 120_000 })

let app: TestApp
let ada: SignedIn
let out: string

beforeAll(async () => {
  out = await testFolder()
  await mkdir(join(out, '2026'))
  await packed(out, workbookParts({ tabs: { Shop: '' } }), 'shop.xlsx')
  await writeFile(join(out, 'old.xls'), 'x')
  await writeFile(join(out, '.~lock.shop.xlsx#'), 'Grace,grace,desk,28.11.2026 02:00,file:///x;')
  await writeFile(join(out, '.rowferry-lock-0123456789abcdef'), '{}')
  app = await testApp({ env: { FILES_FOLDERS: `Out=${out}:rw,In=${await testFolder()}` } })
  ada = await app.signIn('ada@example.com')
})

async function get(url: string) {
  const reply = await ada.request('GET', url)
  return { status: reply.statusCode, body: reply.json() }
}
const target = (path: string) => get(`/api/spreadsheets/${encodeURIComponent(path)}?role=target`)

test('folders and files say whether runs can write them; files of runs and of open programs are not listed', async () => {
  const roots = (await get('/api/files')).body.entries
  expect(roots.map(({ path, writable }: { path: string; writable: boolean }) => [path, writable])).toEqual([
    ['Out', true],
    ['In', false],
  ])
  const { entries } = (await get('/api/files?path=Out')).body
  expect(entries.map(({ path, writable }: { path: string; writable: boolean }) => [path, writable])).toEqual([
    ['Out/2026', true],
    ['Out/old.xls', false],
    ['Out/shop.xlsx', true],
  ])
})

test('a target that exists says its age, its size and who has it open', async () => {
  const { body } = await target('Out/shop.xlsx')
  expect(body.tabs).toMatchObject([{ title: 'Shop' }])
  expect(body.state).toMatch(
    /^The target ‘shop\.xlsx’ can be written \(changed [^,]+, \d+ kB, open by ‘?Grace, desk’?\)\.$/,
  )
})

test('a target that does not exist will be created; a CSV file has its only table', async () => {
  expect((await target('Out/2026/new.xlsx')).body).toMatchObject({ is_new: true, name: 'new.xlsx', tabs: [] })
  expect((await target('Out/new.csv')).body).toMatchObject({ is_new: true, tabs: [{ title: 'CSV' }] })
})

test.each([
  ['In/new.xlsx', /‘In’ can be read but not written. FILES_FOLDERS/],
  ['Out/none/new.xlsx', /its folder does not exist/],
  ['Out/new.ods', /ends with \.xlsx, \.csv or \.tsv/],
  ['Out/*.xlsx', /A target is one file/],
])('%s is refused as a target', async (path, message) => {
  const { status, body } = await target(path)
  expect([400, 404]).toContain(status)
  expect(body.message).toMatch(message)
})

async function created(fields: object) {
  const { id } = await aType(app.db)
  return ada.request('POST', '/api/sync_tasks', aSyncTaskBody(id, fields))
}

test('a task that writes a file is kept without a warning, with how a CSV file is written', async () => {
  const csv = { target_csv_delimiter: ';', target_csv_encoding: 'utf-8-bom' }
  const reply = await created({ target_ss_id: 'Out/new.csv', target_sheet_name: 'CSV', ...csv })
  expect(reply.statusCode, reply.body).toBe(201)
  expect(reply.json()).toMatchObject({ target_provider: 'files', target_ss_name: 'new.csv', ...csv })
  expect(JSON.stringify(reply.json().warnings ?? [])).not.toContain('target spreadsheet')
  await expect(readFile(join(out, 'new.csv'))).rejects.toThrow('ENOENT')
})

test.each([
  [{ target_sheet_name: 'Shop' }, 'target_sheet_name', /whose only table is called CSV/],
  [{ target_sheet_name: 'CSV', split_by: 'Country' }, 'split_by', /which has no tabs/],
  [{ target_sheet_name: 'CSV', target_csv_delimiter: ':' }, 'target_csv_delimiter', /./],
])('a CSV file has one table: %j', async (fields, field, message) => {
  const reply = await created({ target_ss_id: 'Out/prices.csv', ...fields })
  expect([reply.statusCode, reply.json().field]).toEqual([400, field])
  expect(reply.json().message).toMatch(message)
})
