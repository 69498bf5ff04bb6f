import { beforeAll, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../../../test/fixtures/database.ts'
import { aUser } from '../../../../../test/fixtures/factories.ts'
import { openEntry } from '../../../../../test/fixtures/open-entry.ts'
import { accountsFor } from './accounts.ts'

const busy = { project: 'test', window_ms: 61_000, entry: openEntry, purpose: 'work' as const }
let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})

type Person = { email: string; shares?: boolean; disabled?: boolean; grant?: 'live' | 'revoked' | 'none' }

async function person({ email, shares = false, disabled = false, grant = 'live' }: Person): Promise<number> {
  const { db } = database
  const disabled_at = disabled ? new Date() : null
  const { id } = await aUser(db, { email, shares_grant: shares, disabled_at })
  if (grant !== 'none') {
    const revoked_at = grant === 'revoked' ? new Date() : null
    const sealed = { refresh_token: Buffer.from('x'), key_id: 'k', scopes: [], revoked_at }
    await db
      .insertInto('grants')
      .values({ user_id: id, ...sealed })
      .execute()
  }
  return id
}

const emails = async (account_user_id: number | null, relevant_user_accounts: string[]) =>
  (await accountsFor(database.db, { account_user_id, relevant_user_accounts }, busy)).map(
    ({ email }) => email,
  )

test('a task may use the grant of its own account and those of named users who have opted in, and no other', async () => {
  const ada = await person({ email: 'ada@one.example' })
  await person({ email: 'Ben@one.example', shares: true })
  await person({ email: 'private@one.example' })
  await person({ email: 'gone@one.example', shares: true, disabled: true })
  await person({ email: 'revoked@one.example', shares: true, grant: 'revoked' })
  await person({ email: 'unnamed@one.example', shares: true })
  const named = ['ben@one.example', 'private@one.example', 'gone@one.example', 'revoked@one.example']
  expect(await emails(ada, named)).toEqual(['ada@one.example', 'Ben@one.example'])
  expect(await emails(ada, [])).toEqual(['ada@one.example'])
})

test('the least busy account comes first', async () => {
  const ada = await person({ email: 'ada@two.example' })
  await person({ email: 'ben@two.example', shares: true })
  const start = { project: 'test', account: 'ada@two.example', kind: 'read' as const, started_at: new Date() }
  await database.db.insertInto('quota_log').values([start, start]).execute()
  expect(await emails(ada, ['ben@two.example'])).toEqual(['ben@two.example', 'ada@two.example'])
})

test('without any account the failure names the remedy', async () => {
  const revoked = await person({ email: 'ada@three.example', grant: 'revoked' })
  await expect(emails(revoked, [])).rejects.toThrow(
    'Google access of ada@three.example was revoked or has ended. Sign in again to reconnect.',
  )
  await expect(emails(null, ['nobody@three.example'])).rejects.toMatchObject({ kind: 'reconnect' })
})
