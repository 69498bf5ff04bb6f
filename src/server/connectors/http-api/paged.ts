import type { ApiSettings } from '../../../contract/connections.ts'
import type { Checkpoint } from './checkpoint.ts'
import { compilePaths } from './json-reply.ts'
import { type PageContent, parseContent, takeContent } from './page-content.ts'
import { nextPage, RepeatedPages } from './page-order.ts'
import { firstPage, keptPage, requestFor } from './pages.ts'
import { StatusFailure } from './refusals.ts'
import type { Reply } from './reply.ts'
import type { RowTable } from './row-table.ts'
import type { HeaderLine } from './send.ts'
import type { ApiSession } from './session.ts'

/** A page's rows as JSON, and where the list goes on after it. */
export type PageRead = { reply: Reply; rows: Uint8Array[]; after: Checkpoint; warning: string | undefined }

export type PagesWanted = {
  session: ApiSession
  settings: ApiSettings
  table: RowTable
  /** Where another reading ended; null: from the beginning. */
  from: Checkpoint | null
  /** Headers of the first request by which an unchanged reply is answered with 304. */
  conditions: readonly HeaderLine[]
  /** Called with the first reply; answers by which settings the list is read. */
  inspect: ((reply: Reply, text: string) => ApiSettings) | undefined
  max_pages: number
}

const NO_PAGES = { pages: 0, first_rows: 0, last_rows: 0, total: null }

/**
 * The pages of a list one after the other, each held whole; the first one alone where it has status 304. Throws OriginFailure, or the
 * signal's reason.
 */
export async function* readPages(wanted: PagesWanted): AsyncGenerator<PageRead> {
  const { table } = wanted
  const repeated = new RepeatedPages()
  let { settings } = wanted
  let paths = compilePaths(settings)
  let sofar = wanted.from ?? { next: firstPage(settings.paging), ...NO_PAGES }
  let empty_in_a_row = 0
  while (sofar.next !== null && sofar.pages < wanted.max_pages) {
    const isFirst = sofar.pages === 0
    const fetched = await fetchPage(wanted, settings, sofar, table.rows)
    if (fetched === null) return
    const { reply } = fetched.content
    if (isFirst && fetched.settings !== settings) {
      settings = fetched.settings
      paths = compilePaths(settings)
    }
    const page = isFirst ? firstPage(settings.paging) : sofar.next
    const before = table.rows
    const { rows, facts } = await takeContent(fetched.content, table, { settings, paths, isFirst })
    const total = facts.total ?? sofar.total
    // Past the end some answer the last page again: all that was promised is there.
    if (repeated.has(rows) && before === total) return
    empty_in_a_row = rows.length === 0 ? empty_in_a_row + 1 : 0
    const progress = { pages: sofar.pages + 1, rows: table.rows, empty_in_a_row }
    const { next, warning } = nextPage(settings.paging, page, { ...facts, total }, progress)
    sofar = {
      next: next && keptPage(next, settings),
      pages: progress.pages,
      first_rows: isFirst ? rows.length : sofar.first_rows,
      last_rows: rows.length,
      total,
    }
    yield { reply, rows, after: sofar, warning }
  }
}

/** The next page and the settings to read it by; null: the API says that there is none. */
async function fetchPage(
  { session, conditions, inspect }: PagesWanted,
  settings: ApiSettings,
  sofar: Checkpoint,
  rows: number,
): Promise<{ settings: ApiSettings; content: PageContent } | null> {
  const isFirst = sofar.pages === 0
  const request = requestFor(settings, sofar.next ?? firstPage(settings.paging))
  const headers = isFirst ? [...request.headers, ...conditions] : request.headers
  try {
    return await session.fetch({ ...request, headers }, (reply, text) => {
      const readBy = isFirst && inspect ? inspect(reply, text) : settings
      return { settings: readBy, content: parseContent(readBy, reply, text) }
    })
  } catch (error) {
    if (error instanceof StatusFailure && isPastEnd(error.status, sofar, rows)) return null
    throw error
  }
}

/** Whether a refusal is how the API says that there is no such page. */
function isPastEnd(status: number, sofar: Checkpoint, rows: number): boolean {
  const { next, pages, total, first_rows, last_rows } = sofar
  if (pages === 0 || next === null || !('page' in next || 'offset' in next)) return false
  if (total !== null && rows !== total) return false
  if (status === 404) return true
  return [400, 416, 422].includes(status) && (total !== null || last_rows < first_rows)
}
