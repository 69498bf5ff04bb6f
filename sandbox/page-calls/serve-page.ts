import { existsSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

const built = join(import.meta.dirname, '../page/dist')

const contentSecurityPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self' data:; img-src 'self' data:; " +
  "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** Serves the built page at `/` and at Google's spreadsheet paths. If it has not been built, it says how to build it. */
export async function servePage(app: FastifyInstance): Promise<void> {
  const isBuilt = existsSync(join(built, 'index.html'))
  if (isBuilt) await app.register(fastifyStatic, { root: built, serve: false })
  const showPage = (_request: FastifyRequest, reply: FastifyReply) => {
    reply.header('content-security-policy', contentSecurityPolicy).header('referrer-policy', 'same-origin')
    if (isBuilt) return reply.sendFile('index.html', { cacheControl: false })
    return reply.code(503).type('text/plain').send('The page has not been built: vite build sandbox/page')
  }
  app.get('/', showPage)
  app.get('/spreadsheets/d/:bookId', showPage)
  app.get('/spreadsheets/d/:bookId/edit', showPage)
  if (isBuilt) {
    app.get<{ Params: { '*': string } }>('/assets/*', (request, reply) =>
      reply.sendFile(`assets/${request.params['*']}`, { maxAge: '1y', immutable: true }),
    )
  }
}
