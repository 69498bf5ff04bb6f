import type { ApiSettings, ConnectionGuess, Paging } from '../../../contract/connections/calls.ts'
import { originMessages } from '../../../contract/connections/server-messages.ts'

import { parseExactJson } from './exact-json.ts'
import { isTooDeep } from './json-fault.ts'
import { type Field, fieldsWithin, findList } from './json-fields.ts'
import { linkedPage } from './json-reply.ts'
import type { Reply } from './reply.ts'

type PagingGuess = Pick<ConnectionGuess, 'paging' | 'reason'>

const TOTAL = /^(total|total_?(count|results|rows|elements|items|records|hits)|count|nb_?hits|row_?count)$/i
const CURSOR =
  /^(next_?(cursor|page_?token|token|marker|key)|cursor|continuation(_?token)?|end_?cursor|scroll_?id|after)$/i
const NEXT = /^(next|next_?(url|link|page|page_?url)|@odata\.nextlink)$/i
const PAGE = /^(page|current_?page|page_?(number|no|index)|number|p)$/i
const SIZE = /^(per_?page|page_?size|size|limit|\$?top|take|max_?results)$/i
const OFFSET = /^(offset|\$?skip|start|start_?index|from)$/i

/** Guesses from the first request and reply where the rows are and how paging works. */
export function guessFrom(settings: ApiSettings, reply: Reply, text: string): ConnectionGuess {
  const value = isTooDeep(text) ? undefined : parseExactly(text)
  if (value === undefined && looksLikeCsv(reply, text))
    return { ...NO_GUESS, format: 'csv', ...guessPaging(settings, reply, []) }
  if (value === undefined && isLines(text))
    return { ...NO_GUESS, format: 'ndjson', ...guessPaging(settings, reply, []) }
  const list = findList(value)
  const fields = fieldsWithin(value)
  const total = fields.find(
    ({ name, value: count }) => TOTAL.test(name) && isCount(count) && count >= (list?.entries ?? 0),
  )
  const guess = { ...NO_GUESS, list_path: list?.path ?? '', total_path: total?.path ?? '' }
  return { ...guess, ...guessPaging(settings, reply, fields) }
}

const NO_GUESS = { format: 'json', list_path: '', total_path: '' } as const

/** Strongest evidence first: the next page that a reply names, then what it counts or was asked to count. */
function guessPaging(settings: ApiSettings, { headers, url }: Reply, fields: Field[]): PagingGuess {
  if (linkedPage(headers, url)) return { paging: { style: 'link' }, reason: originMessages.guess_link }
  const address = fields.find((field) => isNext(field) && isAddress(field.value))
  if (address) return because(address, { style: 'next_url', url_path: address.path })
  const cursor = fields.find(({ name, value }) => CURSOR.test(name) && value !== '' && isMark(value))
  if (cursor) {
    const param = cursorParam(settings, cursor.name)
    return because(cursor, { style: 'cursor', param, cursor_path: cursor.path })
  }
  return guessCount([...askedWith(settings), ...fields])
}

function guessCount(fields: Field[]): PagingGuess {
  const counter = (pattern: RegExp) => fields.find(({ name, value }) => pattern.test(name) && isCount(value))
  const size = counter(SIZE)
  const sized = size
    ? { size_param: size.name, size: Math.max(1, Number(size.value)) }
    : { size_param: '', size: 100 }
  const offset = counter(OFFSET)
  if (offset) return because(offset, { style: 'offset', param: offset.name, ...sized })
  const page = counter(PAGE)
  if (!page) return { paging: { style: 'none' }, reason: originMessages.guess_none }
  // Replies and requests use different names.
  const param = page.path === '' ? page.name : 'page'
  return because(page, { style: 'page', param, first: Number(page.value) === 0 ? 0 : 1, ...sized })
}

const because = ({ path, name }: Field, paging: Paging): PagingGuess => ({
  paging,
  reason: path === '' ? originMessages.guess_param(name) : originMessages.guess_field(path),
})

/** Numeric parameters of the request; they have no path. */
function askedWith({ url, params, body }: ApiSettings): Field[] {
  const query = [...(URL.parse(url)?.searchParams ?? [])]
  const own = params.flatMap(({ name, value, is_secret }) =>
    is_secret ? [] : [[name, value ?? ''] as const],
  )
  const inBody = fieldsWithin(parseExactly(body)).map(({ name, value }) => [name, String(value)] as const)
  return [...query, ...own, ...inBody].flatMap(([name, value]) =>
    /^\d{1,9}$/.test(value) ? [{ name, path: '', value: Number(value) }] : [],
  )
}

/** The request parameter for the cursor that a reply calls `name`. */
function cursorParam({ method, body }: ApiSettings, name: string): string {
  const [, rest] = /^next_?(cursor|page_?token)$/i.exec(name) ?? []
  const param = /^end_?cursor$/i.test(name)
    ? 'after'
    : rest
      ? rest.charAt(0).toLowerCase() + rest.slice(1)
      : name
  const isGraph = method === 'POST' && /"query"\s*:/.test(body)
  return isGraph ? `variables.${param}` : param
}

const isNext = ({ name, path }: Field) =>
  NEXT.test(name) || (/^(href|url)$/i.test(name) && /\bnext\W*(href|url)\W*$/i.test(path))

const isAddress = (value: unknown) => typeof value === 'string' && /^(https?:\/\/|\/|\?)/.test(value)

const isMark = (value: unknown) => typeof value === 'string' || typeof value === 'number'

const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0

// A reply that begins like JSON or HTML is broken JSON or HTML.
const looksLikeCsv = ({ headers }: Reply, text: string) =>
  /csv/i.test(headers['content-type'] ?? '') || /^\s*[^\s[{<]/.test(text)

/** Whether each line is a JSON value, judged by the first two. */
function isLines(text: string): boolean {
  const [first = '', second = ''] = text.split('\n', 2)
  return (
    second.trim() !== '' &&
    [first, second].every((line) => /^\s*[[{]/.test(line) && parseExactly(line) !== undefined)
  )
}

/** Undefined for invalid JSON. */
function parseExactly(text: string): unknown {
  try {
    return parseExactJson(text)
  } catch {
    // Expected.
    return undefined
  }
}
