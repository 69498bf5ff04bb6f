import swagger, { type StaticDocumentSpec } from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import { openApiDocument } from './open-api.ts'

/** The calls mounted so far as a page under /api/docs and as JSON under /api/docs/json; like every call they need a session. */
export async function addDocs(app: FastifyInstance, version: string): Promise<void> {
  // The plugin's types end at OpenAPI 3.0, whose schemas are not JSON Schema; it passes the document on as it is.
  const document = openApiDocument(app.http.calls, version) as unknown as StaticDocumentSpec['document']
  await app.register(swagger, { mode: 'static', specification: { document } })
  await app.register(swaggerUi, {
    routePrefix: '/api/docs',
    theme: { title: 'Rowferry calls' },
    uiConfig: { requestInterceptor: bringAntiForgeryToken },
  })
}

/** Runs in the reader's browser, as text: lets the page's "Try it out" send more than GET. */
function bringAntiForgeryToken(request: object): object {
  const { cookie } = Reflect.get(globalThis, 'document')
  const token = /(?:^|; )XSRF-TOKEN=([^;]+)/.exec(cookie)?.[1]
  return token
    ? Object.assign(request, { headers: { ...Reflect.get(request, 'headers'), 'X-XSRF-TOKEN': token } })
    : request
}
