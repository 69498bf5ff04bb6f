import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ApiSettings } from '../../../contract/connections/calls.ts'
import { originMessages } from '../../../contract/connections/server-messages.ts'

import { OriginFailure } from '../connector.ts'
import { readFile } from './csv-file.ts'
import { linkedPage, totalIn } from './json-reply.ts'
import type { PageFacts } from './page-order.ts'
import type { PageParser } from './page-parser.ts'
import type { ParsedPage } from './parse-page.ts'
import type { Redactor } from './redactor.ts'
import { BriefFailure } from './refusals.ts'
import type { Reply } from './reply.ts'
import type { ReportedError } from './reported-error.ts'
import type { RowTable } from './row-table.ts'

/** What a complete page contains besides its rows. */
export type PageContent =
  | { format: 'none'; reply: Reply }
  | { format: 'json'; reply: Reply; page: ParsedPage; warnings: string[] }
  | { format: 'csv'; reply: Reply; bytes: Uint8Array }

/** Rows of a page as JSON, in batches, and what it says about the list. `digest`: hash of the rows. */
export type PageRows = {
  batches: Uint8Array[][]
  facts: PageFacts
  digest: string
  warnings: readonly string[]
}

/** Rows per batch; the event loop runs between batches. */
const BATCH_ROWS = 1_000
const BATCH_BYTES = 1_000_000
const CSV_PIECE_BYTES = 262_144

type Reading = { settings: ApiSettings; parser: PageParser; redactor: Redactor; isFirst: boolean }

/** Parses a page without side effects. Throws OriginFailure. */
export async function parseContent(
  reply: Reply,
  bytes: Uint8Array,
  columns: readonly string[],
  { settings, parser, redactor, isFirst }: Reading,
): Promise<PageContent> {
  if (reply.status === 204 || reply.status === 304) return { format: 'none', reply }
  if (settings.format === 'csv') return { format: 'csv', reply, bytes }
  const { format, list_path, total_path, paging } = settings
  const { headers, url } = reply
  const job = {
    settings: { format, list_path, total_path, paging },
    reply: { headers, url },
    isFirst,
    columns,
  }
  const page = await parser.parse(job, bytes)
  const warnings = judge(page, { settings, redactor, isFirst })
  return { format: 'json', reply, page, warnings }
}

/** Warnings about a page. Throws OriginFailure for an error instead of rows, or a missing list. */
function judge(
  { rows, error, missing }: ParsedPage,
  { settings, redactor, isFirst }: Omit<Reading, 'parser'>,
): string[] {
  // Redacted before truncation, which could leave part of a secret.
  const said = (text: string) => redactor.text(text).replace(/\s+/g, ' ').trim()
  if (error && rows.length === 0) throw failureOf(error, said(error.detail))
  if (missing && !settings.missing_list_is_end) {
    const { fields, text } = missing
    throw new OriginFailure(
      'invalid',
      originMessages.list_missing({
        has_path: settings.list_path !== '',
        fields,
        says: text === null ? '' : said(text),
        is_first: isFirst,
      }),
    )
  }
  return error?.isExplicit ? [originMessages.api_error_beside_rows(said(error.detail))] : []
}

/** Classified by the error's status; without one it is retried. */
function failureOf({ code }: ReportedError, detail: string): OriginFailure {
  const message = originMessages.api_reported(detail)
  if (code === 401 || code === 403 || code === 407) return new OriginFailure('forbidden', message)
  if (code !== null && code < 500 && ![408, 425, 429].includes(code))
    return new OriginFailure('invalid', message)
  return new BriefFailure(message, 2)
}

/** Adds a page's rows to the table. Throws OriginFailure if there are too many rows or columns. */
export async function takeContent(
  content: PageContent,
  table: RowTable,
  { paging }: Pick<ApiSettings, 'paging'>,
): Promise<PageRows> {
  const { reply, format } = content
  if (format === 'json') {
    const { page, warnings } = content
    table.addColumns(page.columns)
    const batches: Uint8Array[][] = []
    for (const rows of batchesOf(page.rows)) {
      batches.push(table.addRows(rows))
      await nextTurn()
    }
    return { batches, facts: page.facts, digest: page.digest, warnings }
  }
  const batches: Uint8Array[][] = []
  const hash = createHash('sha256')
  if (format === 'csv')
    for await (const batch of readFile(inTurns(content.bytes), reply, table)) {
      for (const row of batch) hash.update(row).update('\n')
      batches.push(batch)
    }
  const rows = batches.reduce((sum, batch) => sum + batch.length, 0)
  const next = paging.style === 'link' ? linkedPage(reply.headers, reply.url) : null
  const facts = { rows, total: totalIn(reply.headers), has_more: null, next }
  return { batches, facts, digest: hash.digest('base64'), warnings: [] }
}

function* batchesOf(rows: readonly Uint8Array[]): Generator<Uint8Array[]> {
  let batch: Uint8Array[] = []
  let bytes = 0
  for (const row of rows) {
    batch.push(row)
    bytes += row.length
    if (batch.length < BATCH_ROWS && bytes < BATCH_BYTES) continue
    yield batch
    batch = []
    bytes = 0
  }
  if (batch.length > 0) yield batch
}

async function* inTurns(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length || at === 0; at += CSV_PIECE_BYTES) {
    yield bytes.subarray(at, at + CSV_PIECE_BYTES)
    await nextTurn()
  }
}
