import { z } from 'zod'
import type { ApiSettings, Paging } from '../../../contract/connections/calls.ts'
import { originMessages } from '../../../contract/connections/server-messages.ts'

import { OriginFailure } from '../connector.ts'
import { type ApiRequest, type HeaderLine, parseAddress, readdressed } from './send.ts'

/** Identifies a page of a list; null: the first page needs no parameter. */
export const Page = z.union([
  z.strictObject({ page: z.int() }),
  z.strictObject({ offset: z.int() }),
  z.strictObject({ cursor: z.union([z.string(), z.number()]).nullable() }),
  z.strictObject({ url: z.string().nullable() }),
])
export type Page = z.infer<typeof Page>

/** The first page of a list. */
export function firstPage(paging: Paging): Page {
  if (paging.style === 'page') return { page: paging.first }
  if (paging.style === 'offset') return { offset: 0 }
  return paging.style === 'cursor' ? { cursor: null } : { url: null }
}

/** Builds the request for a page. Throws OriginFailure for settings that make no valid request. */
export function requestFor(settings: ApiSettings, page: Page): ApiRequest {
  const { method, paging } = settings
  const first: ApiRequest = {
    method,
    url: parseAddress(settings.url),
    headers: headersOf(settings),
    body: method === 'POST' ? settings.body || '{}' : null,
  }
  const url = new URL(first.url)
  for (const { name, value } of settings.params) url.searchParams.set(name, value ?? '')
  if ('url' in page && page.url !== null) return nextRequest(settings, { ...first, url }, page.url)
  const marks = marksOf(paging, page)
  if (first.body !== null) return { ...first, url, body: withMarks(first.body, marks) }
  for (const [name, value] of marks) url.searchParams.set(name, String(value))
  return { ...first, url }
}

/** Parameters that select a page. */
function marksOf(paging: Paging, page: Page): [string, string | number][] {
  const marks: [string, string | number][] = []
  if (paging.style === 'page' && 'page' in page) marks.push([paging.param, page.page])
  if (paging.style === 'offset' && 'offset' in page) marks.push([paging.param, page.offset])
  if (paging.style === 'cursor' && 'cursor' in page && page.cursor !== null)
    marks.push([paging.param, page.cursor])
  if ((paging.style === 'page' || paging.style === 'offset') && paging.size_param !== '')
    marks.push([paging.size_param, paging.size])
  return marks
}

/** Builds the request from the URL that a reply names, which may omit required parameters such as the key. */
function nextRequest({ params }: ApiSettings, first: ApiRequest, address: string): ApiRequest {
  const url = parseAddress(address, first.url)
  if (url.origin === first.url.origin) {
    for (const { name, value } of params)
      if (!url.searchParams.has(name)) url.searchParams.set(name, value ?? '')
  }
  return readdressed(first, url)
}

/** The page as it may be stored: its URL without secrets, which are added to each request. */
export function storedPage(page: Page, { params }: ApiSettings): Page {
  if (!('url' in page) || page.url === null) return page
  const url = new URL(page.url)
  for (const { name, is_secret } of params) if (is_secret) url.searchParams.delete(name)
  return { url: url.href }
}

function headersOf({ headers, format, method }: ApiSettings): HeaderLine[] {
  const own = headers.map(({ name, value, is_secret }) => ({
    name: name.toLowerCase(),
    value: value ?? '',
    // Treated as secret even if not marked, so that they are not sent to other hosts.
    is_secret: is_secret || /^(authorization|cookie|proxy-authorization)$|key|token|secret/i.test(name),
  }))
  const bad = own.find(({ name, value }) => !isHeader(name, value))
  if (bad) throw new OriginFailure('invalid', originMessages.header_refused(bad.name))
  const usual = {
    accept: format === 'csv' ? 'text/csv, */*;q=0.5' : 'application/json, */*;q=0.5',
    'accept-encoding': 'gzip, deflate, br',
    'user-agent': 'Rowferry',
    ...(method === 'POST' && { 'content-type': 'application/json' }),
  }
  const missing = Object.entries(usual).filter(([name]) => !own.some((header) => header.name === name))
  return [...missing.map(([name, value]) => ({ name, value, is_secret: false })), ...own]
}

// Headers that belong to the connection cannot be set.
const RESERVED = /^(host|connection|content-length|transfer-encoding|upgrade|expect|keep-alive|te|trailer)$/

const isHeader = (name: string, value: string) =>
  /^[\w!#$%&'*+.^`|~-]+$/.test(name) && !RESERVED.test(name) && /^[\t\x20-\x7e\x80-\xff]*$/.test(value)

function withMarks(text: string, marks: [string, string | number][]): string {
  const body = parseBody(text)
  for (const [param, value] of marks) {
    // `variables.after` is nested in `variables`, unless a field has this exact name.
    const path = Object.hasOwn(body, param) ? [param] : param.split('.')
    put(body, path, value)
  }
  return JSON.stringify(body)
}

function put(object: object, [name = '', ...rest]: string[], value: unknown): void {
  const inner: unknown = Object.getOwnPropertyDescriptor(object, name)?.value
  const next = rest.length === 0 ? value : typeof inner === 'object' && inner !== null ? inner : {}
  // Assigning to __proto__ would not create a property.
  Object.defineProperty(object, name, { value: next, enumerable: true, writable: true, configurable: true })
  if (rest.length > 0 && typeof next === 'object' && next !== null) put(next, rest, value)
}

function parseBody(text: string): object {
  try {
    const body: unknown = JSON.parse(text)
    if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body
  } catch (cause) {
    throw new OriginFailure('invalid', originMessages.body_invalid, { cause })
  }
  throw new OriginFailure('invalid', originMessages.body_invalid)
}
