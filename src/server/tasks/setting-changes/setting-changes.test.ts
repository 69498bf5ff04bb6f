import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import type { z } from 'zod'
import { type SignedIn, type TestApp, testApp } from '../../../../test/fixtures/app.ts'
import {
  aConfig,
  aSourceTask,
  aSpreadsheetId,
  aSyncTask,
  aType,
} from '../../../../test/fixtures/factories.ts'
import { uploadsTo } from '../../../../test/fixtures/uploads.ts'
import { settingChanges } from '../../../contract/setting-changes/calls.ts'

let site: TestApp
let ada: SignedIn
let bob: SignedIn

beforeAll(async () => {
  site = await testApp()
  ada = await site.signIn()
  bob = await site.signIn('bob@example.com')
})

type Page = z.output<typeof settingChanges.ofTask.reply>

async function historyOf(path: string, query = ''): Promise<Page> {
  const reply = await ada.request('GET', `${path}/changes${query}`)
  expect([reply.statusCode, reply.body]).toEqual([200, reply.body])
  return settingChanges.ofTask.reply.parse(reply.json())
}
const changesOf = async (task_id: number) => (await historyOf(`/api/tasks/${task_id}`)).changes
const inShort = ({ fields }: Page['changes'][number]) =>
  fields.map(({ label, before, after }) => `${label}: ${before} → ${after}`)
const update = (user: SignedIn, id: number, body: object) =>
  user.request('PUT', `/api/sync_tasks/${id}`, body)
const revert = (user: SignedIn, id: number, body: object) =>
  user.request('POST', `/api/sync_tasks/${id}/revert`, body)

test('the history says who changed which settings, in the words of the form', async () => {
  const type = await aType(site.db, { name: 'Other shops' })
  const former = await aType(site.db, { name: 'Shops' })
  const task = await aSyncTask(site.db, { name: 'Prices', task_type_id: former.id })
  expect(await changesOf(task.id)).toEqual([])
  await update(ada, task.id, { name: 'Prices', start_row: 4, scheduled_times: ['04:00', '05:00'] })
  await update(bob, task.id, { sync_task_type_id: type.id, is_active: false })
  const [second, first, ...rest] = await changesOf(task.id)
  expect(rest).toEqual([])
  expect(second).toMatchObject({ actor: 'bob@example.com', token: null, bulk: null, is_undo: false })
  expect(second && inShort(second).sort()).toEqual(['Active: yes → no', 'Task type: Shops → Other shops'])
  expect(first?.actor).toBe('ada@example.com')
  // The editor's account becomes that of the runs, since the start row decides what is copied.
  expect(first && inShort(first).sort()).toEqual([
    'Account of its runs: none → ada@example.com',
    'Scheduled times: none → 04:00, 05:00',
    'Start row: 1 → 4',
  ])
})

test('a spreadsheet that no task uses any more has its name in the history', async () => {
  const [former, next] = [aSpreadsheetId(), aSpreadsheetId()]
  const task = await aSyncTask(site.db, { definition: { target_ss_id: former } })
  const name = (target_ss_name: string) =>
    site.db.updateTable('sync_tasks').set({ target_ss_name }).where('task_id', '=', task.id).execute()
  await name('Old shop')
  await update(ada, task.id, { target_ss_id: next })
  await name('New shop')
  const [change] = await changesOf(task.id)
  expect(change && inShort(change)).toContain('Target spreadsheet: Old shop → New shop')
})

test('a save that changes nothing is not in the history', async () => {
  const task = await aSyncTask(site.db, { name: 'Same' })
  expect((await update(ada, task.id, { name: 'Same', start_row: 1 })).statusCode).toBe(200)
  expect(await changesOf(task.id)).toEqual([])
})

test('a revert restores the settings of one change by an edit, and is itself in the history', async () => {
  const task = await aSyncTask(site.db, { name: 'To and fro' })
  await update(ada, task.id, { name: 'Renamed', chunk_size: 500 })
  await update(ada, task.id, { start_row: 3 })
  const [, change] = await changesOf(task.id)
  const reply = await revert(bob, task.id, { change_id: change?.id })
  expect([reply.statusCode, reply.json()]).toMatchObject([200, { name: 'To and fro', start_row: 3 }])
  const [newest] = await changesOf(task.id)
  expect(newest).toMatchObject({ actor: 'bob@example.com', reverts: change?.at })
  expect(newest && inShort(newest)).toContain('Name: Renamed → To and fro')
})

test('a revert names the later change of the same setting, and overwrites it only if told to', async () => {
  const task = await aSyncTask(site.db, { name: 'First name' })
  await update(ada, task.id, { name: 'Second name' })
  await update(bob, task.id, { name: 'Third name' })
  const [, change] = await changesOf(task.id)
  const refused = await revert(ada, task.id, { change_id: change?.id })
  expect([refused.statusCode, refused.json()]).toMatchObject([
    409,
    {
      code: 'changed_since',
      message: expect.stringMatching(/^Name was changed again by bob@example\.com on /),
    },
  ])
  const done = await revert(ada, task.id, { change_id: change?.id, overwrite: true })
  expect(done.json()).toMatchObject({ name: 'First name' })
})

test('a revert takes the path of an edit: stale versions, taken names and live runs are refused', async () => {
  const type = await aType(site.db)
  const task = await aSyncTask(site.db, { name: 'Freed', task_type_id: type.id })
  const { updated_at } = (await ada.request('GET', `/api/sync_tasks/${task.id}`)).json()
  await update(ada, task.id, { name: 'Kept' })
  const [change] = await changesOf(task.id)
  const stale = await revert(ada, task.id, { change_id: change?.id, updated_at })
  expect(stale.json().code).toBe('stale_update')
  await aSyncTask(site.db, { name: 'Freed', task_type_id: type.id })
  const taken = await revert(ada, task.id, { change_id: change?.id })
  expect([taken.statusCode, taken.json()]).toMatchObject([409, { code: 'name_taken', field: 'name' }])
  expect((await changesOf(task.id)).length).toBe(1)
})

test('only changes of the task itself can be reverted, and accounts only by their owners', async () => {
  const task = await aSyncTask(site.db)
  const other = await aSyncTask(site.db)
  await update(ada, other.id, { name: 'Of the other' })
  const [change] = await changesOf(other.id)
  expect((await revert(ada, task.id, { change_id: change?.id })).statusCode).toBe(404)
  expect((await revert(ada, task.id, { change_id: 2_000_000_000 })).statusCode).toBe(404)
  const { updated_at } = (await ada.request('GET', `/api/sync_tasks/${task.id}`)).json()
  await ada.request('POST', `/api/sync_tasks/${task.id}/use_my_account`, { updated_at })
  const [account] = await changesOf(task.id)
  expect(account?.not_revertible).toContain('Only its owner')
  expect((await revert(bob, task.id, { change_id: account?.id })).json().code).toBe('change_not_revertible')
})

test('calls on many tasks, their undo and switches of all tasks show as such', async () => {
  const tasks = [await aSyncTask(site.db), await aSyncTask(site.db)]
  const ids = tasks.map(({ id }) => id)
  const reply = await ada.request('POST', '/api/tasks/bulk', {
    action: 'change_schedule',
    scheduled_times: ['06:00'],
    ids,
  })
  await ada.request('POST', `/api/tasks/bulk/${reply.json().bulk_id}/undo`)
  await bob.request('POST', '/api/sync_tasks/toggle_all_active', { target_state: false })
  for (const id of ids) {
    const changes = await changesOf(id)
    expect(changes.map(inShort)).toEqual([
      ['Active: yes → no'],
      ['Scheduled times: 06:00 → none'],
      ['Scheduled times: none → 06:00'],
    ])
    expect(changes).toMatchObject([
      { actor: 'bob@example.com' },
      { actor: 'ada@example.com', is_undo: true, bulk: 2 },
      { actor: 'ada@example.com', is_undo: false, bulk: 2 },
    ])
  }
})

test('an import names its file', async () => {
  const type = await aType(site.db, { name: 'Imported type' })
  const definition = { source_ss_id: aSpreadsheetId(), target_ss_id: aSpreadsheetId() }
  const task = await aSyncTask(site.db, { name: 'Imported', task_type_id: type.id, definition })
  const file = [
    'task_type,name,source_ss_id,source_sheet_name,target_ss_id,target_sheet_name',
    `Imported type,Imported,${definition.source_ss_id},Products,${definition.target_ss_id},Another tab`,
  ].join('\r\n')
  const reply = await uploadsTo('/api/sync_tasks/import', site, ada).upload(file, { filename: 'mine.csv' })
  expect([reply.statusCode, reply.body]).toEqual([200, reply.body])
  const [change] = await changesOf(task.id)
  expect(change).toMatchObject({ actor: 'ada@example.com', imported_from: 'mine.csv' })
  expect(change && inShort(change)).toContainEqual(
    expect.stringMatching(/^Target sheet name: .+ → Another tab$/),
  )
})

test('a change that a run makes has no author', async () => {
  const task = await aSyncTask(site.db, { definition: { source_sheet_name: 'Old tab' } })
  await site.db
    .updateTable('sync_tasks')
    .set({ source_sheet_name: 'New tab' })
    .where('task_id', '=', task.id)
    .execute()
  const [change] = await changesOf(task.id)
  expect(change?.actor).toBeNull()
  expect(change && inShort(change)).toEqual(['Source sheet name: Old tab → New tab'])
})

test('sources and merge settings of a configuration are in words and can be reverted', async () => {
  const [first, second] = [
    await aSourceTask(site.db, { name: 'Supplier A' }),
    await aSourceTask(site.db, { name: 'Supplier B' }),
  ]
  const { id, task_id } = (
    await ada.request('POST', '/api/compiler/configs', {
      name: 'Merged',
      source_task_ids: [first.id, second.id],
      master_source_id: first.id,
    })
  ).json()
  expect(await changesOf(task_id)).toEqual([])
  await ada.request('PUT', `/api/compiler/configs/${id}`, {
    source_task_ids: [second.id, first.id],
    master_source_id: second.id,
    field_groups: [['Cost', 'Price']],
    field_priorities: [{ field: 'Name', source_task_ids: [second.id, first.id] }],
  })
  const [change] = await changesOf(task_id)
  expect(change && inShort(change).sort()).toEqual([
    'Field priorities: none → Name: Supplier B > Supplier A',
    'Linked fields: none → Cost = Price',
    'Master: Supplier A → Supplier B',
    'Sources in order: Supplier A, Supplier B → Supplier B, Supplier A',
  ])
  const reverted = await ada.request('POST', `/api/compiler/configs/${id}/revert`, { change_id: change?.id })
  expect(reverted.json()).toMatchObject({
    source_task_ids: [first.id, second.id],
    master_source_id: first.id,
    field_groups: [],
    field_priorities: [],
  })
})

test('a source task is reverted like a sync task', async () => {
  const task = await aSourceTask(site.db, { name: 'Source' })
  await ada.request('PUT', `/api/source_tasks/${task.id}`, { description: 'Of the supplier', max_rows: 10 })
  const [change] = await changesOf(task.id)
  const reply = await ada.request('POST', `/api/source_tasks/${task.id}/revert`, { change_id: change?.id })
  expect([reply.statusCode, reply.json().description]).toEqual([200, ''])
})

test('the history of a type has its dependencies; its chunk size names the type’s editor for the tasks', async () => {
  const before = await aType(site.db, { name: 'Before it' })
  const { id } = (await ada.request('POST', '/api/sync_task_types', { name: 'With history' })).json()
  const task = await aSyncTask(site.db, { task_type_id: id })
  await bob.request('PUT', `/api/sync_task_types/${id}`, {
    chunk_size: 123,
    dependencies: [{ dependency_task_type_id: before.id, condition_type: 'success' }],
  })
  const [change] = (await historyOf(`/api/task_types/${id}`)).changes
  expect(change?.actor).toBe('bob@example.com')
  expect(change && inShort(change).sort()).toEqual([
    expect.stringMatching(/^Chunk size: [\d,]+ → 123$/),
    'Waits for: none → Before it after success',
  ])
  expect(await changesOf(task.id)).toMatchObject([{ actor: 'bob@example.com' }])
})

test('a change of a type is reverted with its dependencies and the chunk size of its tasks, in any category', async () => {
  const [first, second] = [await aType(site.db), await aType(site.db)]
  for (const path of ['/api/sync_task_types', '/api/source_task_types']) {
    const { id } = (await ada.request('POST', path, { name: 'Reverted', depends_on_id: first.id })).json()
    const { chunk_size } = (await ada.request('GET', `${path}/${id}`)).json()
    await bob.request('PUT', `${path}/${id}`, {
      chunk_size: 123,
      dependencies: [
        { dependency_task_type_id: second.id, condition_type: 'completion' },
        { dependency_task_type_id: first.id, condition_type: 'success' },
      ],
    })
    const add = path.includes('sync') ? aSyncTask : aSourceTask
    const task = await add(site.db, { task_type_id: id, chunk_size: 123 })
    const history = `/api/task_types/${id}`
    const [change] = (await historyOf(history)).changes
    const reply = await ada.request('POST', `${history}/revert`, { change_id: change?.id })
    expect([reply.statusCode, reply.json()]).toMatchObject([
      200,
      { chunk_size, updated_tasks_count: 1, dependencies: [{ dependency_task_type_id: first.id }] },
    ])
    expect((await historyOf(history)).changes[0]).toMatchObject({
      actor: 'ada@example.com',
      reverts: change?.at,
    })
    expect(await changesOf(task.id)).toMatchObject([{ actor: 'ada@example.com' }])
  }
})

test('a compiler type and its schedule are reverted by an edit: a later change, a cycle and a deleted type are refused', async () => {
  const path = '/api/unified_task_types'
  const add = async (name: string, body = {}): Promise<number> => {
    const config = await aConfig(site.db)
    const all = { name, task_category: 'compiler', compiler_config_id: config.id, ...body }
    const reply = await ada.request('POST', path, all)
    expect([reply.statusCode, reply.body]).toEqual([201, reply.body])
    return reply.json().id
  }
  const waited = await add('Waited for')
  const id = await add('Nightly compile', { depends_on_id: waited, cron_schedule: '0 2 * * *' })
  const edit = (user: SignedIn, of: number, body: object) => user.request('PUT', `${path}/${of}`, body)
  await edit(ada, id, { dependencies: [], cron_schedule: '0 3 * * *' })
  await edit(bob, id, { cron_schedule: '0 4 * * *' })
  const [, change] = (await historyOf(`/api/task_types/${id}`)).changes
  const back = (body: object, of = id) => ada.request('POST', `/api/task_types/${of}/revert`, body)
  expect((await back({ change_id: change?.id })).json()).toMatchObject({
    code: 'changed_since',
    message: expect.stringMatching(/^Schedule was changed again by bob@example\.com on /),
  })
  await edit(ada, waited, { depends_on_id: id })
  const cycle = await back({ change_id: change?.id, overwrite: true })
  expect([cycle.statusCode, cycle.json().code]).toEqual([409, 'circular_dependency'])
  await edit(ada, waited, { depends_on_id: null })
  expect((await back({ change_id: change?.id }, waited)).statusCode).toBe(404)
  expect((await back({ change_id: change?.id, overwrite: true })).json()).toMatchObject({
    cron_schedule: '0 2 * * *',
    dependencies: [{ dependency_task_type_id: waited }],
  })
  await edit(ada, id, { dependencies: [] })
  const [newest] = (await historyOf(`/api/task_types/${id}`)).changes
  await ada.request('DELETE', `${path}/${waited}`)
  const gone = await back({ change_id: newest?.id })
  expect([gone.statusCode, gone.json().code]).toEqual([gone.statusCode, 'dependency_gone'])
  expect((await back({ change_id: 1 }, 2_000_000_000)).statusCode).toBe(404)
})

test('nothing of a connection is in the history', async () => {
  const count = async () =>
    (await sql<{ n: number }>`select count(*)::int as n from setting_changes`.execute(site.db)).rows
  const before = await count()
  await ada.request('POST', '/api/allowed_hosts', { host: 'api.example.com' })
  const { id } = (
    await ada.request('POST', '/api/connections', {
      name: 'Secretive',
      settings: { kind: 'api', url: 'https://api.example.com/rows' },
    })
  ).json()
  expect((await ada.request('PUT', `/api/connections/${id}`, { name: 'Renamed' })).statusCode).toBe(200)
  expect(await count()).toEqual(before)
})

test('the history is paged, and ends with its task', async () => {
  const task = await aSyncTask(site.db)
  for (let row = 2; row <= 6; row += 1) await update(ada, task.id, { start_row: row })
  const path = `/api/tasks/${task.id}`
  const first = await historyOf(path, '?limit=3')
  const second = await historyOf(path, `?limit=3&cursor=${first.next}`)
  expect([first.changes.length, second.changes.length, second.next]).toEqual([3, 2, null])
  expect(new Set([...first.changes, ...second.changes].map(({ id }) => id)).size).toBe(5)
  await ada.request('DELETE', `/api/sync_tasks/${task.id}`)
  expect((await ada.request('GET', `${path}/changes`)).statusCode).toBe(404)
})
