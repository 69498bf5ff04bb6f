import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { buildSandbox } from '../../../../../sandbox/app.ts'
import { control } from '../../../../../test/fakes/sandbox.ts'
import { type TestDatabase, testDatabase } from '../../../../../test/fixtures/database.ts'
import { aUser } from '../../../../../test/fixtures/factories.ts'
import { readGrant, saveGrant } from '../../../platform/auth/grants.ts'
import { deriveKeys } from '../../../platform/auth/keys.ts'
import { OriginFailure } from '../../connector.ts'
import { createTokenSource } from './tokens.ts'

const keys = deriveKeys('a key of the tests, long enough for the rule')
let app: FastifyInstance
let root = ''
let database: TestDatabase
let account = { user_id: 0, email: '' }
let refreshes = 0

beforeAll(async () => {
  database = await testDatabase()
  app = await buildSandbox({ dataDir: null })
  app.addHook('onRequest', async (request) => {
    if (request.url === '/token') refreshes += 1
  })
  root = await app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => app.close())

beforeEach(async () => {
  const email = `${crypto.randomUUID()}@example.com`
  const { id } = await aUser(database.db, { email })
  account = { user_id: id, email }
  await saveGrant(database.db, keys, { user_id: id, refresh_token: await grant(email), scopes: [] })
  refreshes = 0
})

/** A refresh token of the account, by way of the sandbox’s sign-in. */
async function grant(email: string): Promise<string> {
  const query = new URLSearchParams({
    client_id: 'rowferry-sandbox',
    redirect_uri: 'http://127.0.0.1/back',
    response_type: 'code',
    scope: 'openid email https://www.googleapis.com/auth/spreadsheets',
    access_type: 'offline',
    // Otherwise only the first time brings a refresh token.
    prompt: 'consent',
    login_hint: email,
  })
  const { headers } = await fetch(`${root}/o/oauth2/v2/auth?${query}`, { redirect: 'manual' })
  const code = new URL(headers.get('location') ?? '').searchParams.get('code') ?? ''
  const reply = await fetch(`${root}/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      client_id: 'rowferry-sandbox',
      client_secret: 'sandbox-secret',
      redirect_uri: 'http://127.0.0.1/back',
    }),
  })
  return z.object({ refresh_token: z.string() }).parse(await reply.json()).refresh_token
}

const source = () =>
  createTokenSource({
    db: database.db,
    keys,
    clientId: 'rowferry-sandbox',
    clientSecret: 'sandbox-secret',
    tokenUrl: `${root}/token`,
    serviceAccount: undefined,
  })

async function works(token: string): Promise<boolean> {
  const { status } = await fetch(`${root}/v4/spreadsheets/none`, {
    headers: { authorization: `Bearer ${token}` },
  })
  return status === 404
}

test('an access token is fetched once for concurrent requests', async () => {
  const tokens = source()
  const got = await Promise.all(Array.from({ length: 20 }, () => tokens(account)))
  expect(new Set(got).size).toBe(1)
  expect(await works(got[0] ?? '')).toBe(true)
  expect(await tokens(account)).toBe(got[0])
  expect(refreshes).toBe(1)
})

test('a token that Google refused is replaced, once for all who had it refused', async () => {
  const tokens = source()
  const stale = await tokens(account)
  const got = await Promise.all([1, 2, 3].map(() => tokens(account, stale)))
  expect(new Set(got).size).toBe(1)
  expect(await works(got[0] ?? '')).toBe(true)
  expect(refreshes).toBe(2)
})

test('a token is fetched once for several processes', async () => {
  const processes = [source(), source(), source()]
  const got = await Promise.all(processes.map((tokens) => tokens(account)))
  expect(new Set(got).size).toBe(1)
  expect(await works(got[0] ?? '')).toBe(true)
  expect(await source()(account)).toBe(got[0])
  expect(refreshes).toBe(1)

  const renewed = await Promise.all(processes.map((tokens) => tokens(account, got[0])))
  expect(new Set(renewed).size).toBe(1)
  expect(refreshes).toBe(2)
})

test('a token that is about to expire, or came from an earlier grant, is not used', async () => {
  await source()(account)
  await database.db
    .updateTable('grants')
    .set({ access_ends_at: sql<Date>`now() + interval '50 seconds'` })
    .where('user_id', '=', account.user_id)
    .execute()
  await source()(account)
  expect(refreshes).toBe(2)
  const { user_id, email } = account
  await saveGrant(database.db, keys, { user_id, refresh_token: await grant(email), scopes: [] })
  refreshes = 0
  await source()(account)
  expect(refreshes).toBe(1)
})

test('a revoked grant is recorded, fails with the advice to sign in again, and is not tried again', async () => {
  const tokens = source()
  const stale = await tokens(account)
  await control(root, 'POST', 'revoke', { email: account.email })
  const failure = await tokens(account, stale).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(OriginFailure)
  expect(failure).toMatchObject({ kind: 'reconnect' })
  expect(String(failure)).toContain(`${account.email} has to sign in again`)
  expect(await readGrant(database.db, keys, account.user_id)).toEqual({ ok: false, reason: 'revoked' })
  expect(refreshes).toBe(2)
  await expect(tokens(account)).rejects.toMatchObject({ kind: 'reconnect' })
  expect(refreshes).toBe(2)
})

test('a user who has never connected an account is asked to sign in', async () => {
  const { id, email } = await aUser(database.db)
  await expect(source()({ user_id: id, email })).rejects.toThrow(/has to sign in once/)
})

test('an unreachable sign-in server is a transient failure, and the grant stays', async () => {
  const tokens = createTokenSource({
    db: database.db,
    keys,
    clientId: 'rowferry-sandbox',
    clientSecret: 'sandbox-secret',
    tokenUrl: 'http://127.0.0.1:1/token',
    serviceAccount: undefined,
  })
  await expect(tokens(account)).rejects.toMatchObject({ kind: 'unavailable' })
  expect(await readGrant(database.db, keys, account.user_id)).toMatchObject({ ok: true })
})
