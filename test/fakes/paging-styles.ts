import { ApiSettings } from '../../src/contract/connections/calls.ts'
import type { Asked, Handler, OriginServer } from './origin-server.ts'

/** A pagination style of APIs. */
export type PagingStyle = {
  /** Path of the URL that a user enters, below `/`. */
  address: string
  handler: (server: OriginServer) => Handler
  /** Settings, besides the URL, with which a connection reads the whole list. */
  settings: Partial<ApiSettings>
}

/** Items of each list. */
export const PRODUCTS = Array.from({ length: 23 }, (_, index) => ({
  sku: `P-${String(index + 1).padStart(3, '0')}`,
  name: `Product ${index + 1}`,
  price: { amount: index + 0.5, currency: 'EUR' },
}))

const SIZE = 5
const total = PRODUCTS.length
const slice = (offset: number, size = SIZE) => PRODUCTS.slice(offset, offset + size)
const number = ({ url }: Asked, name: string, otherwise: number) =>
  Number(url.searchParams.get(name) ?? otherwise)
const page = (param: string, first: 0 | 1, size_param = '', size = SIZE) =>
  ({ style: 'page', param, first, size_param, size }) as const
const offset = (param: string, size_param = '', size = SIZE) =>
  ({ style: 'offset', param, size_param, size }) as const

/** Pagination styles by name. */
export const PAGING_STYLES: Record<string, PagingStyle> = {
  'a bare list, whole': {
    address: 'whole',
    settings: {},
    handler: () => () => ({ body: PRODUCTS }),
  },
  'pages from 1, with the total': {
    address: 'pages?page=1&per_page=5',
    settings: {
      list_path: '$.data',
      total_path: '$.meta.total',
      paging: page('page', 1, 'per_page'),
    },
    handler: () => (asked) => {
      const size = number(asked, 'per_page', 2)
      const at = number(asked, 'page', 1)
      return {
        body: { data: slice((at - 1) * size, size), meta: { current_page: at, per_page: size, total } },
      }
    },
  },
  'pages from 0, a bare list without a word': {
    address: 'from-zero?page=0&size=5',
    settings: { paging: page('page', 0, 'size') },
    handler: () => (asked) => ({ body: slice(number(asked, 'page', 0) * SIZE) }),
  },
  'pages from 0, saying which is the last': {
    address: 'spring',
    settings: { list_path: '$.content', total_path: '$.totalElements', paging: page('page', 0) },
    handler: () => (asked) => {
      const at = number(asked, 'page', 0)
      return {
        body: {
          content: slice(at * SIZE),
          totalElements: total,
          totalPages: 5,
          number: at,
          size: SIZE,
          first: at === 0,
          last: (at + 1) * SIZE >= total,
        },
      }
    },
  },
  'offset and limit, with the total': {
    address: 'offset?limit=5&offset=0',
    settings: { list_path: '$.items', total_path: '$.total', paging: offset('offset', 'limit') },
    handler: () => (asked) => ({
      body: { items: slice(number(asked, 'offset', 0)), offset: number(asked, 'offset', 0), limit: 5, total },
    }),
  },
  'skip and top, with has_more': {
    address: 'skip',
    settings: { list_path: '$.records', paging: offset('skip') },
    handler: () => (asked) => {
      const skip = number(asked, 'skip', 0)
      return { body: { records: slice(skip), skip, has_more: skip + SIZE < total } }
    },
  },
  'a cursor that is null at the end': {
    address: 'cursor',
    settings: {
      list_path: '$.results',
      paging: { style: 'cursor', param: 'cursor', cursor_path: '$.next_cursor' },
    },
    handler: () => (asked) => {
      const at = number(asked, 'cursor', 0)
      const next = at + SIZE
      return { body: { results: slice(at), next_cursor: next < total ? String(next) : null } }
    },
  },
  'a page token that is left out at the end': {
    address: 'token',
    settings: {
      list_path: '$.files',
      paging: { style: 'cursor', param: 'pageToken', cursor_path: '$.nextPageToken' },
    },
    handler: () => (asked) => {
      const at = number(asked, 'pageToken', 0)
      const next = at + SIZE
      return { body: { files: slice(at), ...(next < total && { nextPageToken: String(next) }) } }
    },
  },
  'a cursor in the body of a POST': {
    address: 'graph',
    settings: {
      method: 'POST',
      body: '{"query":"{ products }","variables":{"first":5}}',
      list_path: '$.data.products.nodes',
      paging: {
        style: 'cursor',
        param: 'variables.after',
        cursor_path: '$.data.products.pageInfo.endCursor',
      },
    },
    handler: () => (asked) => {
      const { variables } = JSON.parse(asked.body)
      const at = Number(variables.after ?? 0)
      const next = at + variables.first
      const pageInfo = { hasNextPage: next < total, endCursor: String(next) }
      return { body: { data: { products: { nodes: slice(at, variables.first), pageInfo } } } }
    },
  },
  'the address of the next page': {
    address: 'next',
    settings: {
      list_path: '$.results',
      total_path: '$.count',
      paging: { style: 'next_url', url_path: '$.next' },
    },
    handler: (server) => (asked) => {
      const at = number(asked, 'after', 0)
      const next = at + SIZE < total ? `${server.root}/next?after=${at + SIZE}` : null
      return { body: { count: total, next, previous: null, results: slice(at) } }
    },
  },
  'the address of the next page, relative': {
    address: 'hal?size=5',
    settings: {
      list_path: '$._embedded.products',
      paging: { style: 'next_url', url_path: '$._links.next.href' },
    },
    handler: () => (asked) => {
      const at = number(asked, 'start', 0)
      const next = at + SIZE < total ? { next: { href: `?start=${at + SIZE}` } } : {}
      return { body: { _embedded: { products: slice(at) }, _links: { self: { href: '/hal' }, ...next } } }
    },
  },
  'the Link header': {
    address: 'link',
    settings: { paging: { style: 'link' } },
    handler: (server) => (asked) => {
      const at = number(asked, 'page', 1)
      const link = (to: number, rel: string) => `<${server.root}/link?page=${to}>; rel="${rel}"`
      const links = [...(at * SIZE < total ? [link(at + 1, 'next')] : []), link(5, 'last')]
      return { body: slice((at - 1) * SIZE), headers: { link: links.join(', ') } }
    },
  },
}

/** Serves the list with this pagination style; returns the settings of a connection that reads it. */
export function serveStyle(server: OriginServer, { address, handler, settings }: PagingStyle): ApiSettings {
  const url = new URL(address, server.root)
  server.on(url.pathname, handler(server))
  return ApiSettings.parse({ url: url.href, ...settings })
}
