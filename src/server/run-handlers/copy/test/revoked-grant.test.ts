import { sheets } from '@googleapis/sheets'
import { OAuth2Client } from 'google-auth-library'
import { sql } from 'kysely'
import pino from 'pino'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { accessToken, control } from '../../../../../test/fakes/sandbox.ts'
import { type SignedIn, type TestApp, testApp } from '../../../../../test/fixtures/app.ts'
import { logOf, runOf, startEngine, type TestEngine } from '../../../../../test/fixtures/engine.ts'
import { aSyncTask } from '../../../../../test/fixtures/factories.ts'
import { until } from '../../../../../test/processes/processes.ts'
import { syncTasks } from '../../../../contract/sync-tasks/calls.ts'
import { dueLabel } from '../../../engine/schedule/due-label.ts'
import { recordDue } from '../../../engine/schedule/record-due.ts'
import { createPool } from '../../../platform/db.ts'
import { createServices } from '../../../services.ts'

const LINK = 'Reconnect: http://localhost:3000/users'
const LOST = `Google access of ada@example.com was revoked or has ended. Sign in again to reconnect. ${LINK}`

let app: TestApp
let ada: SignedIn
let engine: TestEngine
let pool: ReturnType<typeof createPool>
let ada_id = 0

beforeAll(async () => {
  app = await testApp()
  await app.signIn('ben@example.com')
  await app.db.updateTable('users').set({ shares_grant: true }).execute()
  pool = createPool({ url: app.database.url })
})
afterAll(() => pool.end())
beforeEach(async () => {
  ada = await app.signIn('ada@example.com')
  const user = await app.db
    .selectFrom('users')
    .select('id')
    .where('email', '=', 'ada@example.com')
    .executeTakeFirstOrThrow()
  ada_id = user.id
  const { handlers } = createServices({ ...app, pool, log: pino({ level: 'silent' }) })
  engine = await startEngine(app.database, [...handlers], { zone: 'UTC' })
})

/** Ada’s sync task between two tabs of a spreadsheet of the given user. */
async function taskOn(owner: string, relevant_user_accounts: string[] = []): Promise<number> {
  const auth = new OAuth2Client()
  auth.setCredentials({ access_token: await accessToken(app.sandbox.root, owner) })
  const api = sheets({ version: 'v4', auth, rootUrl: `${app.sandbox.root}/`, retry: false })
  const { data } = await api.spreadsheets.create({
    requestBody: { sheets: [{ properties: { title: 'Products' } }, { properties: { title: 'Shop' } }] },
  })
  const id = data.spreadsheetId ?? ''
  await api.spreadsheets.values.update({
    spreadsheetId: id,
    range: 'Products!A1',
    valueInputOption: 'RAW',
    requestBody: { values: [['SKU'], ['A']] },
  })
  const definition = {
    source_ss_id: id,
    source_sheet_name: 'Products',
    target_ss_id: id,
    target_sheet_name: 'Shop',
  }
  return (await aSyncTask(app.db, { account_user_id: ada_id, relevant_user_accounts, definition })).id
}

const minutesAgo = (minutes: number) => new Date(Math.floor(Date.now() / 60_000 - minutes) * 60_000)
const timeOf = (at: Date) => at.toISOString().slice(11, 16)

/** Makes the task due at the given time, as its schedule would. */
async function makeDue(task: number, due: Date): Promise<void> {
  const own = app.db.updateTable('tasks').where('id', '=', task)
  await own.set({ scheduled_times: [timeOf(due)] }).execute()
  await own.set({ scheduled_since: sql<Date>`now() - interval '1 day'` }).execute()
  await sql`update schedule_clock set scanned_until = now() - interval '30 minutes'`.execute(app.db)
  await recordDue(app.db, 'UTC')
}

const occurrencesOf = (task: number) =>
  app.db
    .selectFrom('due_moments')
    .select(['outcome', 'reason'])
    .where('task_id', '=', task)
    .orderBy('id')
    .execute()

const decided = (task: number, count: number) =>
  until('the occurrence is decided on', async () => {
    const occurrences = await occurrencesOf(task)
    return occurrences.length === count && occurrences.every(({ outcome }) => outcome !== null)
  })

const requestsToSheets = async () => (await app.db.selectFrom('quota_log').select('id').execute()).length

test('a revoked grant fails the run with the way to reconnect and no second attempt; later occurrences are Missed until the person is back', async () => {
  const task = await taskOn('ada@example.com')
  await control(app.sandbox.root, 'POST', 'revoke', { email: 'ada@example.com' })

  await engine.queueRun(task)
  const failed = await runOf(app.db, task)
  expect(failed).toMatchObject({ state: 'failed', attempts: 1 })
  expect(failed.error).toContain('ada@example.com has to sign in again')
  expect(failed.error).toContain(LINK)

  const asked = await requestsToSheets()
  const due = minutesAgo(5)
  await makeDue(task, due)
  await decided(task, 1)
  expect(await occurrencesOf(task)).toEqual([{ outcome: 'missed', reason: LOST }])
  expect(await runOf(app.db, task)).toMatchObject({ id: failed.id })
  expect(await requestsToSheets()).toBe(asked)
  const missed = `Missed the run due at ${dueLabel(due, 'UTC')}: ${LOST}`
  expect((await logOf(app.db, task)).at(-1)).toBe(`WARNING ${missed}`)

  const back = await app.signIn('ada@example.com')
  await makeDue(task, minutesAgo(4))
  await decided(task, 2)
  expect((await occurrencesOf(task)).at(-1)).toEqual({ outcome: 'started', reason: null })
  expect(await runOf(app.db, task)).toMatchObject({ state: 'success' })
  const { logs } = syncTasks.get.reply.parse((await back.request('GET', `/api/sync_tasks/${task}`)).json())
  expect(logs.map(({ message }) => message)).toContain(missed)
})

test('the list shows why a task was not started, and a task that may also use a valid account runs', async () => {
  const lost = await taskOn('ada@example.com')
  const living = await taskOn('ben@example.com', ['ben@example.com'])
  await app.db.updateTable('grants').set({ revoked_at: new Date() }).where('user_id', '=', ada_id).execute()
  await makeDue(lost, minutesAgo(6))
  await decided(lost, 1)
  await makeDue(living, minutesAgo(7))
  await decided(living, 1)
  expect(await occurrencesOf(living)).toEqual([{ outcome: 'started', reason: null }])
  expect(await runOf(app.db, living)).toMatchObject({ state: 'success' })
  const list = syncTasks.list.reply.parse((await ada.request('GET', '/api/sync_tasks')).json())
  const shown = list.syncTasks.find(({ id }) => id === lost)
  expect(shown?.latest_log?.message).toContain(LOST)
})

test('a task that two schedules start at the same moment is reported as missed once', async () => {
  const task = await taskOn('ada@example.com')
  await app.db.updateTable('grants').set({ revoked_at: new Date() }).where('user_id', '=', ada_id).execute()
  const due = minutesAgo(8)
  const all = app.db.updateTable('run_all_schedules').where('category', '=', 'sync')
  await all.set({ scheduled_times: [timeOf(due)] }).execute()
  await all.set({ scheduled_since: sql<Date>`now() - interval '1 day'` }).execute()
  await app.db
    .updateTable('tasks')
    .set({ created_at: sql<Date>`now() - interval '1 day'` })
    .where('id', '=', task)
    .execute()
  await makeDue(task, due)
  await decided(task, 2)
  expect(await logOf(app.db, task)).toHaveLength(1)
})
