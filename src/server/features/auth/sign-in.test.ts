import fastify from 'fastify'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { buildSandbox } from '../../../../sandbox/app.ts'
import { startProvider, type WrongReply } from '../../../../test/fakes/faulty-identity-provider.ts'
import { answer, cookiesOf, type TestApp, testApp } from '../../../../test/fixtures/app.ts'
import { markRevoked, readGrant } from '../../platform/auth/grants.ts'
import { DATA_SCOPES } from '../../platform/auth/open-id.ts'

let site: TestApp
beforeAll(async () => {
  site = await testApp()
})

const login = (query: Record<string, string> = {}) =>
  site.app.inject({ url: '/auth/login', query: { login_hint: 'ada@example.com', ...query } })
const failure = (reason: string) => `/?sign_in_error=${reason}`

async function grantOf(email: string) {
  const user = await site.db
    .selectFrom('users')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirstOrThrow()
  return { user_id: user.id, read: await readGrant(site.db, site.keys, user.id) }
}

describe('signing in', () => {
  test('requests code, state, nonce, PKCE and offline access from the provider', async () => {
    const { searchParams } = new URL((await login()).headers.location ?? '')
    expect(Object.fromEntries(searchParams)).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      access_type: 'offline',
      login_hint: 'ada@example.com',
      redirect_uri: 'http://localhost:3000/auth/callback',
      scope: `openid email profile ${DATA_SCOPES.join(' ')}`,
    })
    for (const name of ['state', 'nonce', 'code_challenge']) {
      expect(searchParams.get(name)?.length, name).toBeGreaterThanOrEqual(43)
    }
  })

  test('creates the user with a grant and redirects to the task list', async () => {
    const callback = await answer(site.app, await login())
    expect([callback.statusCode, callback.headers.location]).toEqual([302, '/sync_tasks'])
    const check = await site.app.inject({ url: '/auth/check', cookies: cookiesOf(callback) })
    expect(check.json()).toMatchObject({
      authenticated: true,
      user: { email: 'ada@example.com', name: 'Ada Fields' },
      is_admin: true,
      sandbox: { url: site.sandbox.root },
      time_zone: 'America/New_York',
    })
    const { read } = await grantOf('ada@example.com')
    expect(read).toMatchObject({ ok: true, grant: { scopes: expect.arrayContaining(DATA_SCOPES) } })
  })

  test('redirects to the requesting page, never to another site', async () => {
    for (const [return_to, location] of [
      ['/sync_tasks/7/logs', '/sync_tasks/7/logs'],
      ['//evil.example', '/sync_tasks'],
      ['https://evil.example', '/sync_tasks'],
      ['/auth/logout', '/sync_tasks'],
    ] as const) {
      const callback = await answer(site.app, await login({ return_to }))
      expect(callback.headers.location, return_to).toBe(location)
    }
  })

  test('shows the account chooser for links from other sites, whatever address they name', async () => {
    for (const site_of_link of ['cross-site', 'same-site']) {
      const headers = { 'sec-fetch-site': site_of_link }
      const begun = await site.app.inject({ url: '/auth/login?login_hint=ada@example.com', headers })
      const { searchParams } = new URL(begun.headers.location ?? '')
      expect([searchParams.get('login_hint'), searchParams.get('prompt')]).toEqual([null, 'select_account'])
    }
  })

  test('an account is identified by issuer and subject', async () => {
    const first = await (await site.signIn('ben@example.com')).request('GET', '/auth/check')
    const again = await (await site.signIn('ben@example.com')).request('GET', '/auth/check')
    expect(again.json().user).toEqual(first.json().user)
    const people = await site.db
      .selectFrom('users')
      .select(['issuer', 'subject'])
      .where('email', '=', 'ben@example.com')
      .execute()
    expect(people).toEqual([{ issuer: site.sandbox.root, subject: expect.stringMatching(/^\d+$/) }])
  })

  test('always gives a new session and ends the one the browser had', async () => {
    const before = await site.signIn()
    const begun = await login()
    const cookie = `${before.cookie}; rowferry_sign_in=${cookiesOf(begun).rowferry_sign_in}`
    const answered = await fetch(begun.headers.location ?? '', { redirect: 'manual' })
    const { pathname, search } = new URL(answered.headers.get('location') ?? '')
    const callback = await site.app.inject({ url: pathname + search, headers: { cookie } })
    expect(cookiesOf(callback).rowferry_session).toBeTruthy()
    expect(before.cookie).not.toContain(cookiesOf(callback).rowferry_session)
    expect((await before.request('GET', '/api/sync_tasks')).statusCode).toBe(401)
  })

  test('redirects to the host name that is registered with the provider', async () => {
    const headers = { host: '127.0.0.1:3000' }
    const response = await site.app.inject({ url: '/auth/login?return_to=/dev', headers })
    expect(response.headers.location).toBe('http://localhost:3000/auth/login?return_to=/dev')
    for (const host of ['localhost:3000', '127.0.0.1:4000', 'evil.example:3000']) {
      const other = await site.app.inject({ url: '/auth/login', headers: { host } })
      expect(other.headers.location, host).toContain(site.sandbox.root.replace('127.0.0.1', 'localhost'))
    }
  })
})

describe('a sign-in ends with a reason and without a session', () => {
  const end = async (url: string, cookies: Record<string, string>) => {
    const response = await site.app.inject({ url, cookies })
    expect(response.statusCode).toBe(302)
    expect(cookiesOf(response)).toEqual({})
    return response.headers.location
  }
  const callbackOf = async (begun: Awaited<ReturnType<typeof login>>) => {
    const answered = await fetch(begun.headers.location ?? '', { redirect: 'manual' })
    const { pathname, search } = new URL(answered.headers.get('location') ?? '')
    return pathname + search
  }

  test('in another browser, or with the state of another sign-in', async () => {
    const [mine, theirs] = [await login(), await login({ login_hint: 'ben@example.com' })]
    expect(await end(await callbackOf(mine), {})).toBe(failure('expired'))
    expect(await end(await callbackOf(mine), cookiesOf(theirs))).toBe(failure('expired'))
    expect(await end('/auth/callback?code=x', cookiesOf(mine))).toBe(failure('expired'))
    expect(await end('/auth/callback?code=x&state=x', { rowferry_sign_in: 'forged' })).toBe(
      failure('expired'),
    )
  })

  test('with a code that was used before', async () => {
    const begun = await login()
    const url = await callbackOf(begun)
    expect(cookiesOf(await site.app.inject({ url, cookies: cookiesOf(begun) })).rowferry_session).toBeTruthy()
    expect(await end(url, cookiesOf(begun))).toBe(failure('expired'))
  })

  test('more than ten minutes after it began', async () => {
    let clock = new Date()
    const slow = await testApp({ now: () => clock })
    const begun = await slow.app.inject('/auth/login?login_hint=ada@example.com')
    clock = new Date(clock.getTime() + 600_000)
    expect((await answer(slow.app, begun)).headers.location).toBe(failure('expired'))
  })

  test('when the user cancels', async () => {
    const begun = await login()
    const state = new URL(begun.headers.location ?? '').searchParams.get('state')
    expect(await end(`/auth/callback?error=access_denied&state=${state}`, cookiesOf(begun))).toBe(
      failure('cancelled'),
    )
  })

  test('when the user denies a required permission', async () => {
    const begun = await site.app.inject('/auth/login')
    const form = new URLSearchParams({ email: 'dora@example.com', scope: DATA_SCOPES[0] ?? '' })
    const answered = await fetch(begun.headers.location ?? '', {
      method: 'POST',
      body: form,
      redirect: 'manual',
    })
    const { pathname, search } = new URL(answered.headers.get('location') ?? '')
    expect(await end(pathname + search, cookiesOf(begun))).toBe(failure('missing_scope'))
    expect(
      await site.db.selectFrom('users').select('id').where('email', '=', 'dora@example.com').execute(),
    ).toEqual([])
  })

  test('when the account is not on the list, even with a similar address', async () => {
    const closed = await testApp({
      env: { ALLOWED_DOMAINS: 'northwind.example', ALLOWED_EMAILS: 'ben@example.com' },
    })
    const enter = async (email: string) =>
      (
        await answer(
          closed.app,
          await closed.app.inject({ url: '/auth/login', query: { login_hint: email } }),
        )
      ).headers.location
    expect(await enter('cleo@northwind.example')).toBe('/sync_tasks')
    expect(await enter('ben@example.com')).toBe('/sync_tasks')
    expect(await enter('ada@example.com')).toBe(failure('not_allowed'))
    expect(await closed.db.selectFrom('users').select('email').orderBy('email').execute()).toEqual([
      { email: 'ben@example.com' },
      { email: 'cleo@northwind.example' },
    ])
  })

  test('when the user is disabled, who is also signed out', async () => {
    const flo = await site.signIn('flo@example.com')
    await site.db
      .updateTable('users')
      .set({ disabled_at: new Date() })
      .where('email', '=', 'flo@example.com')
      .execute()
    expect((await flo.request('GET', '/api/sync_tasks')).statusCode).toBe(401)
    const callback = await answer(site.app, await login({ login_hint: 'flo@example.com' }))
    expect(callback.headers.location).toBe(failure('not_allowed'))
  })

  test('when the provider is unavailable, which does not prevent the start of the app; later it works', async () => {
    const placeholder = fastify()
    const root = await placeholder.listen({ host: '127.0.0.1', port: 0 })
    await placeholder.close()
    const early = await testApp({ env: { GOOGLE_API_ROOT: root } })
    const away = await early.app.inject('/auth/login?login_hint=ada@example.com')
    expect(away.headers.location).toBe(failure('unavailable'))
    const google = await buildSandbox({ dataDir: null })
    await google.listen({ host: '127.0.0.1', port: Number(new URL(root).port) })
    expect((await early.signIn()).cookie).toContain('rowferry_session=')
    await google.close()
  })
})

describe('offline access', () => {
  test('is requested again if it was lost, once and without the account chooser', async () => {
    await site.signIn('gil@example.com')
    const { user_id } = await grantOf('gil@example.com')
    await site.db.deleteFrom('grants').where('user_id', '=', user_id).execute()
    const again = await answer(site.app, await login({ login_hint: 'gil@example.com', return_to: '/dev' }))
    const { searchParams } = new URL(again.headers.location ?? '')
    expect(searchParams.get('prompt')).toBe('consent')
    expect(searchParams.get('login_hint')).toBe('gil@example.com')
    expect(cookiesOf(again)).not.toHaveProperty('rowferry_session')
    expect((await answer(site.app, again)).headers.location).toBe('/dev')
    expect((await grantOf('gil@example.com')).read.ok).toBe(true)
  })

  test('is requested again if Google revoked it', async () => {
    await site.signIn('hal@example.com')
    const { read } = await grantOf('hal@example.com')
    if (!read.ok) throw new Error(read.reason)
    await markRevoked(site.db, read.grant)
    await site.signIn('hal@example.com')
    expect((await grantOf('hal@example.com')).read.ok).toBe(true)
  })

  test('that the provider never grants ends the sign-in after the second request', async () => {
    const { finish } = await atProvider()
    const again = await finish('/auth/login')
    expect(again.headers.location).toContain('prompt=consent')
    expect((await finish(again)).headers.location).toBe(failure('no_lasting_access'))
  })
})

test('an unverified address cannot sign in', async () => {
  const { finish } = await atProvider()
  const callback = await finish('/auth/login', { claims: { email_verified: false } })
  expect(callback.headers.location).toBe(failure('not_allowed'))
})

/** The app with a provider whose replies can be modified; `finish` passes a reply for `/auth/login` or an earlier one. */
async function atProvider() {
  const provider = await startProvider()
  onTestFinished(() => provider.app.close())
  const { app } = await testApp({ env: { GOOGLE_ISSUER: provider.issuer } })
  const finish = async (begun: string | Awaited<ReturnType<typeof login>>, wrongReply?: WrongReply) => {
    const asked = typeof begun === 'string' ? await app.inject(begun) : begun
    const { searchParams } = new URL(asked.headers.location ?? '')
    provider.next(searchParams.get('nonce') ?? '', wrongReply)
    const url = `/auth/callback?code=c&state=${searchParams.get('state')}`
    return app.inject({ url, cookies: cookiesOf(asked) })
  }
  return { finish }
}
