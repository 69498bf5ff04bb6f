import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test, vi } from 'vitest'
import { type SignedIn, type TestApp, testApp } from '../../../../test/fixtures/app.ts'
import { aType } from '../../../../test/fixtures/factories.ts'
import { targetContext } from '../../../../test/fixtures/file-target.ts'
import { testFolder } from '../../../../test/fixtures/folders.ts'
import { sourceTasksOf } from '../../../../test/fixtures/source-tasks.ts'
import { refuseFolder } from '../../connectors/files/limited-folders.ts'
import { createFindFile, filesProvider } from '../../connectors/files/provider.ts'

// Each read starts a process.
vi.setConfig({ testTimeout: 120_000 })

let site: TestApp
let ada: SignedIn
let bob: SignedIn
let ids: Map<string, number>
const LIMITED =
  'The folder ‘Suppliers’ is limited to some people. An administrator can add others in the settings.'

beforeAll(async () => {
  const [path, open] = [await testFolder(), await testFolder()]
  await writeFile(join(path, 'prices.csv'), 'SKU,Price\n1,2\n')
  const env = { FILES_FOLDERS: `Suppliers=${path}:rw,Open=${open}`, ADMIN_EMAILS: 'ada@example.com' }
  site = await testApp({ env })
  ada = await site.signIn('ada@example.com')
  bob = await site.signIn('bob@example.com')
  const people = await site.db.selectFrom('users').select(['id', 'email']).execute()
  ids = new Map(people.map(({ id, email }) => [email, id]))
  const reply = await limit([ids.get('ada@example.com') ?? 0])
  expect([reply.statusCode, reply.json()]).toEqual([
    200,
    { name: 'Suppliers', is_writable: true, people: [{ id: ids.get(ada.email), email: ada.email }] },
  ])
})

const limit = (user_ids: number[] | null, person = ada, name = 'Suppliers') =>
  person.request('PUT', `/api/folders/${name}`, { user_ids })
const file = { spreadsheet_id: 'Suppliers/prices.csv', sheet_name: '' }

test('only these people see the folder and its files', async () => {
  const rootsOf = async (person: SignedIn) =>
    (await person.request('GET', '/api/files')).json().entries.map(({ name }: { name: string }) => name)
  expect([await rootsOf(ada), await rootsOf(bob)]).toEqual([['Suppliers', 'Open'], ['Open']])
  for (const url of ['/api/files?path=Suppliers', '/api/spreadsheets/Suppliers%2Fprices.csv']) {
    expect((await ada.request('GET', url)).statusCode).toBe(200)
    const refused = await bob.request('GET', url)
    expect([refused.statusCode, refused.json().message]).toEqual([403, LIMITED])
  }
})

test('others cannot save a task that reads it', async () => {
  const saved = await sourceTasksOf(ada).add(file)
  expect(saved.warnings).toEqual([])
  const theirs = await sourceTasksOf(bob).add()
  for (const [status, body] of [
    await sourceTasksOf(bob).post({ name: 'Theirs', source_type: 'sheet', ...file }),
    await sourceTasksOf(bob).put(theirs.id, file),
  ])
    expect([status, body.message]).toEqual([403, LIMITED])
  const { id: sync_task_type_id } = await aType(site.db, {})
  const sync = await bob.request('POST', '/api/sync_tasks', {
    sync_task_type_id,
    name: 'Theirs',
    source_ss_id: file.spreadsheet_id,
    target_ss_id: 'the-target-spreadsheet-1',
    target_sheet_name: 'Shop',
  })
  expect([sync.statusCode, sync.json().message]).toEqual([403, LIMITED])
})

test('a run reads it in the name of these people only', async () => {
  const folders = site.config.filesFolders
  const provider = filesProvider({ folders, find: createFindFile(site.db, folders) })
  const open = (user_id: number | null) => {
    const reference = { provider: 'files', ...file, place: null, start_row: 1 }
    return provider.openSource(reference, {
      ...{ signal: AbortSignal.timeout(60_000), chunk_size: 10, max_rows: 10, user_id },
      beforeRequest: async () => {},
      onRetry: async () => {},
      onWait: () => () => {},
      google: () => Promise.reject(new Error('not asked')),
    })
  }
  expect((await open(ids.get(ada.email) ?? null)).title).toBe('‘CSV’ in ‘prices.csv’')
  for (const user of [ids.get(bob.email) ?? null, null]) await expect(open(user)).rejects.toThrow(LIMITED)
})

test('others cannot save or run a task that writes into it, nor look at a target there', async () => {
  const { id: sync_task_type_id } = await aType(site.db, {})
  const task = {
    ...{ sync_task_type_id, name: 'Into their folder', source_ss_id: 'the-source-spreadsheet-1' },
    ...{ target_ss_id: 'Suppliers/new.csv', target_sheet_name: 'CSV' },
  }
  const refused = await bob.request('POST', '/api/sync_tasks', task)
  expect([refused.statusCode, refused.json().message]).toEqual([403, LIMITED])
  expect((await ada.request('POST', '/api/sync_tasks', task)).statusCode).toBe(201)
  const target = '/api/spreadsheets/Suppliers%2Fnew.csv?role=target'
  expect([
    (await ada.request('GET', target)).statusCode,
    (await bob.request('GET', target)).statusCode,
  ]).toEqual([200, 403])
  const folders = site.config.filesFolders
  const refuse = (path: string, user_id: number | null) => refuseFolder(site.db, path, user_id)
  const provider = filesProvider({ folders, find: createFindFile(site.db, folders), refuse })
  const open = (user_id: number | null) =>
    provider.openTarget(
      {
        provider: 'files',
        spreadsheet_id: 'Suppliers/new.csv',
        sheet_name: 'CSV',
        place: null,
        start_row: 1,
      },
      { ...targetContext(1), user_id, google: () => Promise.reject(new Error('not asked')) },
    )
  expect((await open(ids.get(ada.email) ?? null)).title).toContain('new.csv')
  for (const user of [ids.get(bob.email) ?? null, null]) await expect(open(user)).rejects.toThrow(LIMITED)
})

test('only administrators limit folders; a folder or user that does not exist is refused; each change is in the audit log', async () => {
  expect((await limit(null, bob)).statusCode).toBe(403)
  expect((await limit([1], ada, 'Other')).statusCode).toBe(404)
  const refused = await limit([999_999])
  expect([refused.statusCode, refused.json().field]).toEqual([404, 'user_ids'])
  expect((await limit([])).statusCode).toBe(400)
  const log = await site.db
    .selectFrom('audit_log')
    .select(['actor', 'action', 'details'])
    .where('object_type', '=', 'folder')
    .execute()
  expect(log).toEqual([
    {
      actor: ada.email,
      action: 'limit',
      details: { folder: 'Suppliers', user_ids: [ids.get(ada.email)] },
    },
  ])
  expect((await limit(null)).json().people).toBe(null)
  expect((await bob.request('GET', '/api/files?path=Suppliers')).statusCode).toBe(200)
})
