import { beforeAll, describe, expect, test } from 'vitest'
import { control } from '../../../../test/fakes/sandbox.ts'
import { type SignedIn, type TestApp, testApp } from '../../../../test/fixtures/app.ts'
import { aConfig, aSyncTask, aSyncTaskBody, aType, aUser } from '../../../../test/fixtures/factories.ts'
import { namedSpreadsheets } from '../../../../test/fixtures/named-spreadsheets.ts'
import { SavedSyncTask } from '../../../contract/sync-tasks/calls.ts'

let app: TestApp
let ada: SignedIn
let type_id: number
let spreadsheets: ReturnType<typeof namedSpreadsheets>

beforeAll(async () => {
  app = await testApp()
  ada = await app.signIn('ada@example.com')
  type_id = (await aType(app.db)).id
  spreadsheets = namedSpreadsheets(app)
})

async function saved(method: 'POST' | 'PUT', path: string, body: object) {
  const reply = await ada.request(method, path, body)
  expect(reply.json()).not.toHaveProperty('error')
  const { id, source_ss_name, target_ss_name, warnings } = SavedSyncTask.parse(reply.json())
  return { id, names: [source_ss_name, target_ss_name], warnings }
}

const add = (fields: object) => saved('POST', '/api/sync_tasks', aSyncTaskBody(type_id, fields))
const edit = (id: number, fields: object) => saved('PUT', `/api/sync_tasks/${id}`, fields)

test('a new task stores the names of its spreadsheets, and so does an edit; no quota of the runs is used', async () => {
  const source_ss_id = await spreadsheets.called('Master')
  const { id, names } = await add({ source_ss_id, target_ss_id: await spreadsheets.called('Shop') })
  expect(names).toEqual(['Master', 'Shop'])
  expect((await edit(id, { target_ss_id: await spreadsheets.called('Outlet') })).names).toEqual([
    'Master',
    'Outlet',
  ])
  expect((await edit(id, { start_row: 2 })).names).toEqual(['Master', 'Outlet'])
  expect(await spreadsheets.requests()).toBe(0)
})

test('a missing spreadsheet name is read with the next edit', async () => {
  const source_ss_id = await spreadsheets.called('Late')
  const task = await aSyncTask(app.db, { task_type_id: type_id, definition: { source_ss_id } })
  expect((await edit(task.id, { start_row: 2 })).names).toEqual(['Late', ''])
})

test('names are also read with a listed account that a colleague shares', async () => {
  await app.signIn('grace@example.com')
  await app.db
    .updateTable('users')
    .set({ shares_grant: true })
    .where('email', '=', 'grace@example.com')
    .execute()
  const source_ss_id = await spreadsheets.called('Private of Grace', 'grace@example.com')
  expect((await add({ source_ss_id })).names).toEqual(['', ''])
  const relevant_user_accounts = ['grace@example.com']
  const own = await spreadsheets.called('Own')
  expect((await add({ source_ss_id, target_ss_id: own, relevant_user_accounts })).names).toEqual([
    'Private of Grace',
    'Own',
  ])
})

test('if Google does not return a name, that of another task is used', async () => {
  const definition = { source_ss_id: 'known-to-another-task', source_ss_name: 'Known already' }
  await aSyncTask(app.db, { definition })
  const { names } = await add({ target_ss_id: definition.source_ss_id })
  expect(names).toEqual(['', 'Known already'])
})

test('imported tasks use the spreadsheet names of other tasks', async () => {
  const { name: type } = await aType(app.db, { name: 'Imported' })
  const definition = { target_ss_id: 'known-before-the-import', target_ss_name: 'Known before' }
  await aSyncTask(app.db, { definition })
  await spreadsheets.imported(ada, type, [['known-before-the-import', 'nobody-knows-this-one']])
  const names = await app.db
    .selectFrom('sync_tasks')
    .select(['source_ss_name', 'target_ss_name'])
    .where('target_ss_id', '=', 'nobody-knows-this-one')
    .execute()
  expect(names).toEqual([{ source_ss_name: 'Known before', target_ss_name: '' }])
})

test('a save does not fail if Google is unavailable or no account has access: the names stay blank', async () => {
  const source_ss_id = await spreadsheets.called('Unreachable')
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
    expect.stringMatching(
      new RegExp(
        `^Saved, but the ${which} spreadsheet cannot be opened: There is no spreadsheet with the id \\S+, or it is not shared with ${email}: check the id, ask its owner to share it, or choose another account\\.$`,
      ),
    )

  beforeAll(async () => {
    ada = await app.signIn('ada@example.com')
  })

  test('with the account of the user who adds the task: one spreadsheet or both', async () => {
    const [own, private_one] = [
      await spreadsheets.called('Own'),
      await spreadsheets.called('Private', 'eve@example.com'),
    ]
    expect(
      (await add({ source_ss_id: own, target_ss_id: await spreadsheets.called('Target') })).warnings,
    ).toEqual([])
    expect((await add({ source_ss_id: private_one, target_ss_id: own })).warnings).toEqual([closed('source')])
    expect((await add({})).warnings).toEqual([closed('source'), closed('target')])
    expect(
      (await add({ source_ss_id: private_one, target_ss_id: private_one, target_sheet_name: 'Shop' }))
        .warnings,
    ).toEqual([closed('source and target')])
  })

  test('with the account that will run the task: the editor’s once what is copied changes', async () => {
    const task = await add({
      source_ss_id: await spreadsheets.called('Own'),
      target_ss_id: await spreadsheets.called('Target'),
    })
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

  test('and names the account whose access has ended', async () => {
    await app.db.updateTable('grants').set({ revoked_at: new Date() }).execute()
    const [warning] = (await add({ source_ss_id: await spreadsheets.called('Own') })).warnings
    expect(warning).toContain('Google access of ada@example.com was revoked or has ended.')
  })

  test('not for an internal source, which has none', async () => {
    ada = await app.signIn('ada@example.com')
    const config = await aConfig(app.db)
    const fields = { source_type: 'internal', source_ss_id: '', source_compiler_config_id: config.id }
    expect((await add({ ...fields, target_ss_id: await spreadsheets.called('Target') })).warnings).toEqual([])
  })
})
