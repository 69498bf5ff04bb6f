import { beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { accessToken } from '../../../../test/fakes/sandbox.ts'
import { type SignedIn, type TestApp, testApp } from '../../../../test/fixtures/app.ts'
import { aConfig, aCopy, aSyncTask } from '../../../../test/fixtures/factories.ts'
import { compilerServerMessages } from '../../../contract/compiler/server-messages.ts'

import { syncTasks } from '../../../contract/sync-tasks/calls.ts'

let app: TestApp
let ada: SignedIn

beforeAll(async () => {
  app = await testApp()
  ada = await app.signIn('ada@example.com')
})

async function google(path: string, method: string, body: object, as = 'ada@example.com') {
  const token = await accessToken(app.sandbox.root, as)
  const reply = await fetch(`${app.sandbox.root}/v4/spreadsheets${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`)
  return reply.json()
}

/** A spreadsheet of Ada's with one tab called Products that holds these rows. */
async function sheet(values: unknown[][], as?: string): Promise<string> {
  const body = { properties: { title: 'Catalogue' }, sheets: [{ properties: { title: 'Products' } }] }
  const { spreadsheetId } = z.object({ spreadsheetId: z.string() }).parse(await google('', 'POST', body, as))
  if (values.length)
    await google(`/${spreadsheetId}/values/Products!A1?valueInputOption=RAW`, 'PUT', { values }, as)
  return spreadsheetId
}

async function readiness(definition: object) {
  const user = await app.db
    .selectFrom('users')
    .select('id')
    .where('email', '=', 'ada@example.com')
    .executeTakeFirstOrThrow()
  const task = await aSyncTask(app.db, { account_user_id: user.id, definition })
  const reply = await ada.request('GET', `/api/sync_tasks/${task.id}/check_readiness`)
  expect(reply.statusCode).toBe(200)
  return syncTasks.checkReadiness.reply.parse(reply.json())
}

test('a sheet with data below its header is ready', async () => {
  const source_ss_id = await sheet([
    ['SKU', 'Name'],
    ['007', 'Bond'],
  ])
  expect(await readiness({ source_ss_id, source_sheet_name: 'Products' })).toMatchObject({
    ready: true,
    source_type: 'sheet',
  })
})

test.each<[string, unknown[][], object]>([
  ['a tab that is not there', [['SKU'], ['1']], { source_sheet_name: 'Elsewhere' }],
  ['an empty tab', [], { source_sheet_name: 'Products' }],
  ['a header without data', [['SKU', 'Name']], { source_sheet_name: 'Products' }],
  ['a start row below the data', [['SKU'], ['1']], { source_sheet_name: 'Products', start_row: 2 }],
  ['a cell that still says Loading...', [['SKU'], ['Loading...']], { source_sheet_name: 'Products' }],
])('%s is not ready, and the message says why', async (_, values, definition) => {
  const answer = await readiness({ source_ss_id: await sheet(values), ...definition })
  expect(answer.ready).toBe(false)
  expect(answer.message).not.toBe('')
})

test('a task is not ready if its accounts cannot open the spreadsheet', async () => {
  const source_ss_id = await sheet([['SKU'], ['1']], 'grace@example.com')
  expect(await readiness({ source_ss_id, source_sheet_name: 'Products' })).toMatchObject({ ready: false })
  expect(await readiness({ source_ss_id: 'there-is-no-such-spreadsheet' })).toMatchObject({ ready: false })
})

test('an internal source is ready once its configuration has records, and shows their number', async () => {
  const config = await aConfig(app.db, { name: 'Compiled' })
  await aCopy(app.db, config.task_id, ['SKU'], [['1'], ['2']])
  const reply = await readiness({
    source_type: 'internal',
    source_ss_id: '',
    source_compiler_config_id: config.id,
  })
  expect(reply).toEqual({ ready: true, message: '2 compiled records of “Compiled”', source_type: 'internal' })
})

test('an internal source is not ready while its configuration is inactive or has no records', async () => {
  const configs = [
    await aConfig(app.db, { name: 'Active' }),
    await aConfig(app.db, { name: 'Resting', is_active: false }),
  ]
  const internal = (index: number) =>
    readiness({ source_type: 'internal', source_ss_id: '', source_compiler_config_id: configs[index]?.id })
  expect(await internal(0)).toEqual({
    ready: false,
    message: compilerServerMessages.config_not_compiled('Active'),
    source_type: 'internal',
  })
  expect(await internal(1)).toEqual({
    ready: false,
    message: compilerServerMessages.config_inactive('Resting'),
    source_type: 'internal',
  })
})
