import type { FastifyInstance } from 'fastify'

/** What must work before the process accepts requests; each check throws if it does not. */
export type Checks = Record<string, () => Promise<unknown>>

const LIMIT_MS = 3_000

/**
 * `/healthz`: the process responds. `/readyz`: 200 if every check passes, otherwise 503 with the names of those that
 * fail. Neither requires a session.
 */
export function addHealth(app: FastifyInstance, checks: Checks): void {
  const config = { access: 'public' } as const
  app.get('/healthz', { config }, async (_request, reply) => {
    reply.header('cache-control', 'no-store')
    return { status: 'ok' }
  })
  app.get('/readyz', { config }, async (request, reply) => {
    const results = await Promise.all(
      Object.entries(checks).map(async ([name, check]) => {
        try {
          await withinLimit(check())
          return [name, 'ok'] as const
        } catch (error) {
          // Expected during a start, so without a stack.
          request.log.warn(
            { check: name, reason: error instanceof Error ? error.message : String(error) },
            'Not ready',
          )
          return [name, 'failed'] as const
        }
      }),
    )
    const ready = results.every(([, result]) => result === 'ok')
    reply.header('cache-control', 'no-store').code(ready ? 200 : 503)
    if (!ready) reply.header('retry-after', 5)
    return { status: ready ? 'ready' : 'not ready', checks: Object.fromEntries(results) }
  })
}

async function withinLimit(check: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`No answer within ${LIMIT_MS} ms`)), LIMIT_MS)
  })
  try {
    await Promise.race([check, late])
  } finally {
    clearTimeout(timer)
  }
}
