import type { FastifyInstance } from 'fastify'
import { callerOf } from '../api-call.ts'
import { forbidden, notFound, notInSandbox } from '../google-error.ts'
import type { Books } from './books.ts'
import { sheetsCall } from './call.ts'

/** Registers `/v4/spreadsheets…` in an app whose requests carry their caller and whose error handler knows GoogleError. */
export function sheetsRoutes(app: FastifyInstance, { books }: { books: Books }): void {
  app.route({
    method: ['GET', 'POST', 'PUT'],
    url: '/v4/spreadsheets*',
    handler: (request) => {
      const call = sheetsCall(request.method, request.raw.url ?? '')
      if (!call) throw notInSandbox(`${request.method} ${request.url}`)
      const book = books.get(call.spreadsheetId ?? '')
      if (!book) throw notFound()
      if (!book.canRead(callerOf(request).email)) throw forbidden()
      return { spreadsheetId: book.id, properties: { title: book.title } }
    },
  })
}
