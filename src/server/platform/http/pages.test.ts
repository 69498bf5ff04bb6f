import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { FastifyInstance } from 'fastify'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testDatabase } from '../../../../test/fixtures/database.ts'
import { deriveKeys } from '../auth/keys.ts'
import { readConfig } from '../config.ts'
import { createServer } from './create-server.ts'
import { addHealth } from './health.ts'
import { addMetrics } from './metrics.ts'
import { addPages } from './pages.ts'

let app: FastifyInstance
let root: string
let failing = false
const SECRET_KEY = 'a key of the tests, long enough for the rule'

async function server(webRoot: string): Promise<FastifyInstance> {
  const { db } = await testDatabase()
  const log = pino({ level: 'silent' })
  const made = await createServer({
    config: readConfig({ SECRET_KEY }),
    db,
    keys: deriveKeys(SECRET_KEY),
    log,
  })
  addHealth(made, {
    database: async () => {
      if (failing) throw new Error('away')
    },
  })
  addMetrics(made, 'a token of the tests', () => async () => {})
  await addPages(made, webRoot)
  return made
}

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'rowferry-pages-'))
  await mkdir(join(root, 'assets'))
  await writeFile(join(root, 'index.html'), '<!doctype html><title>Page</title>')
  await writeFile(join(root, 'favicon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
  await writeFile(join(root, 'assets/main-abc123.js'), `export const text = '${'x'.repeat(5000)}'`)
  await writeFile(join(root, '..', 'outside.txt'), 'not ours')
  await writeFile(join(root, 'assets/other-def456.js'), 'export {}')
  await writeFile(join(root, 'assets/other-def456.js.br'), 'as brotli')
  await writeFile(join(root, 'assets/other-def456.js.gz'), 'as gzip')
  app = await server(root)
})
afterAll(async () => {
  await app.close()
  await rm(root, { recursive: true })
  await rm(join(root, '..', 'outside.txt'))
})

describe('the built web', () => {
  test.each([
    ['gzip, deflate, br', 'br', 'as brotli'],
    ['gzip', 'gzip', 'as gzip'],
    ['', undefined, 'export {}'],
  ])(
    'a client that accepts "%s" gets the file compressed by the build: %s',
    async (accepted, encoding, body) => {
      const headers = { 'accept-encoding': accepted }
      const response = await app.inject({ url: '/assets/other-def456.js', headers })
      expect(response.body).toBe(body)
      expect(response.headers['content-encoding']).toBe(encoding)
      expect(response.headers['content-type']).toMatch('javascript')
      expect(response.headers['cache-control']).toContain('immutable')
      expect(response.headers.vary).toBe('accept-encoding')
    },
  )

  test('assets, whose names contain a hash, are cached forever and compressed', async () => {
    const response = await app.inject({
      url: '/assets/main-abc123.js',
      headers: { 'accept-encoding': 'gzip, br' },
    })
    expect(response.headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'application/javascript; charset=utf-8',
      'content-encoding': 'gzip',
    })
    expect(response.rawPayload.length).toBeLessThan(500)
  })

  test('other files are revalidated each time', async () => {
    const response = await app.inject('/favicon.svg')
    expect(response.headers['cache-control']).toBe('public, max-age=0')
    expect(response.headers['content-type']).toBe('image/svg+xml')
  })

  test('GET of any other path returns the page, and writing to it is refused', async () => {
    expect((await app.inject('/sync_tasks/1/logs?level=ERROR')).body).toContain('<title>Page</title>')
    expect((await app.inject({ method: 'HEAD', url: '/settings' })).statusCode).toBe(200)
    expect((await app.inject({ method: 'POST', url: '/settings' })).statusCode).toBe(404)
    expect((await app.inject({ method: 'POST', url: '/' })).statusCode).toBe(405)
  })

  test('no file outside the folder can be read', async () => {
    const port = Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port)
    const paths = [
      '../../outside.txt',
      '..%2f..%2foutside.txt',
      '%2e%2e/%2e%2e/outside.txt',
      '..\\..\\outside.txt',
      '%00',
    ]
    for (const path of paths) {
      // A client that does not normalise the path.
      const request = get({ host: '127.0.0.1', port, path: `/assets/${path}`, agent: false })
      const [response] = await once(request, 'response')
      expect(response.statusCode, path).toBeGreaterThanOrEqual(400)
      expect(await text(response), path).not.toContain('not ours')
    }
  })

  test('before it is built, paths of pages are 404 and calls work', async () => {
    const bare = await server(join(root, 'nothing'))
    expect((await bare.inject('/sync_tasks')).statusCode).toBe(404)
    expect((await bare.inject('/healthz')).statusCode).toBe(200)
    await bare.close()
  })
})

describe('health', () => {
  test('/readyz is 200 when all checks pass, else 503 with Retry-After and the name of what fails', async () => {
    const ready = await app.inject('/readyz')
    expect([ready.statusCode, ready.json()]).toEqual([200, { status: 'ready', checks: { database: 'ok' } }])
    failing = true
    const unready = await app.inject('/readyz')
    expect([unready.statusCode, unready.headers['retry-after']]).toEqual([503, '5'])
    expect(unready.json()).toEqual({ status: 'not ready', checks: { database: 'failed' } })
    expect((await app.inject('/healthz')).json()).toEqual({ status: 'ok' })
    failing = false
  })

  test('/metrics needs the token', async () => {
    for (const authorization of ['', 'Bearer wrong', 'Basic a token of the tests']) {
      expect((await app.inject({ url: '/metrics', headers: { authorization } })).statusCode).toBe(401)
    }
    const headers = { authorization: 'Bearer a token of the tests' }
    const response = await app.inject({ url: '/metrics', headers })
    expect(response.headers['content-type']).toContain('text/plain')
    expect(response.body).toMatch(
      /rowferry_http_request_seconds_count\{.*route="\/readyz".*status="503".*\} 1/,
    )
  })
})
