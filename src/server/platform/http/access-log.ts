import type { FastifyInstance } from 'fastify'

// Probes come every few seconds and say nothing; whoever reads the log shall not fill it.
const QUIET = new Set(['/healthz', '/readyz', '/metrics', '/dev/logs', '/dev/logs/files'])

// Node takes 16 kB of them.
const PATH_CHARACTERS = 500

const shortPath = (path: string) =>
  path.length > PATH_CHARACTERS ? `${path.slice(0, PATH_CHARACTERS)}…` : path

/** One line for each answered request. Paths come without their query, which may hold a sign-in's code. */
export function addAccessLog(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => {
    const [path = ''] = request.url.split('?', 1).map(shortPath)
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
