import swagger, { type StaticDocumentSpec } from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import { openApiDocument } from './open-api.ts'

/**
 * Serves the documentation of the mounted calls under /api/docs, and as JSON under /api/docs/json; both require a
 * session.
 */
export async function addDocs(app: FastifyInstance, version: string): Promise<void> {
  // The plugin's types stop at OpenAPI 3.0, whose schemas are not JSON Schema; it passes the document on unchanged.
  const document = openApiDocument(app.http.calls, version) as unknown as StaticDocumentSpec['document']
  await app.register(swagger, { mode: 'static', specification: { document } })
  await app.register(swaggerUi, {
    routePrefix: '/api/docs',
    theme: { title: 'Rowferry calls' },
    uiConfig: { requestInterceptor: bringAntiForgeryToken },
  })
}

/** Runs in the reader's browser: makes "Try it out" send the anti-forgery header. */
function bringAntiForgeryToken(request: object): object {
  const { cookie } = Reflect.get(globalThis, 'document')
  const token = /(?:^|; )XSRF-TOKEN=([^;]+)/.exec(cookie)?.[1]
  return token
    ? Object.assign(request, { headers: { ...Reflect.get(request, 'headers'), 'X-XSRF-TOKEN': token } })
    : request
}
