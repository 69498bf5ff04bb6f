import { describe, expect, test } from 'vitest'
import { testApp } from '../../../../test/fixtures/app.ts'

const env = { PUBLIC_URL: 'https://Rows.example:8443', METRICS_TOKEN: 'a token of the tests, long enough' }
const site = await testApp({ env })
const anywhere = await testApp()

const ask = (host: string, url = '/api/sync_tasks', headers: Record<string, string> = {}) =>
  site.app.inject({ url, headers: { host, ...headers } })

describe('if PUBLIC_URL is set', () => {
  test.each([
    'rows.example',
    'rows.example:8443',
    'ROWS.example:3000',
    'rows.example.',
    'localhost:3000',
    '127.0.0.1',
    '[::1]:80',
  ])('a request to %s is answered', async (host) => {
    expect((await ask(host)).statusCode).toBe(401)
    expect((await ask(host, '/')).statusCode).toBe(200)
  })

  test.each([
    'evil.example',
    'evil.example:8443',
    'rows.example.evil.example',
    'evilrows.example',
    '10.0.0.1',
    'rows.example@evil.example',
    'rows.example/..',
  ])('a request to %j is 421 for any path', async (host) => {
    for (const url of [
      '/api/sync_tasks',
      '/',
      '/assets/nothing.js',
      '/auth/login',
      '/nowhere',
      '/api/docs',
    ]) {
      const reply = await ask(host, url)
      expect([url, reply.statusCode, reply.json().code]).toEqual([url, 421, 'host_unknown'])
      expect(reply.headers['content-security-policy']).toBeDefined()
    }
  })

  test('health checks are answered under any host name', async () => {
    expect((await ask('10.0.0.1', '/healthz')).statusCode).toBe(200)
    expect((await ask('10.0.0.1', '/readyz?x=1')).statusCode).toBe(200)
    const metrics = await ask('10.0.0.1', '/metrics', { authorization: `Bearer ${env.METRICS_TOKEN}` })
    expect(metrics.statusCode).toBe(200)
  })

  test('forwarded headers apply only from a trusted proxy', async () => {
    const forwarded = { 'x-forwarded-host': 'rows.example' }
    expect((await ask('evil.example', '/', forwarded)).statusCode).toBe(421)
    const behind = await testApp({ env: { ...env, TRUST_PROXY: '1' } })
    const reply = await behind.app.inject({ url: '/', headers: { host: 'inner.example', ...forwarded } })
    expect(reply.statusCode).toBe(200)
  })
})

test('without PUBLIC_URL any host name is accepted', async () => {
  expect((await anywhere.app.inject({ url: '/', headers: { host: 'box.local:3000' } })).statusCode).toBe(200)
})
