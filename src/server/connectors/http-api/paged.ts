import type { ApiSettings } from '../../../contract/connections/calls.ts'
import { originMessages } from '../../../contract/connections/server-messages.ts'

import { OriginFailure, type SourceRead } from '../connector.ts'
import type { Checkpoint, FirstPage } from './checkpoint.ts'
import { type PageContent, parseContent, takeContent } from './page-content.ts'
import { nextPage, RepeatedPages } from './page-order.ts'
import type { PageParser } from './page-parser.ts'
import { firstPage, requestFor, storedPage } from './pages.ts'
import { StatusFailure } from './refusals.ts'
import type { Reply } from './reply.ts'
import type { RowTable } from './row-table.ts'
import type { HeaderLine } from './send.ts'
import type { ApiSession } from './session.ts'

/** A page's rows as JSON, in batches, and where the list continues. */
export type PageRead = {
  reply: Reply
  batches: Uint8Array[][]
  after: Checkpoint
  warnings: readonly string[]
}

export type PagesWanted = {
  session: ApiSession
  parser: PageParser
  settings: ApiSettings
  table: RowTable
  /** Resume point; null: from the beginning. */
  from: Checkpoint | null
  /** Conditional headers of the first request, answered with 304 if nothing has changed. */
  conditions: readonly HeaderLine[]
  /** Called with the first reply; returns the settings for the list. */
  inspect: ((reply: Reply, text: string) => ApiSettings) | undefined
  max_pages: number
}

const NO_PAGES = { pages: 0, first_rows: 0, last_rows: 0, total: null }

/**
 * Reads the pages of a list in order, each complete; the first one only if it has status 304. Returns what changed
 * meanwhile; stops there if that is certain. Throws OriginFailure or the signal's reason.
 */
export async function* readPages(wanted: PagesWanted): AsyncGenerator<PageRead, SourceRead['changed']> {
  const { table } = wanted
  const repeated = new RepeatedPages()
  let { settings } = wanted
  let sofar = wanted.from ?? { next: firstPage(settings.paging), ...NO_PAGES }
  let empty_in_a_row = 0
  while (sofar.next !== null && sofar.pages < wanted.max_pages) {
    const isFirst = sofar.pages === 0
    const fetched = await fetchPage(wanted, settings, sofar)
    if (fetched === null) break
    const { reply } = fetched.content
    if (isFirst) settings = fetched.settings
    const page = isFirst ? firstPage(settings.paging) : sofar.next
    const before = table.rows
    const { batches, digest, facts, warnings } = await takeContent(fetched.content, table, settings)
    // After the last row some APIs return a total of 0.
    const total = (facts.rows === 0 ? sofar.total : null) ?? facts.total ?? sofar.total
    const counts_pages =
      (isFirst || sofar.counts_pages === true) && (facts.total ?? facts.rows) === facts.rows
    if (sofar.total !== null && total !== sofar.total && !counts_pages)
      return { message: originMessages.total_changed(sofar.total, total ?? 0), isCertain: true }
    // After the end some APIs repeat the last page; all promised rows have arrived.
    if (facts.rows > 0 && repeated.has(digest) && before === total) break
    empty_in_a_row = facts.rows === 0 ? empty_in_a_row + 1 : 0
    const progress = { pages: sofar.pages + 1, rows: table.rows, empty_in_a_row }
    const { next, warning } = nextPage(settings.paging, page, { ...facts, total }, progress)
    sofar = {
      next: next && storedPage(next, settings),
      pages: progress.pages,
      first_rows: isFirst ? facts.rows : sofar.first_rows,
      last_rows: facts.rows,
      total,
      counts_pages,
      first: isFirst ? firstPageOf(reply, digest) : (sofar.first ?? null),
    }
    yield { reply, batches, after: sofar, warnings: warning ? [...warnings, warning] : warnings }
  }
  // Only for lists that are read to their end.
  if (sofar.pages >= wanted.max_pages || sofar.pages < 2) return null
  return (await isFirstPageChanged(wanted, settings, sofar))
    ? { message: originMessages.first_page_changed, isCertain: false }
    : null
}

/** Null if the reply has no distinguishing mark. */
function firstPageOf({ headers }: Reply, digest: string): FirstPage | null {
  const { etag = null, 'last-modified': last_modified = null } = headers
  return etag === null && last_modified === null ? null : { etag, last_modified, digest }
}

/** Requests the first page again and compares its rows. */
async function isFirstPageChanged(
  wanted: PagesWanted,
  settings: ApiSettings,
  { first = null }: Checkpoint,
): Promise<boolean> {
  if (first === null) return false
  const condition = (name: string, value: string | null) =>
    value === null ? [] : [{ name, value, is_secret: false }]
  const conditions = [
    ...condition('if-none-match', first.etag),
    ...(first.etag === null ? condition('if-modified-since', first.last_modified) : []),
  ]
  const start = { next: firstPage(settings.paging), ...NO_PAGES }
  const again = await fetchPage({ ...wanted, conditions, inspect: undefined }, settings, start)
  if (again === null || again.content.format === 'none') return false
  const { headers } = again.content.reply
  if (first.etag === null ? headers['last-modified'] === first.last_modified : headers.etag === first.etag)
    return false
  // Some APIs change the ETag of unchanged rows.
  return again.content.format === 'json' && again.content.page.digest !== first.digest
}

/** Fetches the next page with the settings to parse it; null at the end of the list. */
async function fetchPage(
  { session, parser, conditions, inspect, table }: PagesWanted,
  settings: ApiSettings,
  sofar: Checkpoint,
): Promise<{ settings: ApiSettings; content: PageContent } | null> {
  const isFirst = sofar.pages === 0
  const request = requestFor(settings, sofar.next ?? firstPage(settings.paging))
  const headers = isFirst ? [...request.headers, ...conditions] : request.headers
  const about = settings.paging.style === 'none' ? '' : originMessages.page(sofar.pages + 1)
  const { redactor } = session
  try {
    return await session.fetch({ ...request, headers, about }, async (reply, bytes) => {
      const readBy = isFirst && inspect ? inspect(reply, Buffer.from(bytes).toString('utf8')) : settings
      const how = { settings: readBy, parser, redactor, isFirst }
      return { settings: readBy, content: await parseContent(reply, bytes, table.columns, how) }
    })
  } catch (error) {
    if (!(error instanceof StatusFailure)) throw error
    if (isPastEnd(error, sofar, table.rows)) return null
    throw isCounted(sofar) && PAST_END.includes(error.status)
      ? new OriginFailure(error.kind, `${error.message} ${originMessages.past_end_hint}`)
      : error
  }
}

/** Statuses that some APIs use for pages after the end, others for errors. */
const PAST_END = [400, 416, 422]

/** Whether later pages are requested by number, so that the number may be past the end. */
const isCounted = ({ next, pages }: Checkpoint) =>
  pages > 0 && next !== null && ('page' in next || 'offset' in next)

/** Whether a refusal means that there is no such page. */
function isPastEnd({ status, code }: StatusFailure, sofar: Checkpoint, rows: number): boolean {
  const { total, first_rows, last_rows } = sofar
  if (!isCounted(sofar)) return false
  if (total !== null && rows !== total) return false
  // WordPress uses this code.
  if (status === 404 || /invalid_page_number$/.test(code)) return true
  return PAST_END.includes(status) && (total !== null || last_rows < first_rows)
}
