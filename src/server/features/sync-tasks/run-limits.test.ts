import { beforeAll, expect, test } from 'vitest'
import { type SignedIn, type TestApp, testApp } from '../../../../test/fixtures/app.ts'
import { aSyncTask, aSyncTaskBody, aType } from '../../../../test/fixtures/factories.ts'
import { uploadsTo } from '../../../../test/fixtures/uploads.ts'
import { LimitDefaults, type RunLimits, runLimits } from '../../../contract/run-limits/calls.ts'
import { SyncTaskDetail } from '../../../contract/sync-tasks/calls.ts'

let site: TestApp
let ada: SignedIn
beforeAll(async () => {
  site = await testApp()
  ada = await site.signIn()
})

const update = (id: number, limits: RunLimits) => ada.request('PUT', `/api/sync_tasks/${id}`, { limits })
const limitsOf = async (id: number) =>
  SyncTaskDetail.parse((await ada.request('GET', `/api/sync_tasks/${id}`)).json()).limits

test('limits are set and reset one by one; the others keep their values', async () => {
  const { id: type } = await aType(site.db)
  const limits = { removed_percent: 10, required_columns: [' SKU\n(EU) ', 'Price'], unique_column: null }
  const added = await ada.request('POST', '/api/sync_tasks', aSyncTaskBody(type, { limits }))
  expect(added.statusCode, added.body).toBe(201)
  const { id } = added.json()
  expect(await limitsOf(id)).toEqual({ removed_percent: 10, required_columns: ['SKU (EU)', 'Price'] })
  await update(id, { emptied_percent: 0, required_columns: [] })
  expect(await limitsOf(id)).toEqual({ removed_percent: 10, emptied_percent: 0 })
  await update(id, { removed_percent: null })
  expect(await limitsOf(id)).toEqual({ emptied_percent: 0 })
})

test.each([
  [{ removed_percent: 101 }, 'limits.removed_percent', 'Must be a whole number from 0 to 100'],
  [{ from_rows: 0 }, 'limits.from_rows', 'Must be a whole number from 1 to 10,000,000'],
  [{ changed_cells: 1.5 }, 'limits.changed_cells', 'Must be a whole number from 0 to 10,000,000'],
  [{ filled_columns: [' '] }, 'limits.filled_columns.0', 'A column name must not be blank'],
])('%j is refused by name', async (limits, field, message) => {
  const { id } = await aSyncTask(site.db)
  const reply = await ada.request('PUT', `/api/sync_tasks/${id}`, { limits })
  expect([reply.statusCode, reply.json().field, reply.json().message]).toEqual([400, field, message])
})

test('changed limits are in the history of settings, and a revert restores them as a whole', async () => {
  const { id } = await aSyncTask(site.db)
  await update(id, { removed_percent: 10 })
  await update(id, { changed_cells: 5, unique_column: 'SKU' })
  const changes = (await ada.request('GET', `/api/tasks/${id}/changes`)).json().changes
  expect(changes[0].fields).toMatchObject([
    {
      label: 'Limits',
      before: 'Rows removed (%): 10',
      after: 'Rows removed (%): 10; Cells changed: 5; Column without a repeated value: SKU',
    },
  ])
  const reply = await ada.request('POST', `/api/sync_tasks/${id}/revert`, { change_id: changes[0].id })
  expect(reply.statusCode, reply.body).toBe(200)
  expect(await limitsOf(id)).toEqual({ removed_percent: 10 })
})

test('an exported file changes no limits, and a changed cell changes one', async () => {
  const { id, name } = await aType(site.db, { name: 'Limited' })
  const body = aSyncTaskBody(id, {
    limits: {
      removed_percent: 0,
      changed_cells: 1000,
      required_columns: ['SKU', 'Price, EUR'],
      filled_columns: ['SKU'],
      unique_column: 'SKU',
    },
  })
  const added = (await ada.request('POST', '/api/sync_tasks', body)).json()
  const uploads = uploadsTo('/api/sync_tasks/import', site, ada)
  const { body: file } = await ada.request('POST', '/api/sync_tasks/export', { ids: [added.id] })
  expect(await uploads.imported(file)).toMatchObject({ unchanged: 1, updated: 0, failed: 0 })
  const only = (columns: string, cells: string) =>
    `task_type,name,target_ss_id,target_sheet_name,${columns}\r\n${name},${body.name},${body.target_ss_id},${body.target_sheet_name},${cells}\r\n`
  expect(await uploads.imported(only('limit_changed_cells,limit_removed_percent', ',25'))).toMatchObject({
    updated: 1,
  })
  expect(await limitsOf(added.id)).toEqual({
    removed_percent: 25,
    required_columns: ['SKU', 'Price, EUR'],
    filled_columns: ['SKU'],
    unique_column: 'SKU',
  })
  const refused = await uploads.imported(only('limit_from_rows', 'many'))
  expect(refused).toMatchObject({ failed: 1, errors: [{ field: 'limit_from_rows' }] })
})

test('the defaults are those of the installation until they are changed; of two editors at once, one is refused', async () => {
  const read = async () =>
    runLimits.defaults.reply.parse((await ada.request('GET', '/api/run_limits')).json())
  expect(await read()).toEqual({ ...LimitDefaults.parse({}), updated_at: null })
  const limits = { removed_percent: 5, emptied_percent: 100, from_rows: 1, changed_cells: 10 }
  const save = (updated_at: string | null) =>
    ada.request('PUT', '/api/run_limits', { ...limits, updated_at }).then(({ statusCode }) => statusCode)
  expect((await Promise.all([save(null), save(null)])).toSorted()).toEqual([200, 409])
  const { updated_at, ...saved } = await read()
  expect(saved).toEqual(limits)
  expect(await save(updated_at)).toBe(200)
  expect(await save(updated_at)).toBe(409)
  const entry = await site.db
    .selectFrom('audit_log')
    .select(['actor', 'details'])
    .where('action', '=', 'change_limits')
    .executeTakeFirst()
  expect(entry).toEqual({ actor: 'ada@example.com', details: limits })
})
