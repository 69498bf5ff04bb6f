import type { FastifyInstance } from 'fastify'
import { jsonBody } from '../json-text.ts'
import type { Books } from './books.ts'
import { sheetsCall } from './call.ts'
import { handleCall, unknownCall } from './handlers.ts'

/** Registers `/v4/spreadsheets…`. The app must set the caller of requests and handle GoogleError. */
export function sheetsRoutes(app: FastifyInstance, { books }: { books: Books }): void {
  app.route({
    method: ['GET', 'POST', 'PUT'],
    url: '/v4/spreadsheets*',
    handler: (request, reply) => {
      // Uses the raw URL, because the router decodes slashes and colons in ranges.
      const call = sheetsCall(request.method, request.raw.url ?? '')
      if (!call) throw unknownCall(request)
      const answer = handleCall(books, call, request)
      return reply.type('application/json; charset=utf-8').send(jsonBody(answer))
    },
  })
}
