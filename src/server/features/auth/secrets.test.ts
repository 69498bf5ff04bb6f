import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { cookiesOf, testApp } from '../../../../test/fixtures/app.ts'
import { readGrant } from '../../platform/auth/grants.ts'

test('refresh token, session id, sign-in code and verifier appear in no log, reply or database row', async () => {
  const site = await testApp()
  const replies: string[] = []

  const login = await site.app.inject('/auth/login?login_hint=ada@example.com')
  const answered = await fetch(login.headers.location ?? '', { redirect: 'manual' })
  const { pathname, search, searchParams } = new URL(answered.headers.get('location') ?? '')
  const callback = await site.app.inject({ url: pathname + search, cookies: cookiesOf(login) })
  const cookies = cookiesOf(callback)
  const user = await site.db.selectFrom('users').select('id').executeTakeFirstOrThrow()
  const read = await readGrant(site.db, site.keys, user.id)
  if (!read.ok) throw new Error(read.reason)

  const headers = { 'x-xsrf-token': cookies['XSRF-TOKEN'] ?? '' }
  for (const { method, url } of [
    { method: 'GET', url: '/auth/check' },
    { method: 'GET', url: '/api/sync_tasks?limit=x' },
    { method: 'GET', url: '/api/nothing' },
    { method: 'GET', url: `/auth/callback?code=${searchParams.get('code')}&state=x` },
    { method: 'POST', url: '/api/sync_tasks' },
  ] as const) {
    const response = await site.app.inject({ method, url, cookies, headers })
    replies.push(response.body, JSON.stringify(response.headers))
  }

  const secrets = {
    refresh_token: read.grant.refresh_token,
    session: cookies.rowferry_session ?? '',
    code: searchParams.get('code') ?? '',
    attempt: cookiesOf(login).rowferry_sign_in ?? '',
    key: site.config.secretKey,
  }
  const places = { logs: site.logs(), replies: replies.join('\n'), database: await dump(site.db) }
  expect(places.logs).toContain('/auth/callback')
  expect(places.database).toContain('ada@example.com')
  expect(await site.db.selectFrom('sessions').select('user_id').execute()).toEqual([{ user_id: user.id }])
  for (const [place, content] of Object.entries(places)) {
    for (const [name, secret] of Object.entries(secrets)) {
      expect(secret.length, name).toBeGreaterThan(20)
      for (const form of [
        secret,
        encodeURIComponent(secret),
        Buffer.from(secret).toString('hex'),
        Buffer.from(secret).toString('base64'),
      ]) {
        expect(content.includes(form), `${name} in ${place}`).toBe(false)
      }
    }
  }
})

async function dump(db: Awaited<ReturnType<typeof testApp>>['db']): Promise<string> {
  const { rows: tables } = await sql<{ name: string }>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema')`.execute(db)
  const texts = await Promise.all(
    tables.map(async ({ name }) => {
      const { rows } = await sql<{ row: string }>`select t::text as row from ${sql.raw(name)} t`.execute(db)
      return rows.map(({ row }) => row).join('\n')
    }),
  )
  return texts.join('\n')
}
