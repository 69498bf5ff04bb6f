import type { FastifyInstance } from 'fastify'
import { onTestFinished } from 'vitest'
import { z } from 'zod'
import { buildSandbox, type SandboxOptions } from '../../sandbox/app.ts'

/** Starts a sandbox, by default in memory, and closes it after the test. */
export async function testSandbox(
  options: Partial<SandboxOptions> = {},
): Promise<{ app: FastifyInstance; root: string }> {
  const app = await buildSandbox({ dataDir: null, ...options })
  onTestFinished(() => app.close())
  return { app, root: await app.listen({ host: '127.0.0.1', port: 0 }) }
}

/** Calls the control API with JSON; returns the parsed reply. Throws on an error status. */
export async function control(root: string, method: string, path: string, body?: object): Promise<unknown> {
  const response = await fetch(`${root}/control/${path}`, {
    method,
    ...(body === undefined
      ? {}
      : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  })
  if (!response.ok) throw new Error(`${method} /control/${path}: ${response.status} ${await response.text()}`)
  return response.json()
}

/** Issues an access token for an account without a sign-in, by default with all scopes. */
export async function accessToken(
  root: string,
  email = 'ada@example.com',
  scopes?: string[],
): Promise<string> {
  const reply = await control(root, 'POST', 'tokens', { email, ...(scopes === undefined ? {} : { scopes }) })
  return z.object({ access_token: z.string() }).parse(reply).access_token
}
