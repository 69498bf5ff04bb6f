import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sheets } from '@googleapis/sheets'
import { OAuth2Client } from 'google-auth-library'
import pino from 'pino'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { accessToken, control } from '../../../../../test/fakes/sandbox.ts'
import { type SignedIn, testApp } from '../../../../../test/fixtures/app.ts'
import { runOf, startEngine } from '../../../../../test/fixtures/engine.ts'
import { aSyncTaskBody, aType } from '../../../../../test/fixtures/factories.ts'
import { testFolder } from '../../../../../test/fixtures/folders.ts'
import { SyncTask } from '../../../../contract/sync-tasks/calls.ts'
import { taskServerMessages } from '../../../../contract/tasks/server-messages.ts'
import { createPool } from '../../../platform/db.ts'
import { createServices } from '../../../services.ts'

// Ada owns the spreadsheet and shares it with the service account; Ben has no access and copies it with a task.

const KeyFile = z.object({ client_email: z.string(), private_key: z.string() })
const folder = await testFolder()
let key = { client_email: '', private_key: '' }

const app = await testApp({
  env: async (root) => {
    const made = await control(root, 'POST', 'service_accounts', { name: 'copier' })
    key = KeyFile.parse(made)
    const file = join(folder, 'key.json')
    await writeFile(file, JSON.stringify(made), { mode: 0o600 })
    return { GOOGLE_SERVICE_ACCOUNT_FILE: file, ADMIN_EMAILS: 'ada@example.com' }
  },
})
const address = key.client_email
const ada = await app.signIn('ada@example.com')
const ben = await app.signIn('ben@example.com')
const pool = createPool({ url: app.database.url })
afterAll(() => pool.end())
const type = await aType(app.db, { max_retries: 0 })

const allow = (person: SignedIn, is_allowed: boolean) =>
  person.request('PUT', '/api/service_account', { address, is_allowed })

const auth = new OAuth2Client()
auth.setCredentials({ access_token: await accessToken(app.sandbox.root) })
const api = sheets({ version: 'v4', auth, rootUrl: `${app.sandbox.root}/`, retry: false }).spreadsheets

async function sharedBook(): Promise<string> {
  const { data } = await api.create({
    requestBody: { sheets: ['Products', 'Shop'].map((title) => ({ properties: { title } })) },
  })
  const spreadsheetId = data.spreadsheetId ?? ''
  await api.values.update({
    spreadsheetId,
    range: 'Products!A1',
    valueInputOption: 'RAW',
    requestBody: { values: [['SKU'], ['A']] },
  })
  await fetch(`${app.sandbox.root}/drive/v3/files/${spreadsheetId}/permissions`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${await accessToken(app.sandbox.root)}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ type: 'user', role: 'writer', emailAddress: address }),
  })
  return spreadsheetId
}

const bodyOf = (book: string) =>
  aSyncTaskBody(type.id, {
    source_ss_id: book,
    source_sheet_name: 'Products',
    target_ss_id: book,
    target_sheet_name: 'Shop',
    start_row: 1,
    relevant_user_accounts: [address],
  })

async function bensTask(): Promise<SyncTask> {
  await allow(ada, true)
  const reply = await ben.request('POST', '/api/sync_tasks', bodyOf(await sharedBook()))
  expect(reply.statusCode).toBe(201)
  return SyncTask.parse(reply.json())
}

const execute = (task: SyncTask) => ben.request('POST', `/api/sync_tasks/${task.id}/execute`)

beforeEach(async () => {
  await control(app.sandbox.root, 'POST', 'reset')
  await app.db.deleteFrom('quota_log').execute()
  await allow(ada, false)
  await startEngine(
    app.database,
    [...createServices({ ...app, pool, log: pino({ level: 'silent' }) }).handlers],
    { zone: 'UTC' },
  )
})

test('a task that only the service account can open runs with it, and the receipt and the log name its address', async () => {
  const task = await bensTask()
  expect(task).toMatchObject({ relevant_user_accounts: [address], account: { email: 'ben@example.com' } })
  await execute(task)
  expect(await runOf(app.db, task.id)).toMatchObject({ state: 'success' })
  const after = SyncTask.parse((await ben.request('GET', `/api/sync_tasks/${task.id}`)).json())
  const page = (await ben.request('GET', `/api/sync_tasks/${task.id}`)).json()
  expect(page.receipt).toMatchObject({ account: address })
  expect(JSON.stringify(page.logs)).toContain(address)
  expect(after.account?.email).toBe('ben@example.com')
  const { data } = await api.values.get({ spreadsheetId: task.target_ss_id, range: 'Shop!A1:A2' })
  expect(data.values).toEqual([['SKU'], ['A']])
})

test('it shares the load with the account of the deciding editor', async () => {
  await allow(ada, true)
  const shared = SyncTask.parse(
    (await ada.request('POST', '/api/sync_tasks', bodyOf(await sharedBook()))).json(),
  )
  await ada.request('POST', `/api/sync_tasks/${shared.id}/execute`)
  expect(await runOf(app.db, shared.id)).toMatchObject({ state: 'success' })
  const { receipt } = (await ada.request('GET', `/api/sync_tasks/${shared.id}`)).json()
  expect(receipt.account.split(', ').sort()).toEqual(['ada@example.com', address])
})

test('without an administrator’s approval no task may name it, and only administrators approve', async () => {
  const named = await ben.request('POST', '/api/sync_tasks', bodyOf(await sharedBook()))
  expect([named.statusCode, named.json().field]).toEqual([400, 'relevant_user_accounts'])
  expect(named.json().message).toBe(taskServerMessages.service_account_not_allowed(address))
  expect((await allow(ben, true)).statusCode).toBe(403)
  expect((await ben.request('GET', '/api/service_account')).json()).toMatchObject({
    address,
    is_allowed: false,
  })
  const another = { address: 'another@x.iam.gserviceaccount.com', is_allowed: true }
  expect((await ada.request('PUT', '/api/service_account', another)).json()).toMatchObject({
    field: 'address',
  })
  expect((await allow(ada, true)).json()).toMatchObject({ is_allowed: true })
  const audited = await app.db
    .selectFrom('audit_log')
    .select(['actor', 'action', 'details'])
    .where('object_type', '=', 'service_account')
    .orderBy('id', 'desc')
    .executeTakeFirst()
  expect(audited).toEqual({ actor: 'ada@example.com', action: 'allow', details: { address } })
})

test('withdrawing the approval stops a run at its next request, and its staging tab is deleted', async () => {
  const task = await bensTask()
  await control(app.sandbox.root, 'PUT', 'latency', { ms: 1_500 })
  await execute(task)
  await expect
    .poll(async () => JSON.stringify(await control(app.sandbox.root, 'GET', 'ledger')))
    .toContain(address)
  await allow(ada, false)
  const run = await runOf(app.db, task.id)
  expect([run.state, run.error ?? run.message]).toEqual([
    'failed',
    expect.stringContaining('an administrator allows it'),
  ])
  await control(app.sandbox.root, 'PUT', 'latency', {})
  await execute(task)
  expect((await runOf(app.db, task.id)).state).toBe('failed')
  const { data } = await api.get({ spreadsheetId: task.target_ss_id })
  expect(data.sheets?.map(({ properties }) => properties?.title)).toEqual(['Products', 'Shop'])
})

test('the key is in no log and no reply', async () => {
  const task = await bensTask()
  const pages = ['/api/service_account', '/api/users', `/api/sync_tasks/${task.id}`, '/auth/check']
  const replies = await Promise.all(pages.map((url) => ada.request('GET', url)))
  const secret = key.private_key.split('\n')[2] ?? ''
  expect(secret.length).toBeGreaterThan(30)
  for (const text of [app.logs(), ...replies.map(({ body }) => body)]) expect(text).not.toContain(secret)
})
