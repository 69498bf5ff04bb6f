import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { NamedError } from '../errors.ts'
import { answerFailure } from './failures.ts'

// Paths of programs, for which an unknown one is an error and never a page.
const NOT_PAGES = /^\/(api|auth|dev\/logs|csv_jobs|assets|healthz|readyz|metrics|mcp|\.well-known)(\/|$)/

/**
 * Serves the built web pages from `root`: hashed assets with an unlimited cache, others revalidated; `.br` and `.gz`
 * files for browsers that accept them. Answers everything that no route takes: 405 with Allow, index.html, or 404.
 * Call it after all routes.
 */
export async function addPages(app: FastifyInstance, root: string): Promise<void> {
  const built = existsSync(join(root, 'index.html'))
  if (built) {
    await app.register(fastifyStatic, { root, serve: false, index: false, preCompressed: true })
    addFiles(app, root)
  } else {
    app.log.warn({ root }, 'The web is not built: only calls are served')
  }
  const patterns = app.http.routes.map(({ method, url }) => ({ method, pattern: patternOf(url) }))
  app.setNotFoundHandler((request, reply) => {
    const path = decodedPath(request.url)
    const allowed = patterns.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method)
    // A missing file below one of our routes arrives here with the right method.
    if (allowed.length && !allowed.includes(request.method)) return refuseMethod(request, reply, allowed)
    const reads = request.method === 'GET' || request.method === 'HEAD'
    if (built && reads && !NOT_PAGES.test(path)) return sendIndex(reply)
    return answerFailure(new NamedError('not_found'), request, reply)
  })
}

function addFiles(app: FastifyInstance, root: string): void {
  app.get('/', { config: { access: 'public' } }, (_request, reply) => sendIndex(reply))
  app.get<{ Params: { '*': string } }>('/assets/*', { config: { access: 'public' } }, (request, reply) =>
    reply.sendFile(`assets/${request.params['*']}`, { maxAge: '1y', immutable: true }),
  )
  for (const entry of readdirSync(root, { withFileTypes: true })) {
    if (!entry.isFile() || /^index\.html$|\.(br|gz)$/.test(entry.name)) continue
    app.get(`/${entry.name}`, { config: { access: 'public' } }, (_request, reply) =>
      reply.sendFile(entry.name, { maxAge: 0 }),
    )
  }
}

function sendIndex(reply: FastifyReply): FastifyReply {
  return reply.header('cache-control', 'no-cache').sendFile('index.html', { cacheControl: false })
}

function refuseMethod(request: FastifyRequest, reply: FastifyReply, allowed: string[]): FastifyReply {
  reply.header('allow', [...new Set(allowed)].join(', '))
  return answerFailure(new NamedError('method_not_allowed'), request, reply)
}

/** Normalises the path, so that `//api` and `/API` are treated like /api. */
function decodedPath(url: string): string {
  const [path = ''] = url.split(/[?#]/, 1)
  const collapsed = path.replaceAll(/[/\\]+/g, '/')
  try {
    return decodeURIComponent(collapsed).toLowerCase()
  } catch {
    return collapsed.toLowerCase()
  }
}

function patternOf(url: string): RegExp {
  const literal = url.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`^${literal.replaceAll('*', '.*').replaceAll(/:\w+/g, '[^/]+')}$`)
}
