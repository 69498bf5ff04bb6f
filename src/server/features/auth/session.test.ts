import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { cookiesOf, type SignedIn, type TestApp, testApp } from '../../../../test/fixtures/app.ts'

let site: TestApp
beforeAll(async () => {
  site = await testApp()
})

const status = async (person: SignedIn) => (await person.request('GET', '/api/sync_tasks')).statusCode

/** Moves the only session of the person into the past. */
async function age(email: string, { created = '0 h', seen = '0 h', expires = '0 h' }): Promise<void> {
  await sql`
    update sessions s set created_at = s.created_at - ${created}::interval,
      last_seen_at = s.last_seen_at - ${seen}::interval, expires_at = s.expires_at - ${expires}::interval
    from users u where u.id = s.user_id and u.email = ${email}`.execute(site.db)
}

/** Hours from now until the person's session ends. */
async function hoursLeft(email: string): Promise<number> {
  const { rows } = await sql<{ hours: number }>`
    select extract(epoch from s.expires_at - now())::float8 / 3600 as hours
    from sessions s join users u on u.id = s.user_id where u.email = ${email}`.execute(site.db)
  return rows[0]?.hours ?? 0
}

describe('a session', () => {
  test('ends when it was not used for 12 hours', async () => {
    const ada = await site.signIn('idle@example.com')
    expect(await hoursLeft('idle@example.com')).toBeCloseTo(12, 1)
    await age('idle@example.com', { seen: '12 h', expires: '12 h' })
    expect(await status(ada)).toBe(401)
  })

  test('continues while it is used', async () => {
    const ada = await site.signIn('busy@example.com')
    await age('busy@example.com', { created: '11 h', seen: '11 h', expires: '11 h' })
    expect(await status(ada)).toBe(200)
    expect(await hoursLeft('busy@example.com')).toBeCloseTo(12, 1)
  })

  test('ends after 7 days however much it is used', async () => {
    const ada = await site.signIn('old@example.com')
    await age('old@example.com', { created: '167 h', seen: '1 h' })
    expect(await status(ada)).toBe(200)
    expect(await hoursLeft('old@example.com')).toBeCloseTo(1, 1)
  })

  test('is not written at every request', async () => {
    const ada = await site.signIn('calm@example.com')
    const version = () =>
      sql<{
        xmin: string
      }>`select s.xmin from sessions s join users u on u.id = s.user_id where u.email = 'calm@example.com'`.execute(
        site.db,
      )
    const before = await version()
    await ada.request('GET', '/auth/check')
    expect((await version()).rows).toEqual(before.rows)
  })

  test('is deleted after its end at the next sign-in', async () => {
    await site.signIn('gone@example.com')
    await age('gone@example.com', { expires: '13 h' })
    await site.signIn()
    expect(await hoursLeft('gone@example.com')).toBe(0)
  })

  test('of a user removed from the list ends at once', async () => {
    const [ada, ben] = [await site.signIn('ada@example.com'), await site.signIn('ben@example.com')]
    const narrowed = await testApp({ env: { ALLOWED_EMAILS: 'ada@example.com' }, database: site.database })
    const read = (person: SignedIn) =>
      narrowed.app.inject({ url: '/api/sync_tasks', headers: person.headers })
    expect([(await read(ada)).statusCode, (await read(ben)).statusCode]).toEqual([200, 401])
  })

  test('of a disabled user is refused, even one that was opened while the user was being disabled', async () => {
    const eve = await site.signIn('eve@example.com')
    await sql`update users set disabled_at = now() where email = 'eve@example.com'`.execute(site.db)
    expect(await status(eve)).toBe(401)
  })
})

describe('signing out', () => {
  const logout = (person: SignedIn, headers: Record<string, string>) =>
    site.app.inject({ url: '/auth/logout', headers: { cookie: person.cookie, ...headers } })

  test('with the anti-forgery header ends the session everywhere and clears the cookies', async () => {
    const ada = await site.signIn()
    const response = await ada.request('GET', '/auth/logout')
    expect(response.json()).toEqual({ success: true })
    expect(response.cookies.map(({ name, value }) => [name, value])).toEqual([
      ['rowferry_session', ''],
      ['XSRF-TOKEN', ''],
    ])
    expect(await status(ada)).toBe(401)
  })

  test("works only for a fetch from the app's own page", async () => {
    const ada = await site.signIn()
    const others: Record<string, string>[] = [
      {},
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'none' },
      { 'x-xsrf-token': 'wrong' },
    ]
    for (const headers of others) {
      expect((await logout(ada, headers)).statusCode, JSON.stringify(headers)).toBe(403)
    }
    expect(await status(ada)).toBe(200)
    expect((await logout(ada, { 'sec-fetch-site': 'same-origin' })).json()).toEqual({ success: true })
    expect(await status(ada)).toBe(401)
  })

  test('without a session is a success', async () => {
    expect((await site.app.inject('/auth/logout')).json()).toEqual({ success: true })
  })
})

test('without a session the reply is unauthenticated and sets no cookie', async () => {
  const response = await site.app.inject('/auth/check')
  expect(response.json()).toMatchObject({ authenticated: false, user: null, is_admin: false })
  expect(cookiesOf(response)).toEqual({})
})

test('administrators are those of ADMIN_EMAILS', async () => {
  const ruled = await testApp({ env: { ADMIN_EMAILS: 'ada@example.com' } })
  const isAdmin = async (email: string) =>
    (await (await ruled.signIn(email)).request('GET', '/auth/check')).json().is_admin
  expect([await isAdmin('ada@example.com'), await isAdmin('ben@example.com')]).toEqual([true, false])
})

test('a check renews the anti-forgery cookie that the page reads', async () => {
  const ada = await site.signIn()
  const response = await site.app.inject({ url: '/auth/check', headers: { cookie: ada.cookie } })
  const cookie = response.cookies.find(({ name }) => name === 'XSRF-TOKEN')
  expect(cookie).toMatchObject({ value: ada.headers['x-xsrf-token'], sameSite: 'Lax', path: '/' })
  expect(cookie).not.toHaveProperty('httpOnly')
})
