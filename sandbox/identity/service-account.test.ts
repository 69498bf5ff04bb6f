import { createPrivateKey } from 'node:crypto'
import { SignJWT } from 'jose'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { accessToken, control, testSandbox } from '../../test/fakes/sandbox.ts'

const KeyFile = z.object({ client_email: z.string(), private_key: z.string(), private_key_id: z.string() })
const SCOPE = 'https://www.googleapis.com/auth/spreadsheets'

async function serviceAccount() {
  const { root } = await testSandbox()
  const file = KeyFile.parse(await control(root, 'POST', 'service_accounts', { name: 'copier' }))
  const now = Math.floor(Date.now() / 1000)
  const ask = async (claims: object = {}, pem = file.private_key) => {
    const said = { iss: file.client_email, scope: SCOPE, aud: `${root}/token`, iat: now, exp: now + 3600 }
    const assertion = await new SignJWT({ ...said, ...claims })
      .setProtectedHeader({ alg: 'RS256', kid: file.private_key_id })
      .sign(createPrivateKey(pem))
    const reply = await fetch(`${root}/token`, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion }),
    })
    return z
      .object({ access_token: z.string().optional(), error: z.string().optional() })
      .parse(await reply.json())
  }
  return { root, file, ask, now }
}

const statusOf = async (root: string, token: string, book: string) =>
  (await fetch(`${root}/v4/spreadsheets/${book}`, { headers: { authorization: `Bearer ${token}` } })).status

test('a service account opens files shared with it and owns files it creates', async () => {
  const { root, file, ask } = await serviceAccount()
  const { access_token = '' } = await ask()
  const create = async (token: string) => {
    const reply = await fetch(`${root}/v4/spreadsheets`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: '{}',
    })
    return z.object({ spreadsheetId: z.string() }).parse(await reply.json()).spreadsheetId
  }
  const ada = await accessToken(root)
  const book = await create(ada)
  expect(await statusOf(root, access_token, book)).toBe(403)
  await fetch(`${root}/drive/v3/files/${book}/permissions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ada}`, 'content-type': 'application/json' },
    body: JSON.stringify({ type: 'user', role: 'reader', emailAddress: file.client_email }),
  })
  expect(await statusOf(root, access_token, book)).toBe(200)
  const own = await create(access_token)
  expect([await statusOf(root, access_token, own), await statusOf(root, ada, own)]).toEqual([200, 403])
})

test('an assertion is refused unless key, issuer, audience, scope and time are right', async () => {
  const { root, ask, now } = await serviceAccount()
  const other = KeyFile.parse(await control(root, 'POST', 'service_accounts', { name: 'another' }))
  const refusals = [
    await ask({}, other.private_key),
    await ask({ iss: 'nobody@rowferry-sandbox.iam.gserviceaccount.com' }),
    await ask({ iss: 'ada@example.com' }),
    await ask({ aud: 'https://oauth2.googleapis.com/token' }),
    await ask({ iat: now - 7200, exp: now - 3600 }),
    await ask({ exp: now + 7200 }),
    await ask({ iat: now + 3600, exp: now + 3600 }),
  ]
  expect(refusals).toEqual(refusals.map(() => ({ error: 'invalid_grant' })))
  expect(await ask({ scope: 'everything' })).toEqual({ error: 'invalid_scope' })
  expect(await ask()).toMatchObject({ access_token: expect.any(String) })
})

test('a service account cannot sign in', async () => {
  const { root, file } = await serviceAccount()
  const query = new URLSearchParams({
    client_id: 'rowferry-sandbox',
    redirect_uri: 'http://127.0.0.1:3999/auth/callback',
    response_type: 'code',
    scope: 'openid',
    login_hint: file.client_email,
  })
  const reply = await fetch(`${root}/o/oauth2/v2/auth?${query}`, { redirect: 'manual' })
  expect(reply.status).toBe(200)
  expect(await reply.text()).not.toContain(file.client_email)
})
