import { beforeAll, describe, expect, test } from 'vitest'
import { type SignedIn, type TestApp, testApp } from '../../../../test/fixtures/app.ts'
import { errors } from '../../../contract/errors.ts'
import type { Access } from './guard.ts'

let site: TestApp
let ada: SignedIn
beforeAll(async () => {
  site = await testApp()
  ada = await site.signIn()
})

// A new public route must be added here as well.
const PUBLIC = [
  'GET /',
  'GET /assets/*',
  'GET /auth/callback',
  'GET /auth/check',
  'GET /auth/login',
  'GET /auth/logout',
  'GET /healthz',
  'GET /readyz',
]

type Route = {
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  url: string
  access: Access
}

const routes = () =>
  site.app.http.routes
    .map(
      ({ method, url, access }) =>
        ({ method, access, url: url.replaceAll(/:\w+/g, '1').replaceAll('*', 'x') }) as Route,
    )
    .filter(
      ({ method, url }) =>
        !PUBLIC.includes(`${method === 'HEAD' ? 'GET' : method} ${url}`.replace('/x', '/*')),
    )

describe('without a session', () => {
  test('every route except the public ones is 401', async () => {
    expect(routes().length).toBeGreaterThan(20)
    for (const { method, url, access } of routes()) {
      const response = await site.app.inject({ method, url })
      expect(response.statusCode, `${method} ${url}`).toBe(401)
      const { message } = errors[access === 'token' ? 'token_wanted' : 'unauthenticated']
      if (method !== 'HEAD') expect(response.json().message).toBe(message)
    }
  })

  test('an invented session id and another instance’s cookie are 401, too', async () => {
    for (const value of ['x', 'a'.repeat(43), '%00', '../..']) {
      const response = await site.app.inject({ url: '/api/sync_tasks', cookies: { rowferry_session: value } })
      expect(response.statusCode).toBe(401)
    }
  })

  test('a wrong or oversized body is not even read', async () => {
    const headers = { 'content-type': 'application/json' }
    const payload = 'x'.repeat(2_000_000)
    const response = await site.app.inject({ method: 'POST', url: '/api/sync_tasks', headers, payload })
    expect(response.statusCode).toBe(401)
  })

  test('other spellings of a path are refused, too', async () => {
    const spellings = [
      '//api/sync_tasks',
      '/API/sync_tasks',
      '/api//sync_tasks',
      '/./api/sync_tasks',
      '/%61pi/sync_tasks',
      '/api/sync_tasks/',
      '/api\\sync_tasks',
      '/api/sync_tasks;x=1',
    ]
    for (const url of spellings) {
      const response = await site.app.inject({ url })
      expect([401, 404], url).toContain(response.statusCode)
      expect(response.headers['content-type'], url).toContain('application/json')
      expect(response.json(), url).not.toHaveProperty('syncTasks')
    }
  })

  test('pages open without a session, known and unknown ones', async () => {
    for (const url of [
      '/',
      '/sync_tasks',
      '/schedule',
      '/dev',
      '/import_export',
      '/sync_tasks/3/data_copy',
      '/nope',
    ]) {
      const response = await site.app.inject({ url })
      expect(response.statusCode, url).toBe(200)
      expect(response.body).toContain('<title>Rowferry</title>')
      expect(response.headers['cache-control']).toBe('no-cache')
    }
  })
})

describe('with a session', () => {
  test('every call except a plain read is refused without the anti-forgery header', async () => {
    const writes = routes().filter(({ method }) => method !== 'GET' && method !== 'HEAD')
    expect(writes.length).toBeGreaterThan(8)
    for (const { method, url, access } of writes) {
      const response = await site.app.inject({ method, url, headers: { cookie: ada.cookie } })
      if (access === 'token') {
        expect(response.json().code, `${method} ${url}`).toBe('token_wanted')
        continue
      }
      expect(response.statusCode, `${method} ${url}`).toBe(403)
      expect(response.json().message).toContain('anti-forgery')
    }
  })

  const execute = (headers: Record<string, string>) =>
    site.app.inject({
      method: 'POST',
      url: '/api/sync_tasks/999/execute',
      headers: { ...ada.headers, ...headers },
    })

  test('the header of another session is refused', async () => {
    const ben = await site.signIn('ben@example.com')
    const response = await execute({ 'x-xsrf-token': ben.headers['x-xsrf-token'] })
    expect(response.statusCode).toBe(403)
    expect((await execute({ 'x-xsrf-token': '' })).statusCode).toBe(403)
  })

  test('a request from another site is refused even with the right header', async () => {
    for (const site of ['cross-site', 'same-site']) {
      expect((await execute({ 'sec-fetch-site': site })).statusCode).toBe(403)
    }
    for (const site of ['same-origin', 'none']) {
      expect((await execute({ 'sec-fetch-site': site })).statusCode).toBe(404)
    }
  })
})

test('replies have the security headers and are never cached', async () => {
  const { headers } = await ada.request('GET', '/api/sync_tasks')
  expect(headers).toMatchObject({
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
  })
  expect(headers['content-security-policy']).toContain("script-src 'self';")
  expect(headers['strict-transport-security']).toBeUndefined()
})

test('under https cookies are host-only and HSTS is on', async () => {
  const secure = await testApp({ env: { PUBLIC_URL: 'https://rowferry.example' } })
  const login = await secure.app.inject('/auth/login')
  expect(login.headers['strict-transport-security']).toContain('max-age=31536000')
  expect(login.headers['set-cookie']).toMatch(
    /^__Host-rowferry_sign_in=.*; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  )
})

test('sign-in is limited per address and minute, with Retry-After', async () => {
  const strict = await testApp({
    rateLimits: { strict_per_minute: 2, general_per_10_seconds: 100, token_per_minute: 100 },
  })
  for (const _ of [1, 2]) expect((await strict.app.inject('/auth/login')).statusCode).toBe(302)
  const response = await strict.app.inject('/auth/login')
  expect(response.statusCode).toBe(429)
  expect(response.headers['retry-after']).toMatch(/^([1-9]|[1-5]\d|60)$/)
  expect(response.json().message).toBe('Too many requests. Please wait a moment.')
  expect((await strict.app.inject('/auth/check')).statusCode).toBe(200)
})
