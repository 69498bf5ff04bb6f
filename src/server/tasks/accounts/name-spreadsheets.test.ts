import { sql } from 'kysely'
import pino from 'pino'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { control } from '../../../../test/fakes/sandbox.ts'
import { type SignedIn, type TestApp, testApp } from '../../../../test/fixtures/app.ts'
import { databaseBefore } from '../../../../test/fixtures/earlier-database.ts'
import { aType } from '../../../../test/fixtures/factories.ts'
import { namedSpreadsheets } from '../../../../test/fixtures/named-spreadsheets.ts'
import { sourceTasksOf } from '../../../../test/fixtures/source-tasks.ts'
import { uploadsTo } from '../../../../test/fixtures/uploads.ts'
import { syncTasks as calls } from '../../../contract/sync-tasks/calls.ts'
import { createPool } from '../../platform/db.ts'
import { listenForEvents, type Notice } from '../../platform/notify.ts'
import { createServices, type Services } from '../../services.ts'
import { nameSpreadsheets } from './name-spreadsheets.ts'

let app: TestApp
let services: Services
let ada: SignedIn
let ben: SignedIn
let spreadsheets: ReturnType<typeof namedSpreadsheets>
/** Of Google Drive. */
let requested: string[]

beforeAll(async () => {
  app = await testApp()
  spreadsheets = namedSpreadsheets(app)
  const { config, db, keys } = app
  const pool = createPool({ url: app.database.url })
  services = createServices({ config, db, pool, keys, log: pino({ level: 'silent' }) })
  app.sandbox.app.server.on('request', ({ url = '' }) => {
    if (url.startsWith('/drive/')) requested.push(url)
  })
  return () => pool.end()
})

beforeEach(async () => {
  requested = []
  ada = await app.signIn('ada@example.com')
  ben = await app.signIn('ben@example.com')
  await app.db.updateTable('sync_tasks').set({ names_due_at: null }).execute()
  await app.db.updateTable('source_tasks').set({ names_due_at: null }).execute()
})

/** Names of source and target of a type's tasks, as the list shows them. */
async function listed(type: string) {
  const { syncTasks } = calls.list.reply.parse((await ada.request('GET', '/api/sync_tasks')).json())
  return syncTasks
    .filter(({ task_type }) => task_type.name === type)
    .map(({ source_ss_name, target_ss_name }) => [source_ss_name, target_ss_name])
}

// As if a minute had passed.
const later = () =>
  app.db
    .updateTable('sync_tasks')
    .set({ names_due_at: new Date(0) })
    .where('names_due_at', 'is not', null)
    .execute()

test('after an import, names are looked up in the background with few requests for many tasks, and the list is notified', async () => {
  const { name: type } = await aType(app.db)
  const ids = await Promise.all(Array.from({ length: 60 }, (_, at) => spreadsheets.called(`Book ${at}`)))
  const next = (at: number) => (at + 1) % ids.length
  await spreadsheets.imported(
    ada,
    type,
    ids.map((id, at) => [id, ids[next(at)] ?? '']),
  )
  expect(requested).toEqual([])
  expect(new Set((await listed(type)).flat())).toEqual(new Set(['']))
  const notices: Notice[] = []
  // The app has a connection open that hears at once.
  const subscription = listenForEvents(app.database.url, (notice) => notices.push(notice))
  await services.nameSpreadsheets()
  expect(await listed(type)).toEqual(ids.map((_, at) => [`Book ${at}`, `Book ${next(at)}`]))
  expect(requested).toHaveLength(1)
  await services.nameSpreadsheets()
  expect(requested).toHaveLength(1)
  expect(await spreadsheets.requests()).toBe(0)
  await expect
    .poll(() => notices.flatMap((notice) => ('task_ids' in notice ? notice.task_ids : [])))
    .toHaveLength(60)
  await subscription.close()
})

test('names are looked up with the account of each task: if it cannot open the spreadsheet, the name stays blank until the task is edited', async () => {
  const { name: type } = await aType(app.db)
  const [own, private_one] = [
    await spreadsheets.called('Own'),
    await spreadsheets.called('Private', 'ben@example.com'),
  ]
  await spreadsheets.imported(ada, type, [[own, private_one]])
  await services.nameSpreadsheets()
  expect(await listed(type)).toEqual([['Own', '']])
  requested = []
  await later()
  await services.nameSpreadsheets()
  expect(requested).toEqual([])
  const { id } = await app.db
    .selectFrom('sync_tasks')
    .select('task_id as id')
    .where('target_ss_id', '=', private_one)
    .executeTakeFirstOrThrow()
  // These accounts are not used by an import that changes only a name.
  await ben.request('PUT', `/api/sync_tasks/${id}`, { target_sheet_name: 'Other' })
  await app.db.updateTable('sync_tasks').set({ target_ss_name: '' }).where('task_id', '=', id).execute()
  await services.nameSpreadsheets()
  expect(await listed(type)).toEqual([['Own', 'Private']])
})

test('names of source tasks’ spreadsheets are looked up, too: a failed one is not requested again until the task gets another spreadsheet', async () => {
  const [own, private_one] = [
    await spreadsheets.called('Own master'),
    await spreadsheets.called('Private master', 'ben@example.com'),
  ]
  const rows = [own, private_one].map((id, at) => `,Fetched ${at},sheet,${id},Products\n`)
  const header = 'source_task_type_name,name,source_type,spreadsheet_id,sheet_name\n'
  const { created } = await uploadsTo('/api/source_tasks/import_csv', app, ada).imported(
    header + rows.join(''),
  )
  expect(created).toBe(2)
  const tasks = sourceTasksOf(ada)
  const names = async () =>
    (await tasks.list('?search=Fetched')).map(({ spreadsheet_name }) => spreadsheet_name)
  expect(await names()).toEqual(['', ''])
  await services.nameSpreadsheets()
  expect(await names()).toEqual(['Own master', ''])
  requested = []
  await app.db
    .updateTable('source_tasks')
    .set({ names_due_at: new Date(0) })
    .where('names_due_at', 'is not', null)
    .execute()
  await services.nameSpreadsheets()
  expect(requested).toEqual([])
  const [, other] = await tasks.list('?search=Fetched')
  await sourceTasksOf(ben).change(other?.id ?? 0, { sheet_name: 'Other' })
  await app.db.updateTable('source_tasks').set({ spreadsheet_name: '' }).execute()
  await services.nameSpreadsheets()
  expect((await names())[1]).toBe('Private master')
})

test('names are looked up although one account fails; missing names are requested again by any process', async () => {
  const { name: type } = await aType(app.db)
  const of_ada = await spreadsheets.called('Of Ada')
  const of_ben = await spreadsheets.called('Of Ben', 'ben@example.com')
  await spreadsheets.imported(ada, type, [[of_ada, of_ada]])
  await spreadsheets.imported(ben, (await aType(app.db, { name: `${type} Ben` })).name, [[of_ben, of_ben]])
  const match = { account: 'ada@example.com' }
  await control(app.sandbox.root, 'PUT', 'faults', { faults: [{ kind: '503', match }] })
  await services.nameSpreadsheets()
  expect([await listed(type), await listed(`${type} Ben`)]).toEqual([[['', '']], [['Of Ben', 'Of Ben']]])
  await control(app.sandbox.root, 'POST', 'reset')
  requested = []
  await services.nameSpreadsheets()
  expect(requested).toEqual([])
  await later()
  await services.nameSpreadsheets()
  expect(await listed(type)).toEqual([['Of Ada', 'Of Ada']])
})

test('0043: older source tasks without a spreadsheet name are looked up and otherwise unchanged', async () => {
  const { db, upgradeAll } = await databaseBefore(43)
  await sql`insert into tasks (category, name, sort_order) values ('source', 'Imported', 1)`.execute(db)
  await sql`insert into source_tasks (task_id, source_type, spreadsheet_id, sheet_name)
    select id, 'sheet', 'a-spreadsheet-of-before', 'Products' from tasks`.execute(db)
  await upgradeAll()
  const asked: string[] = []
  await nameSpreadsheets(db, async ({ spreadsheet_ids }, onNames) => {
    asked.push(...spreadsheet_ids)
    await onNames(new Map([['a-spreadsheet-of-before', 'Catalogue']]))
    return true
  })
  expect(asked).toEqual(['a-spreadsheet-of-before'])
  expect(await db.selectFrom('source_tasks').selectAll().executeTakeFirstOrThrow()).toMatchObject({
    spreadsheet_name: 'Catalogue',
    sheet_name: 'Products',
    names_due_at: null,
  })
})
