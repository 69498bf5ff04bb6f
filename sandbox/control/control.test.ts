import { expect, test } from 'vitest'
import { accessToken, control, testSandbox } from '../../test/fakes/sandbox.ts'
import { clientOf, faults, ledger, read, write } from '../../test/fakes/sandbox-client.ts'

test.each([
  ['429', 429, 'RESOURCE_EXHAUSTED'],
  ['500', 500, 'INTERNAL'],
  ['503', 503, 'UNAVAILABLE'],
  ['permission-lost', 403, 'PERMISSION_DENIED'],
])(
  "fault %s refuses the configured number of requests with Google's error and applies nothing",
  async (kind, code, status) => {
    const { root } = await testSandbox()
    const { client, spreadsheetId } = await clientOf(root)
    await faults(root, { kind, count: 2, match: { kind: 'write' } })
    expect(await read(client, spreadsheetId)).toBe('before')
    for (const _ of [1, 2]) {
      await expect(write(client, spreadsheetId, 'after')).rejects.toMatchObject({
        status: code,
        response: { data: { error: { code, status } } },
      })
    }
    expect(await read(client, spreadsheetId)).toBe('before')
    await write(client, spreadsheetId, 'after')
    expect(await read(client, spreadsheetId)).toBe('after')
    expect((await ledger(root)).map(({ status, applied }) => [status, applied])).toEqual([
      [200, true],
      [200, false],
      [code, false],
      [code, false],
      [200, false],
      [200, true],
      [200, false],
    ])
  },
)

test('a fault applies to exported files as to any reply', async () => {
  const { root } = await testSandbox()
  const { spreadsheetId } = await clientOf(root)
  const headers = { authorization: `Bearer ${await accessToken(root, 'dora@example.com')}` }
  const exported = async () => {
    const reply = await fetch(`${root}/drive/v3/files/${spreadsheetId}/export?mimeType=text/csv`, { headers })
    return reply.text()
  }
  expect(await exported()).toBe('before')
  await faults(root, { kind: 'broken-json', count: 1 })
  expect(await exported()).toBe('bef')
  expect(await exported()).toBe('before')
})

test.each([
  ['execute-then-timeout', { ms: 0 }, 'after', true],
  ['execute-then-reset', {}, 'after', true],
  ['half-body', {}, 'after', true],
  ['timeout', { ms: 0 }, 'before', false],
  ['reset', {}, 'before', false],
])(
  'fault %s sends no reply and leaves the cell in the documented state',
  async (kind, options, held, applied) => {
    const { root } = await testSandbox()
    const { client, spreadsheetId } = await clientOf(root)
    await faults(root, { kind, count: 1, ...options })
    await expect(write(client, spreadsheetId, 'after')).rejects.toThrow()
    expect(await read(client, spreadsheetId)).toBe(held)
    expect((await ledger(root))[1]).toMatchObject({ kind: 'write', applied })
  },
)

test('a request that is held open ends when its client disconnects', async () => {
  const { root } = await testSandbox()
  const { client, spreadsheetId } = await clientOf(root)
  await faults(root, { kind: 'execute-then-timeout', count: 1 })
  await expect(write(client, spreadsheetId, 'after', { timeout: 200 })).rejects.toThrow()
  expect(await read(client, spreadsheetId)).toBe('after')
})

test('a slow body arrives completely', async () => {
  const { root } = await testSandbox()
  const { client, spreadsheetId } = await clientOf(root)
  await faults(root, { kind: 'slow-body', ms: 0 })
  expect(await read(client, spreadsheetId)).toBe('before')
})

test('HTML and broken JSON come with status 200', async () => {
  const { root } = await testSandbox()
  const { spreadsheetId } = await clientOf(root)
  const headers = { authorization: `Bearer ${await accessToken(root, 'dora@example.com')}` }
  const get = () => fetch(`${root}/v4/spreadsheets/${spreadsheetId}`, { headers })
  await faults(root, { kind: 'html', count: 1 }, { kind: 'broken-json', count: 1 })
  const html = await get()
  expect([html.status, html.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  const broken = await get()
  expect(broken.status).toBe(200)
  await expect(broken.json()).rejects.toThrow(SyntaxError)
})

test('a revoked grant gives 401 at once and invalid_grant at the next refresh; other grants keep working', async () => {
  const { app, root } = await testSandbox()
  const { client, spreadsheetId } = await clientOf(root)
  const credentials = { client_id: 'rowferry-sandbox', client_secret: 'sandbox-secret' }
  const redirect_uri = 'http://127.0.0.1/callback'
  const token = (fields: Record<string, string>) =>
    app.inject({
      method: 'POST',
      url: '/token',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ ...credentials, ...fields }).toString(),
    })
  const authorized = await app.inject({
    url: '/o/oauth2/v2/auth',
    query: {
      client_id: 'rowferry-sandbox',
      redirect_uri,
      response_type: 'code',
      scope: 'openid https://www.googleapis.com/auth/spreadsheets',
      access_type: 'offline',
      login_hint: 'dora@example.com',
    },
  })
  const code = new URL(String(authorized.headers.location)).searchParams.get('code') ?? ''
  const { refresh_token } = (await token({ grant_type: 'authorization_code', code, redirect_uri })).json()
  expect((await token({ grant_type: 'refresh_token', refresh_token })).statusCode).toBe(200)

  await faults(root, { kind: 'revoked-grant', count: 1, match: { account: 'dora@example.com' } })
  for (const _ of [1, 2]) {
    await expect(read(client, spreadsheetId)).rejects.toMatchObject({
      status: 401,
      response: { data: { error: { status: 'UNAUTHENTICATED' } } },
    })
  }
  expect((await token({ grant_type: 'refresh_token', refresh_token })).json()).toEqual({
    error: 'invalid_grant',
    error_description: 'Token has been expired or revoked.',
  })
  const ada = await app.inject({
    url: '/drive/v3/files',
    headers: { authorization: `Bearer ${await accessToken(root)}` },
  })
  expect(ada.statusCode).toBe(200)
})

test('a stale read returns the result from before the write once', async () => {
  const { root } = await testSandbox()
  const { client, spreadsheetId } = await clientOf(root)
  await faults(root, { kind: 'stale-reads', count: 1 })
  expect(await read(client, spreadsheetId)).toBe('before')
  await write(client, spreadsheetId, 'after')
  expect(await read(client, spreadsheetId)).toBe('before')
  expect(await read(client, spreadsheetId)).toBe('after')
})

test('loading cells show in reads of values only', async () => {
  const { root } = await testSandbox()
  const { client, spreadsheetId } = await clientOf(root)
  await faults(root, { kind: 'loading-cells', count: 1 })
  await client.spreadsheets.get({ spreadsheetId })
  expect(await read(client, spreadsheetId)).toBe('Loading...')
  expect(await read(client, spreadsheetId)).toBe('before')
})

test('a fault applies only to matching requests: account, spreadsheet, and method by either name', async () => {
  const { root } = await testSandbox()
  const dora = await clientOf(root)
  const ben = await clientOf(root, 'ben@example.com')
  const fails = (list: object) => faults(root, { kind: '503', match: list })
  const outcomes = async () => {
    const calls = [
      read(dora.client, dora.spreadsheetId),
      write(dora.client, dora.spreadsheetId, 'x'),
      read(ben.client, ben.spreadsheetId),
    ]
    return (await Promise.allSettled(calls)).map(({ status }) => status === 'rejected')
  }
  await fails({ account: 'dora@*' })
  expect(await outcomes()).toEqual([true, true, false])
  await fails({ spreadsheet_id: ben.spreadsheetId })
  expect(await outcomes()).toEqual([false, false, true])
  await fails({ method: 'PUT' })
  expect(await outcomes()).toEqual([false, true, false])
  await fails({ method: 'spreadsheets.values.get', account: ['ben@example.com'] })
  expect(await outcomes()).toEqual([false, false, true])
})

test('probabilities repeat under a seed', async () => {
  const { root } = await testSandbox()
  const { client, spreadsheetId } = await clientOf(root)
  const pattern = async () => {
    await control(root, 'PUT', 'faults', { faults: [{ kind: '500', probability: 0.5 }], seed: 7 })
    const failed: boolean[] = []
    for (let i = 0; i < 20; i += 1) {
      failed.push(
        await read(client, spreadsheetId).then(
          () => false,
          () => true,
        ),
      )
    }
    return failed
  }
  const first = await pattern()
  expect(first).toContain(true)
  expect(first).toContain(false)
  expect(await pattern()).toEqual(first)
})

test.each([
  ['globally', (root: string) => control(root, 'PUT', 'latency', { ms: 500, jitter_ms: 100 })],
  ['as a fault', (root: string) => faults(root, { kind: 'latency', ms: 500, count: 1 })],
])('with latency %s, a later request can finish first', async (_how, slowDown) => {
  const { root } = await testSandbox()
  const { client, spreadsheetId } = await clientOf(root)
  await slowDown(root)
  const slow = read(client, spreadsheetId)
  // Requests are counted on arrival, before any latency.
  await expect.poll(() => control(root, 'GET', 'quotas')).toMatchObject({ use: { read: 1 } })
  await control(root, 'PUT', 'latency', { ms: 0 })
  await write(client, spreadsheetId, 'after')
  expect(await slow).toBe('after')
})

test('reset ends all faults; with spreadsheets it restores the demo catalogue', async () => {
  const { root } = await testSandbox()
  const { client, spreadsheetId } = await clientOf(root)
  await faults(root, { kind: '500' })
  await control(root, 'POST', 'reset', {})
  expect(await ledger(root)).toEqual([])
  expect(await read(client, spreadsheetId)).toBe('before')
  await control(root, 'POST', 'reset', { spreadsheets: true })
  await expect(read(client, spreadsheetId)).rejects.toMatchObject({ status: 404 })
})

test.each([
  ['an unknown fault', 'PUT', 'faults', { faults: [{ kind: 'gremlin' }] }],
  ['an unknown field', 'PUT', 'faults', { faults: [{ kind: '500', howOften: 3 }] }],
  ['a negative latency', 'PUT', 'latency', { ms: -1 }],
  ['no address', 'POST', 'tokens', { scopes: [] }],
])('%s is refused with its name', async (_what, method, path, body) => {
  const { root } = await testSandbox()
  await expect(control(root, method, path, body)).rejects.toThrow(/400/)
})

test.each([
  ['a foreign Host', { host: 'rebound.example' }],
  ['a foreign Origin', { origin: 'https://evil.example' }],
  ['a cross-site fetch', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' }],
])('pages, controls and the chooser refuse %s', async (_what, headers) => {
  const { app } = await testSandbox()
  for (const url of ['/', '/page/books', '/control/ledger', '/o/oauth2/v2/auth']) {
    expect((await app.inject({ url, headers })).statusCode).toBe(403)
  }
})

test('pages and controls are served to the local machine only', async () => {
  const { app } = await testSandbox()
  for (const url of ['/', '/page/books', '/control/ledger']) {
    expect((await app.inject({ url, remoteAddress: '192.0.2.7' })).statusCode).toBe(403)
  }
})
