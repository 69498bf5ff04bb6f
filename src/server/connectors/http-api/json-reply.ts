import LinkHeader from 'http-link-header'
import type { ApiSettings } from '../../../contract/connections.ts'
import { originMessages as messages } from '../../../contract/origin-messages.ts'
import { OriginFailure } from '../connector.ts'
import { parseExactJson } from './exact-json.ts'
import { compilePath, fieldsOf, firstAt, type JsonPath } from './json-path.ts'
import type { PageFacts } from './page-order.ts'
import type { Reply } from './reply.ts'

/** Where a JSON reply has what; compiled once. Null: it is not asked for. */
export type ReplyPaths = { list: JsonPath | null; total: JsonPath | null; next: JsonPath | null }

/** Throws OriginFailure for a path that is none. */
export function compilePaths({ list_path, total_path, paging }: ApiSettings): ReplyPaths {
  const path = (text: string, label: string) => (text === '' ? null : compilePath(text, label))
  return {
    list: path(list_path, 'list'),
    total: path(total_path, 'total'),
    next:
      paging.style === 'cursor'
        ? compilePath(paging.cursor_path, 'cursor')
        : paging.style === 'next_url'
          ? compilePath(paging.url_path, 'next address')
          : null,
  }
}

/** The value of a JSON reply. Throws OriginFailure `unavailable` where it is cut or broken, `invalid` where it is a web page. */
export function parseReply(text: string, { headers }: Pick<Reply, 'headers'>): unknown {
  refuseWebPage(text, headers, 'JSON')
  try {
    return parseExactJson(text)
  } catch (cause) {
    if (cause instanceof RangeError) throw new OriginFailure('invalid', messages.json_too_deep, { cause })
    throw new OriginFailure('unavailable', messages.json_broken(text.length), { cause })
  }
}

/** Throws OriginFailure where a login page or another page for people came instead of data. */
export function refuseWebPage(text: string, headers: Reply['headers'], wanted: string): void {
  const start = text.slice(0, 10_000)
  const isHtml = /^\s*(<!doctype html|<html|<head|<body)/i.test(start)
  const isDeclared = /html/i.test(headers['content-type'] ?? '') && /^\s*</.test(start)
  if (!isHtml && !isDeclared) return
  const title = /<title[^<>]{0,200}>([^<]{1,200})/i.exec(start)?.[1]?.replace(/\s+/g, ' ').trim() ?? ''
  throw new OriginFailure('invalid', messages.web_page(wanted, title))
}

/** The entries of the list in a reply. `isFirst`: a list that is not there is a failure; later it is one without entries. */
export function entriesOf(value: unknown, { list }: ReplyPaths, isFirst: boolean): unknown[] {
  const found = list ? list(value) : [value]
  const [only] = found
  if (found.length === 1 && Array.isArray(only)) return only
  if (found.length === 1 && only === null) return []
  if (found.length > 0 && list) return found
  const fields = fieldsOf(value)
  if (!isFirst && list && !fields.some(([name, field]) => /^errors?$/i.test(name) && field)) return []
  throw new OriginFailure(
    'invalid',
    messages.list_missing(
      list !== null,
      fields.map(([name]) => name),
    ),
  )
}

/** What a reply says of its page. */
export function factsOf(
  value: unknown,
  paths: ReplyPaths,
  { headers, url }: Pick<Reply, 'headers' | 'url'>,
  { style }: ApiSettings['paging'],
): Omit<PageFacts, 'rows'> {
  return {
    total: asCount(firstAt(paths.total, value)) ?? totalIn(headers),
    has_more: hasMore(value),
    next: style === 'link' ? linkedPage(headers, url) : namedPage(firstAt(paths.next, value), style, url),
  }
}

function namedPage(value: unknown, style: ApiSettings['paging']['style'], base: URL): PageFacts['next'] {
  if (typeof value !== 'string' && typeof value !== 'number') return null
  if (value === '') return null
  if (style === 'cursor') return { cursor: value }
  const url = URL.parse(String(value), base.href)
  if (!url) throw new OriginFailure('invalid', messages.next_invalid)
  return { url: url.href }
}

/** The next page by the Link header. */
export function linkedPage(headers: Reply['headers'], base: URL): PageFacts['next'] {
  if (headers.link === undefined) return null
  try {
    const [next] = LinkHeader.parse(headers.link).rel('next')
    return next ? { url: new URL(next.uri, base).href } : null
  } catch (cause) {
    throw new OriginFailure('invalid', messages.link_invalid, { cause })
  }
}

const MORE = /^(has_?more|has_?next(_?page)?|more)$/i
const LAST = /^((is_?)?last(_?page)?)$/i

/** Looks for what says that there is more, from the outside in; entries of lists say nothing of it. */
function hasMore(value: unknown): boolean | null {
  let objects = [value]
  for (let depth = 0; depth < 4; depth += 1) {
    const fields = objects.flatMap(fieldsOf)
    for (const [name, field] of fields) {
      if (typeof field !== 'boolean') continue
      if (MORE.test(name)) return field
      if (LAST.test(name)) return !field
    }
    objects = fields.map(([, field]) => field)
  }
  return null
}

/** Rows in all, by the headers in which it is usual to say so. */
export const totalIn = (headers: Reply['headers']): number | null =>
  asCount(headers['x-total-count'] ?? headers['x-wp-total'])

function asCount(value: unknown): number | null {
  const count = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value
  return Number.isSafeInteger(count) && typeof count === 'number' && count >= 0 ? count : null
}
