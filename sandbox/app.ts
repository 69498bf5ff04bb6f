import { join } from 'node:path'
import fastify, { type FastifyInstance } from 'fastify'
import { apiPipeline } from './api-pipeline.ts'
import { Control } from './control/control.ts'
import { refuseForeign, refuseRemote } from './control/local-only.ts'
import { controlRoutes } from './control/routes.ts'
import { seedDemo } from './demo/seed.ts'
import { demoApi } from './demo-api/routes.ts'
import { driveRoutes } from './drive/routes.ts'
import { errorReply } from './error-reply.ts'
import { GoogleError } from './google-error.ts'
import { authorizeRoutes, type PendingCode } from './identity/authorize.ts'
import { discoveryRoutes } from './identity/discovery.ts'
import { Identity } from './identity/identity.ts'
import { tokenRoutes } from './identity/token-routes.ts'
import { Tokens } from './identity/tokens.ts'
import { parseBody } from './json-text.ts'
import { pageCalls } from './page-calls/routes.ts'
import { servePage } from './page-calls/serve-page.ts'
import { Books } from './sheets/books.ts'
import type { Overflow } from './sheets/changes/context.ts'
import { sheetsRoutes } from './sheets/routes.ts'

// Request limits of Google: 10 MiB per body. The header limit is Node's default of 16 kB.
const bodyLimit = 10_485_760
const maxHeaderSize = 64 * 1024

export type SandboxOptions = {
  /** Data is stored in its subfolder `sandbox`; null keeps it in memory. */
  dataDir: string | null
  now?: () => Date
  /** Whether a write beyond the grid is refused (default) or extends the grid. */
  overflow?: Overflow
  /** Root URL in tokens and discovery. Default: the one that the client used. */
  publicUrl?: string
}

/** Builds a local Google with Sheets, Drive, sign-in, and fault injection. Closing it saves all data. */
export async function buildSandbox(options: SandboxOptions): Promise<FastifyInstance> {
  const { dataDir, now = () => new Date(), publicUrl, overflow } = options
  const dir = dataDir === null ? null : join(dataDir, 'sandbox')
  const books = await Books.open(dir === null ? null : join(dir, 'books'), { now, overflow })
  const identity = Identity.open(dir)
  seedDemo(identity, books)
  const tokens = new Tokens(identity, now)
  const control = new Control(now)
  const codes = new Map<string, PendingCode>()

  const app = fastify({
    bodyLimit,
    http: { maxHeaderSize },
    routerOptions: { maxParamLength: maxHeaderSize, ignoreTrailingSlash: true },
    // Connections that a fault keeps open must not delay the shutdown.
    forceCloseConnections: true,
  })
  app.decorateRequest('caller', null)
  app.decorateRequest('record', null)
  app.setErrorHandler(errorReply)
  app.setNotFoundHandler(() => {
    throw new GoogleError(404, 'NOT_FOUND', 'The requested URL was not found on this server.')
  })
  acceptBodies(app)

  const services = { books, identity, tokens, control, codes, now, publicUrl }
  await app.register(async (api) => {
    apiPipeline(api, 'sheets', services)
    await sheetsRoutes(api, services)
  })
  await app.register(async (api) => {
    apiPipeline(api, 'drive', services)
    driveRoutes(api, services)
  })
  await app.register(demoApi)
  await app.register(async (signIn) => tokenRoutes(signIn, services))
  discoveryRoutes(app, services)
  await app.register(async (chooser) => {
    chooser.addHook('onRequest', refuseForeign(publicUrl))
    authorizeRoutes(chooser, services)
  })
  await app.register(async (local) => {
    local.addHook('onRequest', refuseRemote)
    local.addHook('onRequest', refuseForeign(publicUrl))
    controlRoutes(local, services)
    pageCalls(local, services)
    await servePage(local)
  })
  app.addHook('onClose', () => books.close())
  return app
}

function acceptBodies(app: FastifyInstance): void {
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
    // Clients also send the JSON content type without a body.
    if (body.length === 0) return done(null, undefined)
    try {
      done(null, parseBody(body))
    } catch (error) {
      done(new GoogleError(400, 'INVALID_ARGUMENT', `Invalid JSON payload received. ${String(error)}`))
    }
  })
  app.addContentTypeParser('application/octet-stream', { parseAs: 'buffer' }, (_request, body, done) => {
    done(null, body)
  })
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => {
      done(null, formFields(body.toString()))
    },
  )
}

function formFields(body: string): Record<string, string | string[]> {
  const form = new URLSearchParams(body)
  const fields = [...new Set(form.keys())].map((name) => {
    const values = form.getAll(name)
    return [name, values.length === 1 ? (values[0] ?? '') : values] as const
  })
  return Object.fromEntries(fields)
}
