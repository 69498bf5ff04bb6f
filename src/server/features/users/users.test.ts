import { expect, test } from 'vitest'
import { testApp } from '../../../../test/fixtures/app.ts'
import { aSyncTaskBody, aType, aUser } from '../../../../test/fixtures/factories.ts'
import { taskServerMessages } from '../../../contract/tasks/server-messages.ts'
import { users } from '../../../contract/users/calls.ts'
import { userServerMessages } from '../../../contract/users/server-messages.ts'

async function world(env: Record<string, string> = {}) {
  const app = await testApp({ env })
  const ada = await app.signIn('ada@example.com')
  const ben = await app.signIn('ben@example.com')
  const list = async () => users.list.reply.parse((await ada.request('GET', '/api/users')).json())
  const idOf = async (email: string) => (await list()).find((user) => user.email === email)?.id
  return { ...app, ada, ben, list, idOf }
}

test('all users who have signed in are listed by name, with the state of their grant', async () => {
  const { db, ada, ben, list, idOf } = await world()
  await aUser(db, { email: 'zoe@example.com', name: 'aaron' })
  await db
    .updateTable('grants')
    .set({ revoked_at: new Date() })
    .where('user_id', '=', (await idOf(ben.email)) ?? 0)
    .execute()
  await ada.request('POST', '/api/sync_tasks', aSyncTaskBody((await aType(db)).id))

  expect(await list()).toEqual([
    expect.objectContaining({ email: 'zoe@example.com', name: 'aaron', grant: 'none', tasks_count: 0 }),
    expect.objectContaining({
      email: 'ada@example.com',
      grant: 'connected',
      shares_grant: false,
      is_disabled: false,
      tasks_count: 1,
    }),
    expect.objectContaining({ email: 'ben@example.com', grant: 'revoked' }),
  ])
})

test('a user shares their own grant and withdraws it; meanwhile colleagues’ tasks may list it', async () => {
  const { db, ada, ben } = await world()
  const type = await aType(db)
  const add = () =>
    ada.request(
      'POST',
      '/api/sync_tasks',
      aSyncTaskBody(type.id, { relevant_user_accounts: ['ben@example.com'] }),
    )
  expect((await add()).statusCode).toBe(400)
  const shared = await ben.request('POST', '/api/users/me/share_grant', { shares_grant: true })
  expect(shared.json()).toMatchObject({ email: 'ben@example.com', shares_grant: true })
  expect((await add()).statusCode).toBe(201)
  await ben.request('POST', '/api/users/me/share_grant', { shares_grant: false })
  expect((await add()).json().message).toBe(taskServerMessages.account_not_shared('ben@example.com'))
})

test('a disabled user’s sessions end at once, and sign-in is refused until the user is enabled', async () => {
  const { ada, ben, signIn, idOf } = await world()
  const id = await idOf('ben@example.com')
  expect((await ben.request('GET', '/api/users')).statusCode).toBe(200)
  const reply = await ada.request('POST', `/api/users/${id}/disable`, { is_disabled: true })
  expect(reply.json()).toMatchObject({ email: 'ben@example.com', is_disabled: true })
  expect((await ben.request('GET', '/api/users')).statusCode).toBe(401)
  await expect(signIn('ben@example.com')).rejects.toThrow('not_allowed')
  await ada.request('POST', `/api/users/${id}/disable`, { is_disabled: false })
  expect((await (await signIn('ben@example.com')).request('GET', '/api/users')).statusCode).toBe(200)
})

test('users cannot disable themselves, and only administrators can disable users', async () => {
  const { ada, ben, idOf } = await world({ ADMIN_EMAILS: 'ada@example.com' })
  const self = await ada.request('POST', `/api/users/${await idOf('ada@example.com')}/disable`, {
    is_disabled: true,
  })
  expect([self.statusCode, self.json().message]).toEqual([400, userServerMessages.disable_yourself])
  const other = await ben.request('POST', `/api/users/${await idOf('ada@example.com')}/disable`, {
    is_disabled: true,
  })
  expect(other.statusCode).toBe(403)
  expect((await ada.request('POST', '/api/users/99999/disable', { is_disabled: true })).statusCode).toBe(404)
})

test('sharing and disabling are in the audit log', async () => {
  const { db, ada, ben, idOf } = await world()
  await ben.request('POST', '/api/users/me/share_grant', { shares_grant: true })
  const id = await idOf('ben@example.com')
  await ada.request('POST', `/api/users/${id}/disable`, { is_disabled: true })
  const lines = await db
    .selectFrom('audit_log')
    .select(['actor', 'action'])
    .where('object_type', '=', 'user')
    .where('object_id', '=', String(id))
    .where('action', 'in', ['share_grant', 'disable'])
    .orderBy('id')
    .execute()
  expect(lines).toEqual([
    { actor: 'ben@example.com', action: 'share_grant' },
    { actor: 'ada@example.com', action: 'disable' },
  ])
})
