import { sheets } from '@googleapis/sheets'
import { OAuth2Client } from 'google-auth-library'
import { beforeEach, expect, test } from 'vitest'
import { accessToken } from '../../../../../test/fakes/sandbox.ts'
import { copyWorld } from '../../../../../test/fixtures/copy-world.ts'
import { aUser } from '../../../../../test/fixtures/factories.ts'

const world = copyWorld()
beforeEach(() => world.faults())

/** Another user with a private spreadsheet. */
async function otherUser(email: string, shares_grant: boolean): Promise<string> {
  const { id } = await aUser(world.db, { email, shares_grant })
  const sealed = { refresh_token: Buffer.from('unused'), key_id: 'test', scopes: [] }
  await world.db
    .insertInto('grants')
    .values({ user_id: id, ...sealed })
    .execute()
  const auth = new OAuth2Client()
  auth.setCredentials({ access_token: await accessToken(world.root, email) })
  const api = sheets({ version: 'v4', auth, rootUrl: `${world.root}/`, retry: false })
  const { data } = await api.spreadsheets.create({
    requestBody: { sheets: [{ properties: { title: 'Shop' } }] },
  })
  return data.spreadsheetId ?? ''
}

async function taskInto(target_ss_id: string, relevant_user_accounts: string[]) {
  const source = await world.spreadsheet({ Products: [['SKU'], ['A']] })
  const task = await world.task({
    source_ss_id: source,
    target_ss_id,
    relevant_user_accounts,
  })
  return { source, task }
}

test('naming the owner of a private sheet gives no access to it unless the owner has opted in', async () => {
  const target = await otherUser('private@example.com', false)
  const { task } = await taskInto(target, ['private@example.com'])
  const run = await world.run(task)
  expect(run.state).toBe('failed')
  expect(run.message).toBe(
    `ada@example.com may not open the spreadsheet ${target}: ask its owner for access, or choose another account.`,
  )
})

test('an account that can open source and target is found among those that the task may use', async () => {
  const book = await otherUser('ben@example.com', true)
  await world.db
    .updateTable('users')
    .set({ shares_grant: true })
    .where('email', '=', 'ben@example.com')
    .execute()
  const auth = new OAuth2Client()
  auth.setCredentials({ access_token: await accessToken(world.root, 'ben@example.com') })
  const api = sheets({ version: 'v4', auth, rootUrl: `${world.root}/`, retry: false })
  await api.spreadsheets.batchUpdate({
    spreadsheetId: book,
    requestBody: { requests: [{ addSheet: { properties: { title: 'Products' } } }] },
  })
  await api.spreadsheets.values.update({
    spreadsheetId: book,
    range: 'Products!A1',
    valueInputOption: 'RAW',
    requestBody: { values: [['SKU'], ['A']] },
  })
  const task = await world.task({
    source_ss_id: book,
    target_ss_id: book,
    relevant_user_accounts: ['ben@example.com'],
  })
  const run = await world.run(task)
  expect(run).toMatchObject({ state: 'success', receipt: { account: 'ben@example.com' } })
})

test('source and target may need different accounts: one reads the source, another writes the target', async () => {
  const target = await otherUser('cleo@example.com', true)
  const { source, task } = await taskInto(target, ['cleo@example.com'])
  const run = await world.run(task)
  expect(run).toMatchObject({ state: 'success', message: expect.stringContaining('The target holds 1 row') })
  expect(run.receipt?.account.split(', ').sort()).toEqual(['ada@example.com', 'cleo@example.com'])
  const again = await world.run(task)
  expect(again).toMatchObject({ state: 'success', receipt: { mode: 'unchanged' } })

  // Without access to the target, the message names the target, although the same accounts read the source.
  await world.db
    .updateTable('users')
    .set({ shares_grant: false })
    .where('email', '=', 'cleo@example.com')
    .execute()
  const refused = await world.run(task)
  expect(refused.message).toContain(`ada@example.com may not open the spreadsheet ${target}`)
  expect(refused.message).not.toContain(source)
})

test('an access token that Google refuses again and again is a failure, not an endless loop', async () => {
  const target = await world.spreadsheet({ Shop: [] })
  const { task } = await taskInto(target, [])
  await world.setRetries(task, 0)
  await world.faults({ kind: 'revoked-grant' })
  const run = await world.run(task)
  expect(run.state).toBe('failed')
  expect(run.message).toContain('Google did not accept the access token of ada@example.com.')
  // Source and target are opened in parallel.
  expect(run.requests.read).toBeLessThanOrEqual(4)
})
