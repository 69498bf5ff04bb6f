import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { invalid, notFound } from '../google-error.ts'
import { Email } from '../identity/accounts.ts'
import { parse } from '../parse.ts'
import type { Books } from '../sheets/books.ts'
import type { Book, Sheet } from '../sheets/model/book.ts'
import { enterTyped, readBlock, sourceOf } from './cells.ts'
import { Versions } from './versions.ts'
import { BlockQuery, type BookDetail, type BookSummary, CellEntry, CellQuery, NewBook } from './wire.ts'

const BookPath = z.object({ bookId: z.string() })
const TabPath = BookPath.extend({ tabId: z.coerce.number().int().min(0) })

/** What the page reads and does; open to this machine only, past tokens, quotas, faults and ledger. */
export function pageCalls(app: FastifyInstance, { books, now }: { books: Books; now: () => Date }): void {
  const versions = new Versions()

  const bookOf = (request: FastifyRequest): Book => {
    const book = books.get(parse(BookPath, request.params).bookId)
    if (book === undefined) throw notFound()
    return book
  }
  const tabOf = (request: FastifyRequest): { book: Book; sheet: Sheet } => {
    const book = bookOf(request)
    const sheet = book.sheet(parse(TabPath, request.params).tabId)
    if (sheet === undefined) throw notFound()
    return { book, sheet }
  }

  app.get('/page/books', async () => {
    const byTitle = [...books.all()].sort((a, b) => a.title.localeCompare(b.title, 'en'))
    return { books: byTitle.map(summaryOf) }
  })

  app.post('/page/books', async (request) => {
    const { title, owner } = parse(NewBook, request.body)
    return summaryOf(books.create({ title, owner: parse(Email, owner) }))
  })

  app.get('/page/books/:bookId', async (request) => {
    const book = bookOf(request)
    return detailOf(book, versions.of(book))
  })

  app.get('/page/books/:bookId/tabs/:tabId/cells', async (request) => {
    const { book, sheet } = tabOf(request)
    const block = readBlock(book, sheet, parse(BlockQuery, request.query))
    return { version: versions.of(book), ...block }
  })

  app.get('/page/books/:bookId/tabs/:tabId/source', async (request) => {
    const { book, sheet } = tabOf(request)
    const { row, column } = parse(CellQuery, request.query)
    return sourceOf(book, sheet, row, column)
  })

  app.put('/page/books/:bookId/tabs/:tabId/cells', async (request) => {
    const { book, sheet } = tabOf(request)
    const entry = parse(CellEntry, request.body)
    if (entry.row >= sheet.rowCount || entry.column >= sheet.columnCount)
      throw invalid('That cell lies beyond the grid.')
    books.fill(book.id, enterTyped(sheet, entry, now()))
    return { version: versions.of(book) }
  })
}

function summaryOf(book: Book): BookSummary {
  return {
    id: book.id,
    title: book.title,
    owner: book.owner,
    shared_with: [...book.writers, ...book.readers],
    modified_time: book.modifiedTime,
    trashed: book.trashed,
    tabs: book.sheets.map(({ title }) => title),
  }
}

function detailOf(book: Book, version: number): BookDetail {
  return {
    id: book.id,
    title: book.title,
    owner: book.owner,
    version,
    tabs: book.sheets.map((sheet) => ({
      id: sheet.id,
      title: sheet.title,
      hidden: sheet.properties.hidden === true,
      row_count: sheet.rowCount,
      column_count: sheet.columnCount,
      used_rows: sheet.grid.rows.length,
    })),
  }
}
