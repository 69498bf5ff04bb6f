import { sheets } from '@googleapis/sheets'
import { OAuth2Client } from 'google-auth-library'
import pino from 'pino'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { accessToken, control } from '../../../../../test/fakes/sandbox.ts'
import { type SignedIn, type TestApp, testApp } from '../../../../../test/fixtures/app.ts'
import { runOf, startEngine } from '../../../../../test/fixtures/engine.ts'
import { aSyncTaskBody, aType } from '../../../../../test/fixtures/factories.ts'
import { presetServerMessages } from '../../../../contract/sync-presets/server-messages.ts'
import { SyncTask } from '../../../../contract/sync-tasks/calls.ts'
import { taskMessages } from '../../../../contract/tasks/client-messages.ts'
import { createPool } from '../../../platform/db.ts'
import { createServices } from '../../../services.ts'

// Only Ada can open her spreadsheet. Ben tries to read or write it through her task.

const SECRET = 'Ada earns 7'

let app: TestApp
let ada: SignedIn
let ben: SignedIn
let pool: ReturnType<typeof createPool>
let type_id: number
let book: string
let task: SyncTask

async function sheetsOf(email: string) {
  const auth = new OAuth2Client()
  auth.setCredentials({ access_token: await accessToken(app.sandbox.root, email) })
  return sheets({ version: 'v4', auth, rootUrl: `${app.sandbox.root}/`, retry: false }).spreadsheets
}

async function values(range: string): Promise<unknown[][]> {
  const { data } = await (await sheetsOf(ada.email)).values.get({ spreadsheetId: book, range })
  return data.values ?? []
}

/** Spreadsheets requested with an account. */
async function opened(email: string): Promise<(string | null)[]> {
  const Ledger = z.object({
    entries: z.array(
      z.object({ account: z.string(), user_agent: z.string(), spreadsheet_id: z.string().nullable() }),
    ),
  })
  const { entries } = Ledger.parse(await control(app.sandbox.root, 'GET', 'ledger'))
  return entries
    .filter(({ account, user_agent }) => account === email && user_agent.includes('rowferry'))
    .map(({ spreadsheet_id }) => spreadsheet_id)
}

const call = async (person: SignedIn, method: 'POST' | 'PUT', path: string, body?: object) => {
  const reply = await person.request(method, path, body)
  expect(reply.json()).not.toHaveProperty('error')
  return reply.json()
}
const edit = (person: SignedIn, fields: object) => call(person, 'PUT', `/api/sync_tasks/${task.id}`, fields)

/** Runs the task as the given user and returns the finished run. */
async function run(person: SignedIn) {
  await call(person, 'POST', `/api/sync_tasks/${task.id}/execute`)
  const { state, error, message } = await runOf(app.db, task.id)
  return { state, said: error ?? message ?? '' }
}

const copied = async () => (await ben.request('GET', `/api/sync_tasks/${task.id}/data_copy`)).body

async function preset(fields: string[]): Promise<number> {
  const body = { name: `Without ${fields} ${book}`, excluded_fields: fields }
  return z.object({ id: z.number() }).parse(await call(ada, 'POST', '/api/sync_presets', body)).id
}

beforeAll(async () => {
  app = await testApp()
  ada = await app.signIn('ada@example.com')
  ben = await app.signIn('ben@example.com')
  pool = createPool({ url: app.database.url })
  type_id = (await aType(app.db, { max_retries: 0 })).id
})
afterAll(() => pool.end())

beforeEach(async () => {
  await app.db.deleteFrom('quota_log').execute()
  await startEngine(
    app.database,
    [...createServices({ ...app, pool, log: pino({ level: 'silent' }) }).handlers],
    { zone: 'UTC' },
  )
  const api = await sheetsOf(ada.email)
  const titles = ['Products', 'Salaries', 'Shop', 'Ledger']
  const { data } = await api.create({
    requestBody: { sheets: titles.map((title) => ({ properties: { title } })) },
  })
  book = data.spreadsheetId ?? ''
  await api.values.batchUpdate({
    spreadsheetId: book,
    requestBody: {
      valueInputOption: 'RAW',
      data: [
        { range: 'Products!A1', values: [[SECRET], ['SKU', 'Cost'], ['A', SECRET]] },
        { range: 'Salaries!A1', values: [[], ['Name'], [SECRET]] },
        { range: 'Ledger!A1', values: [['Keep'], ['me']] },
      ],
    },
  })
  const body = aSyncTaskBody(type_id, {
    source_ss_id: book,
    target_ss_id: book,
    target_sheet_name: 'Shop',
    start_row: 2,
    sync_preset_id: await preset(['Cost']),
  })
  task = SyncTask.parse(await call(ada, 'POST', '/api/sync_tasks', body))
  expect(await run(ada)).toMatchObject({ state: 'success' })
  await control(app.sandbox.root, 'POST', 'reset')
})

test.each<[string, () => object]>([
  ['another tab of the source', () => ({ source_sheet_name: 'Salaries' })],
  ['another tab of the target', () => ({ target_sheet_name: 'Ledger' })],
  ['an earlier start row', () => ({ start_row: 1 })],
  ['no preset', () => ({ sync_preset_id: null })],
  ['the task as it was read, with one change', () => ({ ...task, source_sheet_name: 'Salaries' })],
  ['another tab and no accounts', () => ({ source_sheet_name: 'Salaries', relevant_user_accounts: [] })],
])('after another user has set %s, the run does not use the owner’s account', async (_, fields) => {
  await edit(ben, fields())
  const { state, said } = await run(ben)
  expect([state, said]).toEqual(['failed', expect.stringMatching(/^ben@example.com may not open /)])
  expect(await opened('ada@example.com')).toEqual([])
  expect(await copied()).not.toContain(SECRET)
  expect(await values('Ledger!A1:A2')).toEqual([['Keep'], ['me']])
})

test('a run by the owner, a schedule or a Run All after the change does not use the account either', async () => {
  await edit(ben, { source_sheet_name: 'Salaries' })
  expect(await run(ada)).toMatchObject({ state: 'failed' })
  await call(ben, 'POST', '/api/sync_tasks/execute_all')
  expect((await runOf(app.db, task.id)).state).toBe('failed')
  expect(await opened('ada@example.com')).toEqual([])
})

test('fields of a preset that another user’s task uses cannot be edited', async () => {
  const reply = await ben.request('PUT', `/api/sync_presets/${task.sync_preset_id}`, {
    excluded_fields: ['Nothing'],
  })
  expect([reply.statusCode, reply.json().message]).toEqual([409, presetServerMessages.preset_decides(1)])
  expect(await run(ben)).toMatchObject({ state: 'success' })
  expect(await copied()).not.toContain(SECRET)
})

test('an account that is no longer shared is not used', async () => {
  await call(ada, 'POST', '/api/users/me/share_grant', { shares_grant: true })
  await edit(ben, { source_sheet_name: 'Salaries', relevant_user_accounts: ['ada@example.com'] })
  await call(ada, 'POST', '/api/users/me/share_grant', { shares_grant: false })
  expect(await run(ben)).toMatchObject({ state: 'failed' })
  expect(await opened('ada@example.com')).toEqual([])
})

test('a shared account is used by all tasks that list it', async () => {
  await call(ada, 'POST', '/api/users/me/share_grant', { shares_grant: true })
  await edit(ben, { source_sheet_name: 'Salaries' })
  expect(await run(ben)).toMatchObject({ state: 'failed' })
  await edit(ben, { relevant_user_accounts: ['ada@example.com'] })
  expect(await run(ben)).toMatchObject({ state: 'success' })
  await call(ada, 'POST', '/api/users/me/share_grant', { shares_grant: false })
})

test('a task with a waiting run cannot be edited', async () => {
  const type = app.db.updateTable('task_types').where('id', '=', type_id)
  await type.set({ queue_delay_seconds: 3600, last_admitted_at: new Date() }).execute()
  await call(ada, 'POST', `/api/sync_tasks/${task.id}/execute`)
  for (const fields of [{ source_sheet_name: 'Salaries' }, { sync_preset_id: null }]) {
    const reply = await ben.request('PUT', `/api/sync_tasks/${task.id}`, fields)
    expect([reply.statusCode, reply.json().message]).toEqual([409, taskMessages.live_edit])
  }
  await call(ben, 'POST', `/api/sync_tasks/stop/${task.id}`)
  await type.set({ queue_delay_seconds: 0 }).execute()
  await edit(ben, { source_sheet_name: 'Salaries' })
  expect(await run(ada)).toMatchObject({ state: 'failed' })
  expect(await opened('ada@example.com')).toEqual([])
})

test('the owner’s account is used again after the owner restores the definition or assigns the account', async () => {
  await edit(ben, { source_sheet_name: 'Salaries' })
  await edit(ada, { source_sheet_name: 'Products' })
  expect(await run(ben)).toMatchObject({ state: 'success' })
  await edit(ben, { start_row: 3 })
  await edit(ben, { start_row: 2 })
  expect(await run(ada)).toMatchObject({ state: 'failed' })
  const seen = SyncTask.parse((await ada.request('GET', `/api/sync_tasks/${task.id}`)).json())
  const { updated_at } = seen
  await call(ada, 'POST', `/api/sync_tasks/${task.id}/use_my_account`, { updated_at })
  expect(await run(ben)).toMatchObject({ state: 'success' })
})
