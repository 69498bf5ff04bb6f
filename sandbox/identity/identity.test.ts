import { globSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as oidc from 'openid-client'
import { expect, onTestFinished, test } from 'vitest'
import {
  beginSignIn,
  choose,
  discover,
  driveMetadata,
  redirectUri,
  signIn,
  spreadsheets,
} from '../../test/fakes/identity-client.ts'
import { control, testSandbox } from '../../test/fakes/sandbox.ts'

test('a user selects an account and the client receives a verified identity with PKCE, state and nonce', async () => {
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

test('scopes can be denied individually, and the reply lists the granted ones', async () => {
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

test('login_hint in a link from another site selects no account: the chooser is shown', async () => {
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

test('login_hint selects an account without the chooser, and an unknown address creates one', async () => {
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

test('cancelling redirects to the client with access_denied and its state', async () => {
  const { root } = await testSandbox()
  const { url } = await beginSignIn(await discover(root))
  const response = await choose(url, [['action', 'cancel']])
  const target = new URL(response.headers.get('location') ?? '')
  expect(target.searchParams.get('error')).toBe('access_denied')
  expect(target.searchParams.get('state')).toBe(url.searchParams.get('state'))
})

test('prompt=none shows no page: it returns a code if all scopes are granted, otherwise interaction_required', async () => {
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

test('accounts, grants and keys survive a restart', async () => {
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

test('a returning user can sign in while the disk is full', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'sandbox-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true }))
  const { root } = await testSandbox({ dataDir })
  const config = await discover(root)
  await signIn(config, 'ada@example.com')
  const [file = ''] = globSync('**/identity.json', { cwd: dataDir })
  // A folder at the path of the temporary file makes the next write fail.
  mkdirSync(join(dataDir, `${file}.new`))
  expect((await signIn(config, 'ada@example.com')).claims()).toMatchObject({ email: 'ada@example.com' })
})

test.each([
  ['redirect_uri_mismatch', { redirect_uri: 'https://evil.example/callback' }],
  ['redirect_uri_mismatch', { redirect_uri: 'javascript://localhost/%0aalert(1)' }],
  ['invalid_scope', { scope: 'openid https://www.googleapis.com/auth/gmail.send' }],
  ['invalid_request', { response_type: 'token' }],
])('an untrusted request gets an error page, never a redirect: %s', async (error, parameters) => {
  const { root } = await testSandbox()
  const { url } = await beginSignIn(await discover(root), { login_hint: 'ada@example.com', ...parameters })
  const response = await fetch(url, { redirect: 'manual' })
  expect(response.status).toBe(400)
  expect(response.headers.get('location')).toBeNull()
  expect(await response.text()).toContain(error)
})

test('names and client ids are escaped', async () => {
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
