import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { OAuth2Client } from 'google-auth-library'
import * as oidc from 'openid-client'
import { expect, onTestFinished, test } from 'vitest'
import { control, testSandbox } from '../../test/sandbox.ts'

const redirectUri = 'http://127.0.0.1:3999/auth/callback'
const spreadsheets = 'https://www.googleapis.com/auth/spreadsheets'
const driveMetadata = 'https://www.googleapis.com/auth/drive.metadata.readonly'

async function discover(root: string) {
  const config = await oidc.discovery(new URL(root), 'rowferry-sandbox', 'sandbox-secret', undefined, {
    execute: [oidc.allowInsecureRequests],
  })
  // Checks the id token's signature against the published key too.
  oidc.enableNonRepudiationChecks(config)
  return config
}

/** What a client prepares before it sends the browser away, and how it takes the answer. */
async function beginSignIn(config: oidc.Configuration, parameters: Record<string, string> = {}) {
  const [pkceCodeVerifier, expectedState, expectedNonce] = [
    oidc.randomPKCECodeVerifier(),
    oidc.randomState(),
    oidc.randomNonce(),
  ]
  const url = oidc.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope: `openid email profile ${spreadsheets} ${driveMetadata}`,
    code_challenge: await oidc.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
    state: expectedState,
    nonce: expectedNonce,
    access_type: 'offline',
    ...parameters,
  })
  const finish = (location: string | null) =>
    oidc.authorizationCodeGrant(config, new URL(location ?? ''), {
      pkceCodeVerifier,
      expectedState,
      expectedNonce,
    })
  return { url, finish }
}

/** Submits the chooser's form as a browser does. */
function choose(url: URL, fields: [string, string][]) {
  return fetch(url, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: url.origin },
    body: new URLSearchParams(fields),
  })
}

async function signIn(config: oidc.Configuration, email: string, parameters: Record<string, string> = {}) {
  const { url, finish } = await beginSignIn(config, { login_hint: email, ...parameters })
  const response = await fetch(url, { redirect: 'manual' })
  return finish(response.headers.get('location'))
}

test('a person picks an account and the client gets a verified identity with PKCE, state and nonce', async () => {
  const { root } = await testSandbox()
  const config = await discover(root)
  const { url, finish } = await beginSignIn(config)
  const page = await fetch(url)
  const html = await page.text()
  for (const name of ['Ada Fields', 'Ben Harbour', 'Cleo Marsh']) expect(html).toContain(name)

  const response = await choose(url, [
    ['email', 'cleo@northwind.example'],
    ['scope', spreadsheets],
    ['scope', driveMetadata],
  ])
  const tokens = await finish(response.headers.get('location'))

  expect(tokens.claims()).toMatchObject({
    iss: root,
    aud: 'rowferry-sandbox',
    email: 'cleo@northwind.example',
    email_verified: true,
    hd: 'northwind.example',
    name: 'Cleo Marsh',
  })
  expect(tokens.scope?.split(' ')).toEqual(expect.arrayContaining(['openid', spreadsheets, driveMetadata]))
  const userInfo = await oidc.fetchUserInfo(config, tokens.access_token, tokens.claims()?.sub ?? '')
  expect(userInfo).toMatchObject({ email: 'cleo@northwind.example', hd: 'northwind.example' })
})

test('scopes can be withheld one by one, and the reply says which were granted', async () => {
  const { root } = await testSandbox()
  const { url, finish } = await beginSignIn(await discover(root))
  const response = await choose(url, [
    ['email', 'ben@example.com'],
    ['scope', driveMetadata],
  ])
  const tokens = await finish(response.headers.get('location'))
  expect(tokens.scope).toContain(driveMetadata)
  expect(tokens.scope).not.toContain(spreadsheets)
  const refused = await fetch(`${root}/v4/spreadsheets/x`, {
    headers: { authorization: `Bearer ${tokens.access_token}` },
  })
  expect(refused.status).toBe(403)
  expect(await refused.json()).toMatchObject({
    error: { message: 'Request had insufficient authentication scopes.', status: 'PERMISSION_DENIED' },
  })
})

test('login_hint picks nobody behind a link on another site’s page: the chooser is shown', async () => {
  const { app, root } = await testSandbox()
  const { url } = await beginSignIn(await discover(root), { login_hint: 'dora@example.com' })
  const from = (site: string) =>
    app.inject({
      url: url.pathname + url.search,
      headers: {
        host: url.host,
        'sec-fetch-site': site,
        'sec-fetch-mode': 'navigate',
        'sec-fetch-dest': 'document',
      },
    })
  const asked = await from('cross-site')
  expect([asked.statusCode, asked.body]).toEqual([200, expect.stringContaining('Choose an account')])
  expect(JSON.stringify(await control(root, 'GET', 'accounts'))).not.toContain('dora@example.com')
  for (const site of ['none', 'same-origin', 'same-site']) {
    expect((await from(site)).statusCode).toBe(303)
  }
})

test('login_hint picks at once, and an unknown address becomes an account', async () => {
  const { root } = await testSandbox()
  const tokens = await signIn(await discover(root), 'Dora.Quill@somewhere.example')
  expect(tokens.claims()).toMatchObject({
    email: 'dora.quill@somewhere.example',
    name: 'Dora Quill',
    hd: 'somewhere.example',
  })
  expect(await control(root, 'GET', 'accounts')).toMatchObject({
    accounts: expect.arrayContaining([expect.objectContaining({ email: 'dora.quill@somewhere.example' })]),
  })
})

test('only Workspace accounts carry hd', async () => {
  const { root } = await testSandbox()
  const tokens = await signIn(await discover(root), 'ada@example.com')
  expect(tokens.claims()).not.toHaveProperty('hd')
})

test('cancelling tells the client access_denied with its state', async () => {
  const { root } = await testSandbox()
  const { url } = await beginSignIn(await discover(root))
  const response = await choose(url, [['action', 'cancel']])
  const target = new URL(response.headers.get('location') ?? '')
  expect(target.searchParams.get('error')).toBe('access_denied')
  expect(target.searchParams.get('state')).toBe(url.searchParams.get('state'))
})

test('prompt=none is answered without a page: by a code where all is granted, else by interaction_required', async () => {
  const { root } = await testSandbox()
  const config = await discover(root)
  const ask = async () => {
    const { url } = await beginSignIn(config, { prompt: 'none', login_hint: 'ada@example.com' })
    const response = await fetch(url, { redirect: 'manual' })
    return new URL(response.headers.get('location') ?? '').searchParams
  }
  expect((await ask()).get('error')).toBe('interaction_required')
  await signIn(config, 'ada@example.com')
  expect((await ask()).get('code')).toBeTruthy()
})

test('a code works once, for its client, its redirect URI and its PKCE verifier', async () => {
  const { root } = await testSandbox()
  const config = await discover(root)
  const codeOf = async () => {
    const { url, finish } = await beginSignIn(config, { login_hint: 'ada@example.com' })
    const location = (await fetch(url, { redirect: 'manual' })).headers.get('location')
    return { code: new URL(location ?? '').searchParams.get('code') ?? '', finish: () => finish(location) }
  }
  const exchange = (fields: Record<string, string>) =>
    fetch(`${root}/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        client_id: 'rowferry-sandbox',
        client_secret: 'sandbox-secret',
        redirect_uri: redirectUri,
        ...fields,
      }),
    })

  const used = await codeOf()
  await used.finish()
  await expect(used.finish()).rejects.toMatchObject({ error: 'invalid_grant' })

  const wrongVerifier = await exchange({ code: (await codeOf()).code, code_verifier: 'x'.repeat(43) })
  expect(await wrongVerifier.json()).toEqual({
    error: 'invalid_grant',
    error_description: 'Invalid code verifier.',
  })
  const wrongRedirect = await exchange({
    code: (await codeOf()).code,
    redirect_uri: 'http://127.0.0.1:3999/elsewhere',
  })
  expect(await wrongRedirect.json()).toMatchObject({ error: 'redirect_uri_mismatch' })
  const wrongSecret = await exchange({ code: (await codeOf()).code, client_secret: 'guess' })
  expect(wrongSecret.status).toBe(401)
  expect(await wrongSecret.json()).toMatchObject({ error: 'invalid_client' })
})

test('a refresh token comes with the first offline consent and with prompt=consent, and refreshing repeats', async () => {
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

test('revoking a token ends the whole grant in Google words', async () => {
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

test('in testing mode a refresh token dies after seven days, otherwise it lives on', async () => {
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

test('accounts, grants and keys outlive a restart', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'sandbox-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true }))
  const before = await testSandbox({ dataDir, publicUrl: 'http://127.0.0.1:3998' })
  const reply = await before.app.inject({
    url: '/o/oauth2/v2/auth',
    query: {
      client_id: 'rowferry-sandbox',
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: 'openid email https://www.googleapis.com/auth/drive',
      access_type: 'offline',
      login_hint: 'eve@example.com',
    },
  })
  const code = new URL(String(reply.headers.location)).searchParams.get('code') ?? ''
  const client = { client_id: 'rowferry-sandbox', client_secret: 'sandbox-secret' }
  const form = (fields: Record<string, string>) => ({
    method: 'POST' as const,
    url: '/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ ...client, ...fields }).toString(),
  })
  const tokens = (
    await before.app.inject(form({ grant_type: 'authorization_code', code, redirect_uri: redirectUri }))
  ).json()
  const keys = (await before.app.inject('/oauth2/v3/certs')).json()
  await before.app.close()

  const after = await testSandbox({ dataDir, publicUrl: 'http://127.0.0.1:3998' })
  const refreshed = await after.app.inject(
    form({ grant_type: 'refresh_token', refresh_token: tokens.refresh_token }),
  )
  expect(refreshed.statusCode).toBe(200)
  const files = await after.app.inject({
    url: '/drive/v3/files',
    headers: { authorization: `Bearer ${tokens.access_token}` },
  })
  expect(files.statusCode).toBe(200)
  expect((await after.app.inject('/oauth2/v3/certs')).json()).toEqual(keys)
})

test.each([
  ['redirect_uri_mismatch', { redirect_uri: 'https://evil.example/callback' }],
  ['redirect_uri_mismatch', { redirect_uri: 'javascript://localhost/%0aalert(1)' }],
  ['invalid_scope', { scope: 'openid https://www.googleapis.com/auth/gmail.send' }],
  ['invalid_request', { response_type: 'token' }],
])('a request that cannot be trusted gets a page, never a redirect: %s', async (error, parameters) => {
  const { root } = await testSandbox()
  const { url } = await beginSignIn(await discover(root), { login_hint: 'ada@example.com', ...parameters })
  const response = await fetch(url, { redirect: 'manual' })
  expect(response.status).toBe(400)
  expect(response.headers.get('location')).toBeNull()
  expect(await response.text()).toContain(error)
})

test('names and client ids are shown as text', async () => {
  const { app } = await testSandbox()
  const query = {
    client_id: '<img src=x onerror=alert(1)>',
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid',
  }
  const reply = await app.inject({ url: '/o/oauth2/v2/auth', query })
  expect(reply.body).toContain('&lt;img src=x onerror=alert(1)&gt;')
  expect(reply.body).not.toContain('<img')
})
