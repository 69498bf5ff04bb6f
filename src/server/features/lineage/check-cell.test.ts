import { beforeAll, beforeEach, expect, test } from 'vitest'
import { accessToken } from '../../../../test/fakes/sandbox.ts'
import { Spreadsheets } from '../../../../test/fakes/spreadsheets.ts'
import { type SignedIn, type TestApp, testApp } from '../../../../test/fixtures/app.ts'
import { aCopy, aSyncTask } from '../../../../test/fixtures/factories.ts'
import { Lineage } from '../../../contract/lineage/calls.ts'
import { lineageServerMessages as messages } from '../../../contract/lineage/server-messages.ts'

let app: TestApp
let ada: SignedIn
const sheets = new Spreadsheets()
let target = ''
let task = 0

beforeAll(async () => {
  app = await testApp()
  ada = await app.signIn()
  const token = await accessToken(app.sandbox.root)
  sheets.connect(app.sandbox.root, async () => token)
})

const rows = [
  ['007', 1.5],
  ['008', ''],
]

/** A target as a run has left it, with a cell of a colleague beside it. */
beforeEach(async () => {
  target = await sheets.spreadsheet({ Shop: [['SKU', 'Price'], ...rows, ['', '', 'private']] }, 'Web shop')
  const { id: account_user_id } = await app.db
    .selectFrom('users')
    .select('id')
    .where('email', '=', 'ada@example.com')
    .executeTakeFirstOrThrow()
  const definition = { target_ss_id: target, target_place: '100', owned_columns: 2, owned_start_row: 1 }
  task = (await aSyncTask(app.db, { account_user_id, definition })).id
  await aCopy(app.db, task, ['SKU', 'Price'], rows)
})

async function written(range: string, check: string) {
  const link = `${app.sandbox.root}/spreadsheets/d/${target}/edit#gid=100&range=${range}`
  const reply = await ada.request('GET', `/api/lineage?${new URLSearchParams({ link, check })}`)
  expect(reply.statusCode, reply.body).toBe(200)
  return Lineage.parse(reply.json()).written
}
const edited = async (range: string) => (await written(range, 'true'))?.edited

test('a cell is read from its spreadsheet on request only', async () => {
  expect(await edited('B2')).toEqual({ is_edited: false, text: messages.as_written })
  expect(await edited('B3')).toEqual({ is_edited: false, text: messages.as_written })
  await sheets.write(target, 'Shop!B2', [[2]])
  expect(await edited('B2')).toEqual({ is_edited: true, text: messages.edited('“2”') })
  expect((await written('B2', 'false'))?.edited).toBeNull()
})

test('a value that was cleared, and a formula, are edits', async () => {
  await sheets.clear(target, 'Shop!A2')
  expect(await edited('A2')).toEqual({ is_edited: true, text: messages.edited(messages.blank) })
  await sheets.api.spreadsheets.values.update({
    spreadsheetId: target,
    range: 'Shop!B2',
    valueInputOption: 'USER_ENTERED',
    requestBody: { values: [['=3/2']] },
  })
  expect(await edited('B2')).toEqual({ is_edited: true, text: messages.edited('“=3/2”') })
})

test('cells that the task does not write are not read: they are no business of those who may read its rows', async () => {
  const outside = { is_edited: null, text: messages.check_outside }
  expect([await edited('C4'), await edited('A4'), await edited('C2')]).toEqual([outside, outside, outside])
})

test('what Google refuses is said, and the rest of the answer stays', async () => {
  await app.db
    .updateTable('sync_tasks')
    .set({ target_ss_id: 'x'.repeat(30) })
    .where('task_id', '=', task)
    .execute()
  target = 'x'.repeat(30)
  const found = await written('B2', 'true')
  expect(found).toMatchObject({ value: 1.5, edited: { is_edited: null } })
  expect(found?.edited?.text).toMatch(/^Whether it was edited since could not be read: /)
})
