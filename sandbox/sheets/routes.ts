import type { FastifyInstance } from 'fastify'
import { invalid } from '../google-error.ts'
import type { Books } from './books.ts'
import { sheetsCall } from './call.ts'
import { handleCall, unknownCall } from './handlers.ts'

const MAX_BODY_BYTES = 10 * 1024 * 1024

/** Registers `/v4/spreadsheets…` in an app whose requests carry their caller and whose error handler knows GoogleError. */
export function sheetsRoutes(app: FastifyInstance, { books }: { books: Books }): void {
  app.register(async (scope) => {
    // Google's clients announce JSON and then send no body at all.
    scope.removeContentTypeParser('application/json')
    scope.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, text, done) => {
      try {
        done(null, text === '' ? undefined : JSON.parse(String(text)))
      } catch {
        done(invalid(`Invalid JSON payload received. Unexpected token.\n${String(text).slice(0, 60)}\n^`))
      }
    })
    scope.setErrorHandler((error) => {
      const tooLarge =
        error instanceof Error && 'code' in error && error.code === 'FST_ERR_CTP_BODY_TOO_LARGE'
      throw tooLarge ? invalid(`Request payload size exceeds the limit: ${MAX_BODY_BYTES} bytes.`) : error
    })
    scope.route({
      method: ['GET', 'POST', 'PUT'],
      url: '/v4/spreadsheets*',
      bodyLimit: MAX_BODY_BYTES,
      handler: (request) => {
        // The router has decoded its own copy of the path, in which a range's slashes and colons are no longer told apart.
        const call = sheetsCall(request.method, request.raw.url ?? '')
        if (!call) throw unknownCall(request)
        return handleCall(books, call, request)
      },
    })
  })
}
