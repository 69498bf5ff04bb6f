import type { FastifyInstance } from 'fastify'

// Probes come every few seconds and say nothing; whoever reads the log shall not fill it.
const QUIET = new Set(['/healthz', '/readyz', '/metrics', '/dev/logs', '/dev/logs/files'])

/** One line for each answered request. Paths come without their query, which may hold a sign-in's code. */
export function addAccessLog(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => {
    const [path = ''] = request.url.split('?', 1)
    const line = {
      method: request.method,
      path,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      user_id: request.session?.user.id,
    }
    if (QUIET.has(path)) request.log.debug(line, 'request')
    else request.log.info(line, 'request')
  })
}
