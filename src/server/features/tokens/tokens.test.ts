import { beforeAll, expect, test } from 'vitest'
import { type SignedIn, type TestApp, testApp } from '../../../../test/fixtures/app.ts'
import { aSyncTask } from '../../../../test/fixtures/factories.ts'
import { aToken, withToken } from '../../../../test/fixtures/tokens.ts'
import { tokens } from '../../../contract/tokens/calls.ts'
import { tokenMessages } from '../../../contract/tokens/client-messages.ts'
import { tokenLimits } from '../../../contract/tokens/limits.ts'

let site: TestApp
let ada: SignedIn
beforeAll(async () => {
  site = await testApp({ env: { ADMIN_EMAILS: 'ada@example.com' } })
  ada = await site.signIn('ada@example.com')
})

const wanted = { name: 'Nightly', right: 'run', expires_in_days: 30 }
const list = async (person: SignedIn) =>
  tokens.list.reply.parse((await person.request('GET', '/api/tokens')).json())
const statusWith = async (token: string, url = '/api/sync_tasks') =>
  (await withToken(site.app, token)('GET', url)).statusCode

test('a token is shown once: the database keeps its hash, the list its last characters', async () => {
  const eve = await site.signIn('eve@example.com')
  const reply = await eve.request('POST', '/api/tokens', wanted)
  expect(reply.statusCode).toBe(201)
  const { token, ...rest } = tokens.create.reply.parse(reply.json())
  expect(token).toMatch(/^rowferry_[\w-]{43}$/)
  expect(await list(eve)).toEqual([rest])
  expect(rest).toMatchObject({ name: 'Nightly', right: 'run', hint: token.slice(-4), last_used_at: null })
  expect(Date.parse(rest.expires_at) - Date.parse(rest.created_at)).toBe(30 * 24 * 3600_000)

  const kept = await site.db.selectFrom('api_tokens').selectAll().execute()
  const noted = await site.db.selectFrom('audit_log').selectAll().execute()
  expect(JSON.stringify([kept, noted]) + site.logs()).not.toContain(token.slice(9, -4))
})

test('a program with a token calls as its owner, without cookie and anti-forgery header, and gets no cookie', async () => {
  const task = await aSyncTask(site.db)
  const send = withToken(site.app, await aToken(ada, 'run', 'Loader'))
  const reply = await send('POST', `/api/sync_tasks/${task.id}/execute`)
  expect(reply.statusCode).toBe(200)
  const check = await send('GET', '/auth/check')
  expect(check.json()).toMatchObject({ authenticated: true, user: { email: 'ada@example.com' } })
  expect([...reply.cookies, ...check.cookies]).toEqual([])

  const run = await site.db
    .selectFrom('runs')
    .select('trigger_label')
    .where('task_id', '=', task.id)
    .executeTakeFirstOrThrow()
  expect(run.trigger_label).toBe('ada@example.com (token Loader)')
  const line = await site.db
    .selectFrom('audit_log')
    .select(['actor', 'details'])
    .where('action', '=', 'execute')
    .executeTakeFirstOrThrow()
  expect(line).toEqual({ actor: 'ada@example.com', details: { token: 'Loader' } })
  const used = (await list(ada)).find(({ name }) => name === 'Loader')
  expect(used?.last_used_at).not.toBeNull()
})

test('an invented, truncated, expired or revoked token is refused, even with a valid cookie', async () => {
  const token = await aToken(ada, 'edit', 'Short')
  expect(await statusWith(token)).toBe(200)
  for (const wrong of [
    `${token}x`,
    token.slice(0, -1),
    token.toUpperCase(),
    'rowferry_',
    'x'.repeat(9_000),
    '',
  ]) {
    const headers = { ...ada.headers, authorization: `Bearer ${wrong}` }
    const reply = await site.app.inject({ url: '/api/sync_tasks', headers })
    expect([reply.statusCode, reply.json().message], wrong.slice(0, 60)).toEqual([401, tokenMessages.invalid])
  }
  await site.db
    .updateTable('api_tokens')
    .set({ expires_at: new Date(Date.now() - 1000) })
    .where('name', '=', 'Short')
    .execute()
  expect(await statusWith(token)).toBe(401)
  expect((await list(ada)).find(({ name }) => name === 'Short')?.is_expired).toBe(true)

  const other = await aToken(ada, 'read', 'Other')
  const id = (await list(ada)).find(({ name }) => name === 'Other')?.id
  const ben = await site.signIn('ben@example.com')
  expect((await ben.request('DELETE', `/api/tokens/${id}`)).statusCode).toBe(404)
  expect(await statusWith(other)).toBe(200)
  expect((await ada.request('DELETE', `/api/tokens/${id}`)).statusCode).toBe(204)
  expect(await statusWith(other)).toBe(401)
})

test('disabling a user revokes their tokens, and so does removing their address from the list', async () => {
  const cleo = await site.signIn('cleo@example.com')
  const token = await aToken(cleo, 'read')
  const { id } = await site.db
    .selectFrom('users')
    .select('id')
    .where('email', '=', 'cleo@example.com')
    .executeTakeFirstOrThrow()
  for (const is_disabled of [true, false]) {
    await ada.request('POST', `/api/users/${id}/disable`, { is_disabled })
    expect(await statusWith(token)).toBe(401)
  }
  const dora = await site.signIn('dora@example.com')
  const kept = await aToken(dora, 'read')
  const narrower = await testApp({ database: site.database, env: { ALLOWED_EMAILS: 'ada@example.com' } })
  expect((await withToken(narrower.app, kept)('GET', '/api/sync_tasks')).statusCode).toBe(401)
  expect(await statusWith(kept)).toBe(200)
})

test('token names of a user are unique, and their number is limited', async () => {
  const flo = await site.signIn('flo@example.com')
  await aToken(flo, 'read', 'Twice')
  const again = await flo.request('POST', '/api/tokens', { ...wanted, name: 'Twice' })
  expect([again.statusCode, again.json()]).toMatchObject([
    409,
    { message: tokenMessages.name_taken, field: 'name' },
  ])
  await Promise.all(
    Array.from({ length: tokenLimits.per_person + 4 }, (_, n) =>
      flo.request('POST', '/api/tokens', { ...wanted, name: `Token ${n}` }),
    ),
  )
  expect(await list(flo)).toHaveLength(tokenLimits.per_person)
  for (const wrong of [{ expires_in_days: 0 }, { expires_in_days: 366 }, { right: 'admin' }, { name: ' ' }])
    expect((await flo.request('POST', '/api/tokens', { ...wanted, ...wrong })).statusCode).toBe(400)
})

test('a token has a rate limit', async () => {
  const strict = await testApp({
    rateLimits: { strict_per_minute: 1000, general_per_10_seconds: 1000, token_per_minute: 3 },
  })
  const send = withToken(strict.app, await aToken(await strict.signIn(), 'read'))
  for (const expected of [200, 200, 200, 429])
    expect((await send('GET', '/api/sync_tasks')).statusCode).toBe(expected)
})
