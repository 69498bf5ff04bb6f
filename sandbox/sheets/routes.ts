import type { FastifyInstance } from 'fastify'
import { jsonBody } from '../json-text.ts'
import type { Books } from './books.ts'
import { sheetsCall } from './call.ts'
import { handleCall, unknownCall } from './handlers.ts'

/** Registers `/v4/spreadsheets…` in an app whose requests carry their caller and whose error handler knows GoogleError. */
export function sheetsRoutes(app: FastifyInstance, { books }: { books: Books }): void {
  app.route({
    method: ['GET', 'POST', 'PUT'],
    url: '/v4/spreadsheets*',
    handler: (request, reply) => {
      // The router decodes its copy of the path, in which a range's slashes and colons are no longer told apart from the API's.
      const call = sheetsCall(request.method, request.raw.url ?? '')
      if (!call) throw unknownCall(request)
      const answer = handleCall(books, call, request)
      return reply.type('application/json; charset=utf-8').send(jsonBody(answer))
    },
  })
}
