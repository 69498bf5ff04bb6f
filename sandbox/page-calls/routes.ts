import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { contentDisposition } from '../content-disposition.ts'
import { invalid, notFound } from '../google-error.ts'
import { Email } from '../identity/accounts.ts'
import { parse } from '../parse.ts'
import type { Books } from '../sheets/books.ts'
import type { Book, Sheet } from '../sheets/model/book.ts'
import { rangeText } from '../sheets/ranges/resolve.ts'
import { readXlsx } from '../xlsx/read-xlsx.ts'
import { writeXlsx, xlsxType } from '../xlsx/write-xlsx.ts'
import { readBlock, sourceOf } from './cells.ts'
import { Versions } from './versions.ts'
import {
  BlockQuery,
  type BookDetail,
  type BookSummary,
  CellEntry,
  CellQuery,
  NewBook,
  TabTitle,
} from './wire.ts'

const BookPath = z.object({ bookId: z.string() })
const UploadQuery = z.object({ name: z.string().default(''), owner: Email })
const uploadLimit = 64 * 1024 * 1024
const TabPath = BookPath.extend({ tabId: z.coerce.number().int().min(0) })

/** Calls of the sandbox page, restricted to this machine. They bypass tokens, quotas, faults and ledger. */
export function pageCalls(app: FastifyInstance, { books }: { books: Books }): void {
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
    const { row, column, typed } = parse(CellEntry, request.body)
    growTo(books, book, sheet, {
      rows: row + typed.length,
      columns: column + Math.max(...typed.map(({ length }) => length)),
    })
    const corner = { startRow: row, endRow: row + 1, startColumn: column, endColumn: column + 1 }
    const range = rangeText(sheet, corner)
    books.change(book.id, 'values.update', { range, input: 'USER_ENTERED', body: { values: typed } })
    return { version: versions.of(book) }
  })

  app.post('/page/books/:bookId/tabs', async (request) => {
    const book = bookOf(request)
    const properties = parse(TabTitle, request.body)
    books.change(book.id, 'batchUpdate', { requests: [{ addSheet: { properties } }] })
    return { id: book.sheets.at(-1)?.id }
  })

  app.patch('/page/books/:bookId/tabs/:tabId', async (request) => {
    const { book, sheet } = tabOf(request)
    const properties = { ...parse(TabTitle, request.body), sheetId: sheet.id }
    books.change(book.id, 'batchUpdate', {
      requests: [{ updateSheetProperties: { properties, fields: 'title' } }],
    })
    return { version: versions.of(book) }
  })

  app.get('/page/books/:bookId/download', async (request, reply) => {
    const book = bookOf(request)
    return reply
      .type(xlsxType)
      .header('content-disposition', contentDisposition(`${book.title}.xlsx`))
      .send(writeXlsx(book))
  })

  app.post('/page/books/upload', { bodyLimit: uploadLimit }, async (request) => {
    const { name, owner } = parse(UploadQuery, request.query)
    if (!Buffer.isBuffer(request.body)) throw invalid('Send the file as application/octet-stream.')
    const title = name.replace(/\.xlsx$/i, '') || 'Uploaded'
    return summaryOf(books.create({ title, owner, sheets: readXlsx(request.body) }))
  })
}

/** Extends the grid for a pasted block. */
function growTo(books: Books, book: Book, sheet: Sheet, size: { rows: number; columns: number }): void {
  const missing = [
    { dimension: 'ROWS', length: size.rows - sheet.rowCount },
    { dimension: 'COLUMNS', length: size.columns - sheet.columnCount },
  ].filter(({ length }) => length > 0)
  if (missing.length === 0) return
  const requests = missing.map((more) => ({ appendDimension: { sheetId: sheet.id, ...more } }))
  books.change(book.id, 'batchUpdate', { requests })
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
