import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import compress from '@fastify/compress'
import cookie from '@fastify/cookie'
import multipart from '@fastify/multipart'
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyRequest,
  LogController,
} from 'fastify'
import type { Kysely } from 'kysely'
import { limits } from '../../../contract/limits.ts'
import { systemServerMessages } from '../../../contract/system/server-messages.ts'

import type { Keys } from '../auth/keys.ts'
import { sessionLookUp } from '../auth/sessions.ts'
import type { Config } from '../config.ts'
import { NamedError } from '../errors.ts'
import { withLogContext } from '../log-context.ts'
import type { Database } from '../schema.ts'
import { addAccessLog } from './access-log.ts'
import { refuseBrokenHttp } from './broken-http.ts'
import { answerFailure } from './failures.ts'
import { type Access, addGuard, sessionOf } from './guard.ts'
import { parseJsonBody } from './json-body.ts'
import { refuseUnknownHosts } from './known-hosts.ts'
import type { NamedCall } from './open-api.ts'
import { addRateLimits, DEFAULT_LIMITS, type RateLimits } from './rate-limits.ts'
import { ResponseSlots, type SlotLimits, watchSessionEnds } from './response-slots.ts'
import { addSecurityHeaders } from './security-headers.ts'

declare module 'fastify' {
  interface FastifyInstance {
    http: {
      /** Browsers use https only. */
      secure: boolean
      /** Fires when the server begins to close. */
      closing: AbortSignal
      /** Whether the request's session is still valid; does not prolong it. */
      isSessionValid: (request: FastifyRequest) => Promise<boolean>
      streams: ResponseSlots
      /** Requests that wait for a run. */
      waits: ResponseSlots
      /** Every route, with the access that it requires. */
      routes: { method: string; url: string; access: Access }[]
      /** Every mounted call. */
      calls: NamedCall[]
    }
  }
}

export type ServerOptions = {
  config: Config
  db: Kysely<Database>
  keys: Keys
  log: FastifyBaseLogger
  rateLimits?: RateLimits
}

/** How long after the start of a shutdown a request may still arrive on an open connection. */
const REQUEST_GRACE_MS = 1_000

// A browser opens up to six connections per host; this is enough for several browsers with many pages.
const STREAMS: SlotLimits = {
  per_session: 20,
  per_person: 60,
  in_all: 5_000,
  refusal: systemServerMessages.streams_taken,
}
// Each polls twice a second.
const WAITS: SlotLimits = {
  per_session: 20,
  per_person: 40,
  in_all: 300,
  refusal: systemServerMessages.waits_taken,
}

/**
 * An HTTP server without routes: request ids, security headers, rate limits, the guard, JSON bodies up to 1 MB and
 * the catalogue's error bodies. Routes are added with `mount`; the pages come last with `addPages`.
 */
export async function createServer(options: ServerOptions): Promise<FastifyInstance> {
  const { config, db, keys, log, rateLimits = DEFAULT_LIMITS } = options
  const identity = { config, db, keys, findSession: sessionLookUp(db, config) }
  const app: FastifyInstance = fastify({
    loggerInstance: log,
    // Replaced by our own access log, which omits queries; error bodies use the name `request_id`.
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    genReqId: () => randomUUID(),
    trustProxy: proxyTrust(config.trustProxy),
    bodyLimit: limits.json_body_bytes,
    // A SKU of a thousand characters takes up to nine times as many when encoded.
    routerOptions: { maxParamLength: 9000 },
    // Enough for 10 MB over a slow connection.
    requestTimeout: 300_000,
    // Requests that arrive on an open connection during a shutdown are answered normally.
    return503OnClosing: false,
    clientErrorHandler: refuseBrokenHttp,
    frameworkErrors: (error, request, reply) => {
      answerFailure(error, request, reply)
    },
  })
  const closing = new AbortController()
  const [streams, waits] = [new ResponseSlots(STREAMS), new ResponseSlots(WAITS)]
  const routes: FastifyInstance['http']['routes'] = []
  app.decorate('http', {
    secure: config.publicUrl.startsWith('https:'),
    closing: closing.signal,
    isSessionValid: async (request: FastifyRequest) => (await sessionOf(request, identity, false)) !== null,
    streams,
    waits,
    routes,
    calls: [],
  })
  app.addHook('preClose', async () => closing.abort())
  closeUnusedConnections(app)
  if (config.databaseUrl) {
    const access = watchSessionEnds(config.databaseUrl, [streams, waits])
    app.addHook('onClose', () => access.close())
  }
  app.addHook('onRoute', ({ method, url, config }) => {
    const access = config?.access ?? 'session'
    for (const one of [method].flat()) routes.push({ method: one, url, access })
  })

  app.decorateRequest('failure', null)
  app.setErrorHandler(answerFailure)
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    withLogContext({ request_id: request.id }, done)
  })
  app.addHook('onSend', async (_request, reply) => {
    // Keep-alive connections would delay the shutdown.
    if (closing.signal.aborted) reply.header('connection', 'close')
  })
  addAccessLog(app)
  addSecurityHeaders(app, config)
  refuseUnknownHosts(app, config)
  await addRateLimits(app, rateLimits)
  await app.register(cookie)
  addGuard(app, identity, rateLimits)
  acceptJsonOnly(app)
  await app.register(multipart)
  // Brotli would cost more time than it saves on dynamic replies.
  await app.register(compress, { encodings: ['gzip'], globalDecompression: false })
  return app
}

/**
 * While the server closes, closes the connections on which no request arrived. Browsers open some in advance; Node treats them as busy
 * and would wait a minute.
 */
function closeUnusedConnections(app: FastifyInstance): void {
  const sockets = new Set<Socket>()
  app.server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  app.addHook('preClose', async () => {
    setTimeout(() => {
      for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
    }, REQUEST_GRACE_MS).unref()
  })
}

function proxyTrust(setting: Config['trustProxy']) {
  return typeof setting === 'number' ? (_address: string, hop: number) => hop < setting : setting
}

function acceptJsonOnly(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (_request: FastifyRequest, body: Buffer) => parseJsonBody(body),
  )
  app.addHook('preParsing', async (request) => {
    const encoding = request.headers['content-encoding']
    if (encoding && encoding !== 'identity') throw new NamedError('unsupported_type')
  })
}
