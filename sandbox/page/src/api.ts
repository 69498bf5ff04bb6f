import { queryOptions } from '@tanstack/react-query'
import { z } from 'zod'
import {
  BookDetail,
  BookList,
  BookSummary,
  CellBlock,
  type CellEntry,
  CellSource,
  Refusal,
} from '../../page-calls/wire.ts'

/** Size of the blocks in which the grid loads cells. */
export const blockRows = 100
export const blockColumns = 26

/** Calls the sandbox and parses the reply. Throws an Error with the error message of the reply. */
export async function call<T>(reply: z.ZodType<T>, path: string, init: RequestInit = {}): Promise<T> {
  const response = await fetch(path, init)
  const body: unknown = await response.json().catch(() => undefined)
  if (!response.ok) {
    const refusal = Refusal.safeParse(body)
    throw new Error(refusal.success ? refusal.data.error.message : `The sandbox answered ${response.status}.`)
  }
  return reply.parse(body)
}

export function sending(method: string, body: object): RequestInit {
  return { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
}

export const bookList = queryOptions({
  queryKey: ['books'],
  queryFn: ({ signal }) => call(BookList, '/page/books', { signal }),
  refetchInterval: 2_000,
})

export const bookDetail = (bookId: string) =>
  queryOptions({
    queryKey: ['book', bookId],
    queryFn: ({ signal }) => call(BookDetail, `/page/books/${bookId}`, { signal }),
    refetchInterval: 500,
  })

export const cellsKey = (bookId: string, tabId: number) => ['cells', bookId, tabId]

/** One block of cells, cached until the version of the book changes. */
export const cellBlock = (bookId: string, tabId: number, block: { row: number; column: number }) =>
  queryOptions({
    queryKey: [...cellsKey(bookId, tabId), block.row, block.column],
    queryFn: ({ signal }) => {
      const { row, column } = block
      const query = `row=${row}&rows=${blockRows}&column=${column}&columns=${blockColumns}`
      return call(CellBlock, `/page/books/${bookId}/tabs/${tabId}/cells?${query}`, { signal })
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 30_000,
  })

/** Text for editing of a cell at a version of the book. */
export const cellSource = (
  bookId: string,
  tabId: number,
  version: number,
  place: { row: number; column: number },
) =>
  queryOptions({
    queryKey: ['source', bookId, tabId, version, place.row, place.column],
    queryFn: ({ signal }) => {
      const query = `row=${place.row}&column=${place.column}`
      return call(CellSource, `/page/books/${bookId}/tabs/${tabId}/source?${query}`, { signal })
    },
    staleTime: Number.POSITIVE_INFINITY,
  })

const Done = z.unknown()

export const enterCells = (bookId: string, tabId: number, entry: CellEntry) =>
  call(Done, `/page/books/${bookId}/tabs/${tabId}/cells`, sending('PUT', entry))

export const addTab = (bookId: string, title: string) =>
  call(z.object({ id: z.number() }), `/page/books/${bookId}/tabs`, sending('POST', { title }))

export const renameTab = (bookId: string, tabId: number, title: string) =>
  call(Done, `/page/books/${bookId}/tabs/${tabId}`, sending('PATCH', { title }))

export const createBook = (title: string, owner: string) =>
  call(BookSummary, '/page/books', sending('POST', { title, owner }))

export const uploadBook = (file: File, owner: string) =>
  call(BookSummary, `/page/books/upload?${new URLSearchParams({ name: file.name, owner })}`, {
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream' },
    body: file,
  })

export const accountList = queryOptions({
  queryKey: ['accounts'],
  queryFn: ({ signal }) =>
    call(
      z.object({ accounts: z.array(z.object({ email: z.string(), name: z.string() })) }),
      '/control/accounts',
      { signal },
    ),
})
