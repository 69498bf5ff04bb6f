import pino from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { accessToken, control } from '../../../test/fakes/sandbox.ts'
import { Spreadsheets } from '../../../test/fakes/spreadsheets.ts'
import { type SignedIn, type TestApp, testApp } from '../../../test/fixtures/app.ts'
import { logOf, runOf, startEngine, type TestEngine } from '../../../test/fixtures/engine.ts'
import { aSyncTask } from '../../../test/fixtures/factories.ts'
import { stagingTabIn } from '../../../test/fixtures/staging-tab-checkpoint.ts'
import { until } from '../../../test/processes/processes.ts'
import { users } from '../../contract/users/calls.ts'
import { createRevoke } from '../connectors/google-sheets/client/revoke.ts'
import { readGrant } from '../platform/auth/grants.ts'
import { createPool } from '../platform/db.ts'
import { createServices, type Services } from '../services.ts'

// Copies of 9 MB on a machine that may be busy. Tests wait for facts, so this is a limit only.
const MAX_SECONDS = 140
vi.setConfig({ testTimeout: 2 * MAX_SECONDS * 1_000 })

const ADA = 'ada@example.com'
const BEN = 'ben@example.com'
const log = pino({ level: 'silent' })
// About 9 MB, more than one commit may carry, so the rows are staged.
const words = 'and some words more, '.repeat(27)
const large = Array.from({ length: 3_000 }, (_, row) =>
  Array.from({ length: 5 }, (_, column) => `row ${row}, column ${column}, ${words}`),
)
const held = [['old'], ['table']]

let app: TestApp
let ada: SignedIn
let ben: SignedIn
let engine: TestEngine
let services: Services
let pool: ReturnType<typeof createPool>
const books = new Spreadsheets()

beforeAll(async () => {
  app = await testApp()
  pool = createPool({ url: app.database.url })
  services = createServices({ ...app, pool, log })
  books.connect(app.sandbox.root, () => accessToken(app.sandbox.root))
})
afterAll(() => pool.end())
beforeEach(async () => {
  await faults()
  await app.db.updateTable('users').set({ disabled_at: null, shares_grant: false }).execute()
  ada = await app.signIn(ADA)
  ben = await app.signIn(BEN)
  engine = await startEngine(app.database, [...services.handlers])
})

const faults = (...list: object[]) => control(app.sandbox.root, 'PUT', 'faults', { faults: list })
const slowStaging = () =>
  faults({ kind: 'latency', ms: 300, match: { method: 'spreadsheets.values.batchUpdate' } })

async function idOf(email: string): Promise<number> {
  const people = app.db.selectFrom('users').select('id').where('email', '=', email)
  return (await people.executeTakeFirstOrThrow()).id
}

/** A task of Ada's that copies a large table through a staging tab. */
async function largeTask(relevant_user_accounts: string[] = []) {
  const source = await books.spreadsheet({ Products: large })
  const target = await books.spreadsheet({ Shop: held })
  for (const id of [source, target]) await books.share(id)
  const { id: task } = await aSyncTask(app.db, {
    account_user_id: await idOf(ADA),
    definition: {
      source_ss_id: source,
      source_sheet_name: 'Products',
      target_ss_id: target,
      target_sheet_name: 'Shop',
    },
    relevant_user_accounts,
  })
  return { source, target, task }
}

const start = (task_id: number) => engine.queueRun(task_id)

/** Waits until the run has staged rows. */
const staged = (task_id: number) =>
  until(
    'rows are staged',
    async () => {
      const { checkpoint } = await runOf(app.db, task_id, ['queued', 'running', 'success', 'failed'])
      return (stagingTabIn(checkpoint)?.rows ?? 0) > 0
    },
    MAX_SECONDS,
  )

const grantOf = async (email: string) => {
  const list = users.list.reply.parse((await ben.request('GET', '/api/users')).json())
  return list.find((user) => user.email === email)?.grant
}

/** Calls `finish`, as the scheduler does, until nothing is left to disconnect. */
const disconnected = (email: string) =>
  until(
    'the account is disconnected',
    async () => {
      await services.disconnect.finish()
      return (await grantOf(email)) === 'none'
    },
    MAX_SECONDS,
  )

async function refreshToken(email: string): Promise<string> {
  const read = await readGrant(app.db, app.keys, await idOf(email))
  if (!read.ok) throw new Error(read.reason)
  return read.grant.refresh_token
}

/** Whether Google still accepts the refresh token. */
async function lives(refresh_token: string): Promise<boolean> {
  const client = { client_id: 'rowferry-sandbox', client_secret: 'sandbox-secret' }
  const body = new URLSearchParams({ ...client, grant_type: 'refresh_token', refresh_token })
  return (await fetch(`${app.sandbox.root}/token`, { method: 'POST', body })).ok
}

const requestsBy = async (account: string) =>
  (await app.db.selectFrom('quota_log').select('id').where('account', '=', account).execute()).length

describe('a live run', () => {
  test('makes no further request with the account of a disabled user, and deletes its staging tab', async () => {
    const { target, task } = await largeTask()
    await slowStaging()
    await start(task)
    await staged(task)
    await app.db.updateTable('users').set({ disabled_at: new Date() }).where('email', '=', ADA).execute()
    const run = await runOf(app.db, task)
    expect(run).toMatchObject({ state: 'failed', attempts: 1 })
    expect(run.error).toContain('ada@example.com may no longer use Rowferry')
    expect(await books.values(target, 'Shop')).toEqual(held)
    expect(await books.tabs(target)).toEqual(['Shop'])
  })

  test('of a user who disconnects stops and deletes its staging tab; then the grant is revoked and deleted', async () => {
    const { target, task } = await largeTask()
    const token = await refreshToken(ADA)
    await slowStaging()
    await start(task)
    await staged(task)
    const reply = await ada.request('POST', `/api/users/${await idOf(ADA)}/disconnect_google`)
    expect(reply.json()).toMatchObject({ email: ADA, grant: 'disconnecting' })
    expect(await lives(token)).toBe(true)
    await disconnected(ADA)
    expect(await runOf(app.db, task)).toMatchObject({ state: 'stopped' })
    expect(await lives(token)).toBe(false)
    expect(await books.values(target, 'Shop')).toEqual(held)
    expect(await books.tabs(target)).toEqual(['Shop'])
    const lines = await logOf(app.db, task)
    expect(lines).toContain(
      'WARNING ada@example.com no longer shares a Google account, and the task has no other one.',
    )
    expect(lines.at(-1)).toBe('WARNING Stopped by ada@example.com')
  })

  test('continues with a colleague’s account listed by its task, and no longer uses the other one', async () => {
    const { target, task } = await largeTask([BEN])
    await app.db.updateTable('users').set({ shares_grant: true }).where('email', '=', BEN).execute()
    await slowStaging()
    await start(task)
    await staged(task)
    await ada.request('POST', `/api/users/${await idOf(ADA)}/disconnect_google`)
    const before = await requestsBy(ADA)
    const run = await runOf(app.db, task)
    expect(run.state).toBe('success')
    expect(await requestsBy(ADA)).toBe(before)
    expect(await books.values(target, 'Shop')).toEqual(large)
    await disconnected(ADA)
  })

  test('in the middle of its commit leaves the old table or the new one, and no tab', async () => {
    const { target, task } = await largeTask()
    await start(task)
    await staged(task)
    await faults({ kind: 'execute-then-timeout', ms: 1_500, match: { method: 'spreadsheets.batchUpdate' } })
    await until(
      'the commit is on its way',
      async () => {
        const [[first] = []] = await books.values(target, 'Shop!A1')
        return first !== 'old' || (await books.tabs(target)).length === 1
      },
      MAX_SECONDS,
    )
    await ada.request('POST', `/api/users/${await idOf(ADA)}/disconnect_google`)
    await faults()
    await disconnected(ADA)
    expect(['stopped', 'success']).toContain((await runOf(app.db, task)).state)
    expect([held, large]).toContainEqual(await books.values(target, 'Shop'))
    expect(await books.tabs(target)).toEqual(['Shop'])
  })
})

test('disabling a user revokes their grant and stops runs that need it; an enabled user connects again', async () => {
  const { task } = await largeTask()
  const token = await refreshToken(ADA)
  await slowStaging()
  await start(task)
  await staged(task)
  const id = await idOf(ADA)
  await ben.request('POST', `/api/users/${id}/disable`, { is_disabled: true })
  await disconnected(ADA)
  expect(await runOf(app.db, task)).toMatchObject({ state: 'stopped', stop_asked_by: BEN })
  expect(await lives(token)).toBe(false)
  await ben.request('POST', `/api/users/${id}/disable`, { is_disabled: false })
  await app.signIn(ADA)
  expect(await grantOf(ADA)).toBe('connected')
})

test('two administrators at once disconnect an account once', async () => {
  const id = await idOf(ADA)
  const url = `/api/users/${id}/disconnect_google`
  const count = () =>
    app.db.selectFrom('audit_log').select('id').where('action', '=', 'disconnect_google').execute()
  const before = (await count()).length
  const replies = await Promise.all([ada.request('POST', url), ben.request('POST', url)])
  expect(replies.map(({ statusCode }) => statusCode)).toEqual([200, 200])
  expect((await count()).length - before).toBe(1)
  expect(await grantOf(ADA)).toBe('none')
})

test('a grant that Google has not revoked yet is not used, and is revoked once Google answers', async () => {
  const token = await refreshToken(ADA)
  const id = await idOf(ADA)
  const away = createServices({
    ...app,
    config: { ...app.config, google: { ...app.config.google, issuer: 'http://127.0.0.1:1' } },
    pool,
    log,
  })
  await app.db
    .transaction()
    .execute((trx) => away.disconnect.begin(trx, { id, email: ADA }, { id, email: ADA }))
  await away.disconnect.finish()
  expect(await grantOf(ADA)).toBe('disconnecting')
  expect(await lives(token)).toBe(true)
  const { task } = await largeTask()
  await start(task)
  const run = await runOf(app.db, task)
  expect([run.state, run.error]).toEqual(['failed', expect.stringContaining('has disconnected Google')])
  // Not revoked again before its time.
  await services.disconnect.finish()
  expect(await lives(token)).toBe(true)
  await app.db.updateTable('grants').set({ revoke_at: new Date() }).where('user_id', '=', id).execute()
  await services.disconnect.finish()
  expect([await grantOf(ADA), await lives(token)]).toEqual(['none', false])
})

test('a user who signs in again during the disconnect gets a new grant', async () => {
  const id = await idOf(ADA)
  await app.db
    .transaction()
    .execute((trx) => services.disconnect.begin(trx, { id, email: ADA }, { id, email: ADA }))
  await app.signIn(ADA)
  await services.disconnect.finish()
  expect([await grantOf(ADA), await lives(await refreshToken(ADA))]).toEqual(['connected', true])
})

test('an expired token counts as revoked', async () => {
  const { clientId, clientSecret } = app.config.google
  const revoke = createRevoke({ clientId, clientSecret, revokeUrl: `${app.sandbox.root}/revoke` })
  expect([await revoke(await refreshToken(BEN)), await revoke('1//gone')]).toEqual([true, true])
})

test('the account of a user removed from the lists is not used after the next restart', async () => {
  const { task } = await largeTask()
  await engine.stop()
  const before = await requestsBy(ADA)
  const closed = createServices({ ...app, config: { ...app.config, allowedEmails: [BEN] }, pool, log })
  engine = await startEngine(app.database, [...closed.handlers])
  await start(task)
  const run = await runOf(app.db, task)
  expect(run).toMatchObject({ state: 'failed', attempts: 1 })
  expect(run.error).toContain('ada@example.com may no longer use Rowferry')
  expect(await requestsBy(ADA)).toBe(before)
})

test('only administrators and the user may disconnect an account', async () => {
  const closed = await testApp({ env: { ADMIN_EMAILS: BEN } })
  const [admin, cleo] = [await closed.signIn(BEN), await closed.signIn('cleo@example.com')]
  const list = users.list.reply.parse((await cleo.request('GET', '/api/users')).json())
  const of = (email: string) =>
    `/api/users/${list.find((user) => user.email === email)?.id}/disconnect_google`
  expect((await cleo.request('POST', of(BEN))).statusCode).toBe(403)
  expect((await admin.request('POST', '/api/users/99999/disconnect_google')).statusCode).toBe(404)
  expect((await cleo.request('POST', of('cleo@example.com'))).json()).toMatchObject({ grant: 'none' })
  expect((await cleo.request('GET', '/api/spreadsheets')).json().message).toBe(
    'Google access is missing. Sign in again to grant it.',
  )
})
