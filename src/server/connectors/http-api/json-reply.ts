import LinkHeader from 'http-link-header'
import type { ApiSettings } from '../../../contract/connections/calls.ts'
import { originMessages } from '../../../contract/connections/server-messages.ts'

import { OriginFailure } from '../connector.ts'
import { parseExactJson } from './exact-json.ts'
import { findFault, isTooDeep } from './json-fault.ts'
import { compilePath, fieldsOf, firstAt, isObject, type JsonPath } from './json-path.ts'
import type { PageFacts } from './page-order.ts'
import { BriefFailure } from './refusals.ts'
import type { Reply } from './reply.ts'

/** Compiled paths of a JSON reply; null: not configured. */
export type ReplyPaths = { list: JsonPath | null; total: JsonPath | null; next: JsonPath | null }

/** Throws OriginFailure for an invalid path. */
export function compilePaths({
  list_path,
  total_path,
  paging,
}: Pick<ApiSettings, 'list_path' | 'total_path' | 'paging'>): ReplyPaths {
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

type Judged = { reply: Pick<Reply, 'headers'>; isFirst: boolean; isLines?: boolean }

/**
 * Parses a JSON reply; JSON lines become a list. Throws OriginFailure: `unavailable` if it is truncated or a web page
 * instead of a later page, else `invalid`.
 */
export function parseReply(text: string, { reply, isFirst, isLines = false }: Judged): unknown {
  refuseWebPage(text, { reply, isFirst }, 'JSON')
  if (isTooDeep(text)) throw new OriginFailure('invalid', originMessages.json_too_deep)
  if (isLines || declaresLines(reply)) return parseLines(text)
  return parseValue(text, 0)
}

const declaresLines = ({ headers }: Pick<Reply, 'headers'>) =>
  /\b(x-)?(nd-?json|json-?l(ines)?)\b/i.test(headers['content-type'] ?? '')

function parseLines(text: string): unknown[] {
  const values: unknown[] = []
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf('\n', at)
    const line = text.slice(at, end < 0 ? text.length : end)
    // Only the last line can be truncated.
    if (line.trim() !== '') values.push(parseValue(line, at, end < 0))
    at += line.length + 1
  }
  const [only] = values
  return values.length === 1 && Array.isArray(only) ? only : values
}

/** `offset`: characters before the text. `isLast`: text that ends early may be truncated. */
function parseValue(text: string, offset: number, isLast = true): unknown {
  try {
    return parseExactJson(text)
  } catch (cause) {
    if (cause instanceof RangeError)
      throw new OriginFailure('invalid', originMessages.json_too_deep, { cause })
    const { at, isNextValue } = findFault(text)
    if (at >= text.length && isLast)
      throw new BriefFailure(originMessages.json_ended(offset + text.length), 2)
    if (isNextValue) throw new OriginFailure('invalid', originMessages.json_lines, { cause })
    const excerpt = text
      .slice(Math.max(0, at - 20), at + 20)
      .replace(/\s+/g, ' ')
      .trim()
    throw new OriginFailure('invalid', originMessages.json_invalid(offset + at + 1, excerpt), { cause })
  }
}

/**
 * Throws OriginFailure if a web page arrived instead of data, such as a login page. Instead of a later page it may
 * come from a proxy and is retried.
 */
export function refuseWebPage(
  text: string,
  { reply: { headers }, isFirst }: Pick<Judged, 'reply' | 'isFirst'>,
  wanted: string,
): void {
  const start = text.slice(0, 10_000)
  const isHtml = /^\s*(<!doctype html|<html|<head|<body)/i.test(start)
  const isDeclared = /html/i.test(headers['content-type'] ?? '') && /^\s*</.test(start)
  if (!isHtml && !isDeclared) return
  const title = /<title[^<>]{0,200}>([^<]{1,200})/i.exec(start)?.[1]?.replace(/\s+/g, ' ').trim() ?? ''
  const message = originMessages.web_page(wanted, title)
  throw isFirst ? new OriginFailure('invalid', message) : new BriefFailure(message, 3)
}

/** Entries of the list; null if there is no list. An object instead of a list is its only entry. */
export function entriesOf(value: unknown, { list }: Pick<ReplyPaths, 'list'>): unknown[] | null {
  if (!list) return Array.isArray(value) ? value : null
  const found = list.find(value)
  const [only] = found
  if (found.length === 1 && Array.isArray(only)) return only
  if (list.isSingular) return isObject(only) ? [only] : null
  if (found.length === 0) return list.isBaseIn(value) ? [] : null
  return found.length === 1 && only === null ? [] : found
}

/** What a reply contains about its page. */
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
  if (!url) throw new OriginFailure('invalid', originMessages.next_invalid)
  return { url: url.href }
}

/** The next page from the Link header. */
export function linkedPage(headers: Reply['headers'], base: URL): PageFacts['next'] {
  if (headers.link === undefined) return null
  try {
    const [next] = LinkHeader.parse(headers.link).rel('next')
    return next ? { url: new URL(next.uri, base).href } : null
  } catch (cause) {
    throw new OriginFailure('invalid', originMessages.link_invalid, { cause })
  }
}

const MORE = /^(has_?more|has_?next(_?page)?|more)$/i
const LAST = /^((is_?)?last(_?page)?)$/i

/** Searches for a has-more flag, outermost first; entries of lists are ignored. */
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

/** Total number of rows from the usual headers. */
export const totalIn = (headers: Reply['headers']): number | null =>
  asCount(headers['x-total-count'] ?? headers['x-wp-total'])

function asCount(value: unknown): number | null {
  const count = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value
  return Number.isSafeInteger(count) && typeof count === 'number' && count >= 0 ? count : null
}
