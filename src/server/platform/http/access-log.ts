import type { FastifyInstance } from 'fastify'

// Health checks come every few seconds and would fill the log.
const QUIET = new Set(['/healthz', '/readyz', '/metrics', '/dev/logs', '/dev/logs/files'])

// Node accepts 16 kB of headers.
const PATH_CHARACTERS = 500

const shortPath = (path: string) =>
  path.length > PATH_CHARACTERS ? `${path.slice(0, PATH_CHARACTERS)}…` : path

/** Logs one line per request. Paths are logged without the query, which may contain a sign-in's code. */
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
