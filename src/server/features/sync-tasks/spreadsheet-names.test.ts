import pino from 'pino'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type SignedIn, type TestApp, testApp } from '../../../../test/app.ts'
import { aConfig, aSyncTask, aSyncTaskBody, aType, aUser } from '../../../../test/factories.ts'
import { accessToken, control } from '../../../../test/sandbox.ts'
import { syncTasks as calls, SavedSyncTask } from '../../../contract/sync-tasks.ts'
import { createPool } from '../../platform/db.ts'
import { listenForEvents, type Notice } from '../../platform/notify.ts'
import { createServices, type Services } from '../../services.ts'

let app: TestApp
let ada: SignedIn
let type_id: number

beforeAll(async () => {
  app = await testApp()
  ada = await app.signIn('ada@example.com')
  type_id = (await aType(app.db)).id
})

/** A spreadsheet of that name in somebody's Drive; returns its id. */
async function called(title: string, owner = 'ada@example.com'): Promise<string> {
  const reply = await fetch(`${app.sandbox.root}/v4/spreadsheets`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${await accessToken(app.sandbox.root, owner)}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ properties: { title } }),
  })
  return z.object({ spreadsheetId: z.string() }).parse(await reply.json()).spreadsheetId
}

async function saved(method: 'POST' | 'PUT', path: string, body: object) {
  const reply = await ada.request(method, path, body)
  expect(reply.json()).not.toHaveProperty('error')
  const { id, source_ss_name, target_ss_name, warnings } = SavedSyncTask.parse(reply.json())
  return { id, names: [source_ss_name, target_ss_name], warnings }
}

const add = (fields: object) => saved('POST', '/api/sync_tasks', aSyncTaskBody(type_id, fields))
const edit = (id: number, fields: object) => saved('PUT', `/api/sync_tasks/${id}`, fields)

/** How often Rowferry asked Sheets, whose quota the runs need. */
async function requests(): Promise<number> {
  const ledger = z.object({ entries: z.array(z.object({ user_agent: z.string() })) })
  const { entries } = ledger.parse(await control(app.sandbox.root, 'GET', 'ledger'))
  return entries.filter(({ user_agent }) => user_agent.includes('rowferry')).length
}

/** Imports tasks of the type with these spreadsheets, as somebody. */
async function imported(type: string, spreadsheets: [source: string, target: string][], by = ada) {
  const rows = spreadsheets.map(([source, target], at) => `${type},Import ${at},${source},${target},Sheet\n`)
  const form = new FormData()
  const csv = `task_type,name,source_ss_id,target_ss_id,target_sheet_name\n${rows.join('')}`
  form.append('file', new Blob([csv], { type: 'text/csv' }), 'tasks.csv')
  const body = new Response(form)
  const reply = await app.app.inject({
    method: 'POST',
    url: '/api/sync_tasks/import',
    headers: { ...by.headers, 'content-type': body.headers.get('content-type') ?? '' },
    payload: Buffer.from(await body.arrayBuffer()),
  })
  expect(reply.json()).toMatchObject({ status: 'success' })
}

test('a new task knows what its spreadsheets are called, and so does one that is pointed at others; the quota of the runs is spared', async () => {
  const source_ss_id = await called('Master')
  const { id, names } = await add({ source_ss_id, target_ss_id: await called('Shop') })
  expect(names).toEqual(['Master', 'Shop'])
  expect((await edit(id, { target_ss_id: await called('Outlet') })).names).toEqual(['Master', 'Outlet'])
  expect((await edit(id, { start_row: 2 })).names).toEqual(['Master', 'Outlet'])
  expect(await requests()).toBe(0)
})

test('a name that the task lacks is found out with its next edit', async () => {
  const source_ss_id = await called('Late')
  const task = await aSyncTask(app.db, { task_type_id: type_id, definition: { source_ss_id } })
  expect((await edit(task.id, { start_row: 2 })).names).toEqual(['Late', ''])
})

test('a colleague who shares an account is asked, too, where the task names it', async () => {
  await app.signIn('grace@example.com')
  await app.db
    .updateTable('users')
    .set({ shares_grant: true })
    .where('email', '=', 'grace@example.com')
    .execute()
  const source_ss_id = await called('Private of Grace', 'grace@example.com')
  expect((await add({ source_ss_id })).names).toEqual(['', ''])
  const relevant_user_accounts = ['grace@example.com']
  const own = await called('Own')
  expect((await add({ source_ss_id, target_ss_id: own, relevant_user_accounts })).names).toEqual([
    'Private of Grace',
    'Own',
  ])
})

test('a spreadsheet that Google does not name is called what another task knows', async () => {
  const definition = { source_ss_id: 'known-to-another-task', source_ss_name: 'Known already' }
  await aSyncTask(app.db, { definition })
  const { names } = await add({ target_ss_id: definition.source_ss_id })
  expect(names).toEqual(['', 'Known already'])
})

test('imported tasks take the names that other tasks know', async () => {
  const { name: type } = await aType(app.db, { name: 'Imported' })
  const definition = { target_ss_id: 'known-before-the-import', target_ss_name: 'Known before' }
  await aSyncTask(app.db, { definition })
  await imported(type, [['known-before-the-import', 'nobody-knows-this-one']])
  const names = await app.db
    .selectFrom('sync_tasks')
    .select(['source_ss_name', 'target_ss_name'])
    .where('target_ss_id', '=', 'nobody-knows-this-one')
    .execute()
  expect(names).toEqual([{ source_ss_name: 'Known before', target_ss_name: '' }])
})

test('a save does not fail when Google is away or nobody has access: the names stay blank', async () => {
  const source_ss_id = await called('Unreachable')
  await control(app.sandbox.root, 'PUT', 'faults', { faults: [{ kind: '503' }] })
  const away = await add({ source_ss_id })
  await control(app.sandbox.root, 'POST', 'reset')
  expect(away).toMatchObject({ names: ['', ''], warnings: [] })

  const { id } = await aUser(app.db)
  const task = await aSyncTask(app.db, { account_user_id: id })
  await app.db.updateTable('grants').set({ revoked_at: new Date() }).execute()
  expect((await edit(task.id, { source_ss_id })).names).toEqual(['', ''])
})

describe('a save warns at once when a spreadsheet cannot be opened', () => {
  const closed = (which: string, email = 'ada@example.com') =>
    `Saved, but the ${which} spreadsheet cannot be opened: There is no spreadsheet with this id, or it is not shared with ${email}.`

  beforeAll(async () => {
    ada = await app.signIn('ada@example.com')
  })

  test('by the person who adds the task, or one of them, or both', async () => {
    const [own, private_one] = [await called('Own'), await called('Private', 'eve@example.com')]
    expect((await add({ source_ss_id: own, target_ss_id: await called('Target') })).warnings).toEqual([])
    expect((await add({ source_ss_id: private_one, target_ss_id: own })).warnings).toEqual([closed('source')])
    expect((await add({})).warnings).toEqual([closed('source'), closed('target')])
    expect(
      (await add({ source_ss_id: private_one, target_ss_id: private_one, target_sheet_name: 'Shop' }))
        .warnings,
    ).toEqual([closed('source and target')])
  })

  test('with the account that will run the task: the editor’s once what is copied changes', async () => {
    const task = await add({ source_ss_id: await called('Own'), target_ss_id: await called('Target') })
    const ben = await app.signIn('ben@example.com')
    const put = async (fields: object) =>
      SavedSyncTask.parse((await ben.request('PUT', `/api/sync_tasks/${task.id}`, fields)).json()).warnings
    expect(await put({ name: 'Renamed by Ben' })).toEqual([])
    expect(await put({ relevant_user_accounts: [] })).toEqual([])
    expect(await put({ start_row: 2 })).toEqual([
      closed('source', 'ben@example.com'),
      closed('target', 'ben@example.com'),
    ])
  })

  test('and says whose access has ended', async () => {
    await app.db.updateTable('grants').set({ revoked_at: new Date() }).execute()
    const [warning] = (await add({ source_ss_id: await called('Own') })).warnings
    expect(warning).toContain('Google access of ada@example.com was revoked or has ended.')
  })

  test('not for an internal source, which has none', async () => {
    ada = await app.signIn('ada@example.com')
    const config = await aConfig(app.db)
    const fields = { source_type: 'internal', source_ss_id: '', source_compiler_config_id: config.id }
    expect((await add({ ...fields, target_ss_id: await called('Target') })).warnings).toEqual([])
  })
})

describe('after an import, names are looked up in the background', () => {
  let services: Services
  let ben: SignedIn
  /** Of Google Drive. */
  let requested: string[]

  beforeAll(async () => {
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

  test('with few requests for many tasks, none of them by the import; the list learns of it', async () => {
    const { name: type } = await aType(app.db)
    const ids = await Promise.all(Array.from({ length: 60 }, (_, at) => called(`Book ${at}`)))
    const next = (at: number) => (at + 1) % ids.length
    await imported(
      type,
      ids.map((id, at) => [id, ids[next(at)] ?? '']),
    )
    expect(requested).toEqual([])
    expect(new Set((await listed(type)).flat())).toEqual(new Set(['']))
    const heard: Notice[] = []
    // The app has a connection open that hears at once.
    const subscription = listenForEvents(app.database.url, (notice) => heard.push(notice))
    await services.nameSpreadsheets()
    expect(await listed(type)).toEqual(ids.map((_, at) => [`Book ${at}`, `Book ${next(at)}`]))
    expect(requested).toHaveLength(1)
    await services.nameSpreadsheets()
    expect(requested).toHaveLength(1)
    expect(await requests()).toBe(0)
    await expect
      .poll(() => heard.flatMap((notice) => ('task_ids' in notice ? notice.task_ids : [])))
      .toHaveLength(60)
    await subscription.close()
  })

  test('with the account of each task: what that one cannot open stays blank and is not asked for again, until the task is edited', async () => {
    const { name: type } = await aType(app.db)
    const [own, private_one] = [await called('Own'), await called('Private', 'ben@example.com')]
    await imported(type, [[own, private_one]])
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
    // whose accounts decide nothing of the import of a name alone
    await ben.request('PUT', `/api/sync_tasks/${id}`, { target_sheet_name: 'Other' })
    await app.db.updateTable('sync_tasks').set({ target_ss_name: '' }).where('task_id', '=', id).execute()
    await services.nameSpreadsheets()
    expect(await listed(type)).toEqual([['Own', 'Private']])
  })

  test('although one account fails; what Google did not tell is asked again, by whichever process', async () => {
    const { name: type } = await aType(app.db)
    const of_ada = await called('Of Ada')
    const of_ben = await called('Of Ben', 'ben@example.com')
    await imported(type, [[of_ada, of_ada]])
    await imported((await aType(app.db, { name: `${type} Ben` })).name, [[of_ben, of_ben]], ben)
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
})
