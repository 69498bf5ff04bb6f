import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { type SignedIn, type TestApp, testApp } from '../../../../test/fixtures/app.ts'

let site: TestApp
let ada: SignedIn
let bob: SignedIn
let admin: SignedIn

beforeAll(async () => {
  site = await testApp({ env: { ADMIN_EMAILS: 'root@example.com' } })
  ada = await site.signIn()
  bob = await site.signIn('bob@example.com')
  admin = await site.signIn('root@example.com')
})

const QUERY = 'q=prices+%26+more&status=Error&status=Failed'
const save = (user: SignedIn, view: object) =>
  user.request('POST', '/api/saved_views', { list: 'sync', query: QUERY, ...view })
const namesOf = async (user: SignedIn, list = 'sync') =>
  (await user.request('GET', `/api/saved_views?list=${list}`))
    .json()
    .map(({ name }: { name: string }) => name)

test('a private view is seen, changed and deleted by its owner only', async () => {
  const reply = await save(ada, { name: ' Mine ' })
  expect(reply.statusCode).toBe(201)
  const { id } = reply.json()
  expect(reply.json()).toMatchObject({ name: 'Mine', query: QUERY, is_shared: false, can_edit: true })
  for (const other of [bob, admin]) {
    expect(await namesOf(other)).not.toContain('Mine')
    expect((await other.request('PUT', `/api/saved_views/${id}`, { name: 'Theirs' })).statusCode).toBe(404)
    expect((await other.request('DELETE', `/api/saved_views/${id}`)).statusCode).toBe(404)
  }
  expect((await ada.request('PUT', `/api/saved_views/${id}`, { name: 'Renamed' })).json()).toMatchObject({
    name: 'Renamed',
    query: QUERY,
  })
  expect((await ada.request('DELETE', `/api/saved_views/${id}`)).statusCode).toBe(204)
  expect((await ada.request('DELETE', `/api/saved_views/${id}`)).statusCode).toBe(404)
})

test('a shared view is seen by all users, and changed by its owner and administrators', async () => {
  const { id } = (await save(ada, { name: 'For all', is_shared: true })).json()
  const [seen] = (await bob.request('GET', '/api/saved_views?list=sync')).json()
  expect(seen).toMatchObject({
    name: 'For all',
    can_edit: false,
    owner: { name: expect.stringMatching(/ada/i) },
  })
  const refused = await bob.request('PUT', `/api/saved_views/${id}`, { name: 'Taken over' })
  expect([refused.statusCode, refused.json().message]).toEqual([
    403,
    'Only its owner or an administrator may change a shared view.',
  ])
  expect((await bob.request('DELETE', `/api/saved_views/${id}`)).statusCode).toBe(403)
  expect((await admin.request('PUT', `/api/saved_views/${id}`, { name: 'Tidied' })).json()).toMatchObject({
    name: 'Tidied',
    owner: seen.owner,
  })
  expect((await admin.request('DELETE', `/api/saved_views/${id}`)).statusCode).toBe(204)
  expect(await namesOf(ada)).toEqual([])
})

test('an administrator who unshares a view loses sight of it', async () => {
  const { id } = (await save(ada, { name: 'Withdrawn', is_shared: true })).json()
  const reply = await admin.request('PUT', `/api/saved_views/${id}`, { is_shared: false })
  expect(reply.statusCode).toBe(200)
  expect(await namesOf(admin)).not.toContain('Withdrawn')
  expect(await namesOf(ada)).toContain('Withdrawn')
  await ada.request('DELETE', `/api/saved_views/${id}`)
})

test('a name is taken once per user and list, ignoring case, also by requests at the same time', async () => {
  const replies = await Promise.all([save(ada, { name: 'Once' }), save(ada, { name: 'ONCE' })])
  expect(replies.map(({ statusCode }) => statusCode).sort()).toEqual([201, 409])
  expect(replies.find(({ statusCode }) => statusCode === 409)?.json()).toMatchObject({
    code: 'view_name_taken',
    field: 'name',
  })
  expect((await save(ada, { name: 'Once', list: 'runs', query: 'time=24h' })).statusCode).toBe(201)
  expect((await save(bob, { name: 'Once' })).statusCode).toBe(201)
  expect(await namesOf(ada, 'runs')).toEqual(['Once'])
})

test.each([
  '',
  '?status=Error',
  'status=Error#top',
  'javascript:alert(1)',
  '//evil.example',
  'q=<script>',
  'q=%zz',
  'q=a b',
  '&q=1',
  'q=1&&q=2',
])('the filters %j are refused by name', async (query) => {
  const reply = await save(ada, { name: 'Bad', query })
  expect([reply.statusCode, reply.json().field]).toEqual([400, 'query'])
})

test('filters that are too long and lists that do not exist are refused', async () => {
  expect((await save(ada, { name: 'Long', query: `q=${'a'.repeat(2000)}` })).json().message).toContain(
    '2,000 characters',
  )
  expect((await save(ada, { name: 'Where', list: 'compiler' })).json().field).toBe('list')
})

test('a user has at most 200 views', async () => {
  const carl = await site.signIn('carl@example.com')
  await sql`insert into saved_views (user_id, list, name, query)
    select id, 'sync', n::text, 'q=1' from users, generate_series(1, 199) n
    where email = 'carl@example.com'`.execute(site.db)
  const replies = await Promise.all([save(carl, { name: 'a' }), save(carl, { name: 'b' })])
  expect(replies.map(({ statusCode }) => statusCode).sort()).toEqual([201, 409])
})
