import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { masterRows, stockRows } from '../demo/catalogue.ts'
import { parse } from '../parse.ts'
import { csvLine, nested, recordsOf } from './records.ts'

/** Demo key; it protects nothing. */
const KEY = 'demo-key'

const PageQuery = z.object({
  page: z.coerce.number().int().min(1).default(1),
  per_page: z.coerce.number().int().min(1).max(500).default(100),
})
const CursorQuery = z.object({ cursor: z.string().default('') })
const STOCK_A_PAGE = 250

const products = recordsOf(masterRows())
const stock = recordsOf(stockRows())

/**
 * A small HTTP API over the demo catalogue for testing API sources offline: products by page, stock by cursor, products as CSV.
 * Requires the header `X-Api-Key: demo-key`.
 */
export async function demoApi(app: FastifyInstance): Promise<void> {
  app.addHook('onRequest', async (request, reply) => {
    if (request.headers['x-api-key'] === KEY) return
    return reply.code(401).send({ error: 'unauthorized', message: `Send the header X-Api-Key: ${KEY}` })
  })

  app.get('/demo-api/products', async (request) => {
    const { page, per_page } = parse(PageQuery, request.query)
    const rows = products.values.slice((page - 1) * per_page, page * per_page)
    return {
      data: rows.map((values) => nested(products.fields, values)),
      meta: { page, per_page, total: products.values.length },
    }
  })

  app.get('/demo-api/stock', async (request) => {
    const { cursor } = parse(CursorQuery, request.query)
    const at = Number(Buffer.from(cursor, 'base64url').toString()) || 0
    const next = at + STOCK_A_PAGE
    return {
      items: stock.values.slice(at, next).map((values) => nested(stock.fields, values)),
      next_cursor: next < stock.values.length ? Buffer.from(String(next)).toString('base64url') : null,
    }
  })

  app.get('/demo-api/products.csv', async (_request, reply) => {
    const lines = [products.fields, ...products.values].map(csvLine)
    return reply.type('text/csv; charset=utf-8').send(Readable.from(lines))
  })
}
