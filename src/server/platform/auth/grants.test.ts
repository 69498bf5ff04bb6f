import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../../test/fixtures/database.ts'
import { markRevoked, readGrant, resealGrants, saveAccess, saveGrant } from './grants.ts'
import { deriveKeys } from './keys.ts'
import { seal, unseal } from './seal.ts'

const keys = deriveKeys('a key of the tests, long enough for the rule')
const otherKeys = deriveKeys('another key, as after a change of SECRET_KEY')
const TOKEN = '1//0canary-refresh-token'
const scopes = ['openid', 'email']

let db: TestDatabase['db']
let nextSubject = 0
beforeAll(async () => {
  db = (await testDatabase()).db
})

async function newUser(): Promise<number> {
  const subject = String(nextSubject++)
  const row = { issuer: 'i', subject, email: 'ada@example.com', name: 'Ada' }
  return (await db.insertInto('users').values(row).returning('id').executeTakeFirstOrThrow()).id
}

async function savedGrant(user_id: number, refresh_token = TOKEN) {
  await saveGrant(db, keys, { user_id, refresh_token, scopes })
  const read = await readGrant(db, keys, user_id)
  if (!read.ok) throw new Error(read.reason)
  return read.grant
}

describe('after a change of SECRET_KEY', () => {
  const NEW = 'another key, as after a change of SECRET_KEY'
  const rotated = deriveKeys(NEW, 'a key of the tests, long enough for the rule')

  test('values sealed with the old key, including access tokens, can be opened and sealed again', async () => {
    await db.deleteFrom('grants').execute()
    const user_id = await newUser()
    await saveAccess(db, keys, await savedGrant(user_id), { token: 'ya29.canary', seconds_left: 3_600 })
    expect(await readGrant(db, otherKeys, user_id)).toEqual({ ok: false, reason: 'unreadable' })
    expect(await readGrant(db, rotated, user_id)).toMatchObject({
      grant: { refresh_token: TOKEN, access: { token: 'ya29.canary' } },
    })
    expect(await resealGrants(db, rotated)).toEqual({ resealed: 1, unreadable: 0 })
    expect(await readGrant(db, otherKeys, user_id)).toMatchObject({ grant: { refresh_token: TOKEN } })
    expect(await readGrant(db, keys, user_id)).toEqual({ ok: false, reason: 'unreadable' })
    expect(await resealGrants(db, rotated)).toEqual({ resealed: 0, unreadable: 0 })
  })

  test('sealing again keeps values that no key opens, and the state of a grant', async () => {
    await db.deleteFrom('grants').execute()
    const [ada, ben] = [await newUser(), await newUser()]
    await saveGrant(db, deriveKeys('a key that is lost'), {
      user_id: ada,
      refresh_token: TOKEN,
      scopes,
    })
    await savedGrant(ben)
    await db.updateTable('grants').set({ disconnecting_at: new Date() }).where('user_id', '=', ben).execute()
    expect(await resealGrants(db, rotated)).toEqual({ resealed: 1, unreadable: 1 })
    expect(await readGrant(db, otherKeys, ben)).toMatchObject({ grant: { disconnecting: true } })
  })
})

describe('a grant', () => {
  test('is read as saved', async () => {
    const user_id = await newUser()
    expect(await savedGrant(user_id)).toMatchObject({ user_id, refresh_token: TOKEN, scopes })
  })

  test('is encrypted in the database: no part of the token is readable there', async () => {
    const user_id = await newUser()
    await saveAccess(db, keys, await savedGrant(user_id), { token: 'ya29.canary', seconds_left: 3_600 })
    const { rows } = await sql<{ plain: string }>`
      select encode(refresh_token, 'escape') || encode(access_token, 'escape') || grants::text as plain
      from grants where user_id = ${user_id}`.execute(db)
    expect(rows[0]?.plain).toMatch(/./)
    expect(rows[0]?.plain).not.toContain('canary')
  })

  test('of a user without one is null', async () => {
    expect(await readGrant(db, keys, await newUser())).toEqual({ ok: false, reason: 'none' })
  })

  test('sealed under another key cannot be read, nor one copied to another user', async () => {
    const [ada, ben] = [await newUser(), await newUser()]
    const { sealed } = await savedGrant(ada)
    expect(await readGrant(db, otherKeys, ada)).toEqual({ ok: false, reason: 'unreadable' })
    await savedGrant(ben)
    await db.updateTable('grants').set({ refresh_token: sealed }).where('user_id', '=', ben).execute()
    expect(await readGrant(db, keys, ben)).toEqual({ ok: false, reason: 'unreadable' })
  })

  test('that was revoked is not used until the user grants access again', async () => {
    const user_id = await newUser()
    const grant = await savedGrant(user_id)
    expect(await markRevoked(db, grant)).toBe(true)
    expect(await markRevoked(db, grant)).toBe(false)
    expect(await readGrant(db, keys, user_id)).toEqual({ ok: false, reason: 'revoked' })
    expect((await savedGrant(user_id, 'fresh')).refresh_token).toBe('fresh')
  })

  test('that was renewed meanwhile is not marked as revoked by a caller with the old one', async () => {
    const user_id = await newUser()
    const old = await savedGrant(user_id)
    await savedGrant(user_id, 'fresh')
    expect(await markRevoked(db, old)).toBe(false)
    expect((await readGrant(db, keys, user_id)).ok).toBe(true)
  })
})

describe('a seal', () => {
  const sealed = seal(keys.grants, 'text', 'here')
  test('differs each time', () => {
    expect(seal(keys.grants, 'text', 'here').equals(sealed)).toBe(false)
  })

  test('opens only with its key and context, and not if a bit was changed', () => {
    expect(unseal(keys.grants, sealed, 'here')).toBe('text')
    expect(unseal(keys.grants, sealed, 'there')).toBeUndefined()
    expect(unseal(keys.signIn, sealed, 'here')).toBeUndefined()
    expect(unseal(keys.grants, sealed.subarray(0, 20), 'here')).toBeUndefined()
    for (let index = 0; index < sealed.length; index++) {
      const changed = Buffer.from(sealed)
      changed[index] = (changed[index] ?? 0) ^ 1
      expect(unseal(keys.grants, changed, 'here')).toBeUndefined()
    }
  })
})
