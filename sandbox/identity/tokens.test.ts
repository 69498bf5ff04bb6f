import { OAuth2Client } from 'google-auth-library'
import * as oidc from 'openid-client'
import { expect, test } from 'vitest'
import { discover, signIn } from '../../test/fakes/identity-client.ts'
import { control, testSandbox } from '../../test/fakes/sandbox.ts'

test('a refresh token is issued with the first offline consent and with prompt=consent, and can be used repeatedly', async () => {
  const { root } = await testSandbox()
  const config = await discover(root)
  const first = await signIn(config, 'ada@example.com')
  const second = await signIn(config, 'ada@example.com')
  const forced = await signIn(config, 'ada@example.com', { prompt: 'consent' })
  const online = await signIn(config, 'ben@example.com', { access_type: 'online' })
  expect(second.refresh_token).toBeUndefined()
  expect(forced.refresh_token).toBeTypeOf('string')
  expect(online.refresh_token).toBeUndefined()
  for (const _ of [1, 2]) {
    const refreshed = await oidc.refreshTokenGrant(config, first.refresh_token ?? '')
    expect(refreshed.expires_in).toBeGreaterThan(3500)
    expect(refreshed.claims()).toMatchObject({ email: 'ada@example.com' })
  }
})

test("revoking a token ends the whole grant, with Google's errors", async () => {
  const { root } = await testSandbox()
  const config = await discover(root)
  const tokens = await signIn(config, 'ada@example.com')
  await oidc.tokenRevocation(config, tokens.refresh_token ?? '')
  await expect(oidc.refreshTokenGrant(config, tokens.refresh_token ?? '')).rejects.toMatchObject({
    error: 'invalid_grant',
    error_description: 'Token has been expired or revoked.',
  })
  const refused = await fetch(`${root}/drive/v3/files`, {
    headers: { authorization: `Bearer ${tokens.access_token}` },
  })
  expect(refused.status).toBe(401)
  expect(refused.headers.get('www-authenticate')).toContain('invalid_token')
})

test('an access token becomes invalid when its grant is revoked', async () => {
  const { root } = await testSandbox()
  const config = await discover(root)
  const tokens = await signIn(config, 'ada@example.com')
  const headers = { authorization: `Bearer ${tokens.access_token}` }
  const status = async () => (await fetch(`${root}/drive/v3/files`, { headers })).status
  expect(await status()).toBe(200)
  await oidc.tokenRevocation(config, tokens.refresh_token ?? '')
  expect(await status()).toBe(401)
})

test('in testing mode a refresh token expires after seven days, otherwise it does not', async () => {
  let now = new Date()
  const { root } = await testSandbox({ now: () => now })
  const config = await discover(root)
  const lasting = await signIn(config, 'ben@example.com')
  await control(root, 'PUT', 'testing_mode', { enabled: true })
  const testing = await signIn(config, 'ada@example.com')
  expect(testing.refresh_token_expires_in).toBe(604_800)
  const refresh = (token = '') =>
    fetch(`${root}/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'refresh_token',
        refresh_token: token,
        client_id: 'rowferry-sandbox',
        client_secret: 'sandbox-secret',
      }),
    })
  now = new Date(now.getTime() + 7 * 24 * 3600 * 1000 - 1000)
  expect((await refresh(testing.refresh_token)).status).toBe(200)
  now = new Date(now.getTime() + 1000)
  expect(await (await refresh(testing.refresh_token)).json()).toMatchObject({ error: 'invalid_grant' })
  expect((await refresh(lasting.refresh_token)).status).toBe(200)
})

test('an access token expires after an hour', async () => {
  let now = new Date()
  const { root } = await testSandbox({ now: () => now })
  const tokens = await signIn(await discover(root), 'ada@example.com')
  const list = () =>
    fetch(`${root}/drive/v3/files`, { headers: { authorization: `Bearer ${tokens.access_token}` } })
  expect((await list()).status).toBe(200)
  now = new Date(now.getTime() + 3600 * 1000)
  expect((await list()).status).toBe(401)
})

test('google-auth-library verifies the id token with the PEM certificates and refreshes', async () => {
  const { root } = await testSandbox()
  const tokens = await signIn(await discover(root), 'ada@example.com')
  const client = new OAuth2Client({
    clientId: 'rowferry-sandbox',
    clientSecret: 'sandbox-secret',
    issuers: [root],
    endpoints: {
      oauth2TokenUrl: `${root}/token`,
      oauth2FederatedSignonPemCertsUrl: `${root}/oauth2/v1/certs`,
      tokenInfoUrl: `${root}/tokeninfo`,
    },
  })
  const ticket = await client.verifyIdToken({ idToken: tokens.id_token ?? '', audience: 'rowferry-sandbox' })
  expect(ticket.getPayload()).toMatchObject({ email: 'ada@example.com', email_verified: true })
  client.setCredentials({ refresh_token: tokens.refresh_token ?? '' })
  const { token } = await client.getAccessToken()
  expect(await client.getTokenInfo(token ?? '')).toMatchObject({ email: 'ada@example.com' })
})
