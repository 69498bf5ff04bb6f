import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { DriveError } from '../error-reply.ts'
import type { Account } from '../identity/accounts.ts'
import { rootUrl } from '../root-url.ts'
import type { Book } from '../sheets/model/book.ts'
import type { DriveDeps } from './access.ts'
import { masked } from './fields.ts'
import { fileOf, spreadsheetType } from './file.ts'
import { type Searchable, searchFor } from './query.ts'

const defaultFields = 'kind,nextPageToken,incompleteSearch,files(kind,id,name,mimeType)'

const ListQuery = z.object({
  q: z.string().optional(),
  fields: z.string().default(defaultFields),
  orderBy: z.string().default('recency desc'),
  pageSize: z.coerce.number().int().min(1).max(1000).default(100),
  pageToken: z.string().default(''),
})

/** files.list: files that the caller owns or that are shared with the caller, without link-shared files. */
export function listFiles(
  request: FastifyRequest,
  viewer: Account,
  { books, identity, publicUrl }: DriveDeps,
) {
  const asked = ListQuery.safeParse(request.query)
  if (!asked.success) throw invalidValue(asked.error.issues[0]?.path.join('.') ?? 'query')
  const { q, fields, orderBy, pageSize, pageToken } = asked.data
  const matches = q === undefined || q.trim() === '' ? () => true : searchFor(q, viewer.email)
  const found = [...books.all()]
    .filter((book) => isListed(book, viewer.email) && matches(searchable(book, viewer.email)))
    .sort(orderOf(orderBy))
  const start = startOf(pageToken)
  const end = start + pageSize
  const root = rootUrl(request, publicUrl)
  const reply = {
    kind: 'drive#fileList',
    ...(end < found.length ? { nextPageToken: pageTokenAt(end) } : {}),
    incompleteSearch: false,
    files: found.slice(start, end).map((book) => fileOf(book, viewer, { identity, root })),
  }
  return masked(reply, fields)
}

function isListed(book: Book, email: string): boolean {
  return book.owner === email || book.writers.includes(email) || book.readers.includes(email)
}

function searchable(book: Book, viewer: string): Searchable {
  return {
    name: book.title,
    mimeType: spreadsheetType,
    trashed: book.trashed,
    starred: false,
    sharedWithMe: book.owner !== viewer,
    createdTime: book.createdTime,
    modifiedTime: book.modifiedTime,
    owners: [book.owner],
    writers: [book.owner, ...book.writers],
    readers: [book.owner, ...book.writers, ...book.readers],
  }
}

type Order = (a: Book, b: Book) => number

const byText = new Intl.Collator('en', { sensitivity: 'base' })
const byNumber = new Intl.Collator('en', { sensitivity: 'base', numeric: true })
const byTime: Order = (a, b) => Date.parse(a.modifiedTime) - Date.parse(b.modifiedTime)
const orders: Record<string, Order> = {
  name: (a, b) => byText.compare(a.title, b.title),
  name_natural: (a, b) => byNumber.compare(a.title, b.title),
  createdTime: (a, b) => Date.parse(a.createdTime) - Date.parse(b.createdTime),
  modifiedTime: byTime,
  modifiedByMeTime: byTime,
  viewedByMeTime: byTime,
  recency: byTime,
  folder: () => 0,
}

function orderOf(orderBy: string): Order {
  const keys = orderBy.split(',').map((key) => {
    const [name = '', direction] = key.trim().split(/\s+/)
    const order = Object.hasOwn(orders, name) ? orders[name] : undefined
    if (order === undefined || ![undefined, 'desc'].includes(direction)) throw invalidValue('orderBy')
    return { order, sign: direction === 'desc' ? -1 : 1 }
  })
  return (a, b) => {
    for (const { order, sign } of keys) {
      const difference = order(a, b) * sign
      if (difference !== 0) return difference
    }
    return 0
  }
}

function pageTokenAt(offset: number): string {
  return `~!!~${Buffer.from(String(offset)).toString('base64url')}`
}

function startOf(pageToken: string): number {
  if (pageToken === '') return 0
  const offset = Number(Buffer.from(pageToken.slice(4), 'base64url').toString())
  if (!pageToken.startsWith('~!!~') || !Number.isInteger(offset)) throw invalidValue('pageToken')
  return offset
}

function invalidValue(parameter: string): DriveError {
  return new DriveError(400, 'INVALID_ARGUMENT', 'Invalid Value', 'invalid', parameter)
}
