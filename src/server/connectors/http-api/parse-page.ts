import { createHash } from 'node:crypto'
import type { ApiSettings } from '../../../contract/connections/calls.ts'
import { originMessages } from '../../../contract/connections/server-messages.ts'
import { limits } from '../../../contract/limits.ts'

import { OriginFailure } from '../connector.ts'
import { rowText } from '../row-json.ts'
import { FlatRows } from './flat-rows.ts'
import { fieldsOf } from './json-path.ts'
import { compilePaths, entriesOf, factsOf, parseReply, type ReplyPaths } from './json-reply.ts'
import type { PageFacts } from './page-order.ts'
import type { Reply } from './reply.ts'
import { type ReportedError, reportedError, textIn } from './reported-error.ts'

/** Settings that determine how a JSON reply is parsed. */
export type PageSettings = Pick<ApiSettings, 'format' | 'list_path' | 'total_path' | 'paging'>

/** A parse job, in addition to the text. `columns`: known columns. */
export type PageJob = {
  settings: PageSettings
  reply: Pick<Reply, 'headers' | 'url'>
  isFirst: boolean
  columns: readonly string[]
}

/** Contents of a JSON reply. */
export type ParsedPage = {
  rows: Uint8Array[]
  /** Column names; new ones are last. */
  columns: string[]
  facts: PageFacts
  /** Hash of the rows. */
  digest: string
  error: ReportedError | null
  /** If there is no list: the fields found instead, and a message among them. */
  missing: { fields: string[]; text: string | null } | null
}

/** The value that the path to the list selects, if it selects one place. */
const lastOf = ({ list }: ReplyPaths, value: unknown) => list?.way(value).at(-1)

/** Parses a JSON reply. Throws OriginFailure. */
export function parsePage({ settings, reply, isFirst, columns }: PageJob, text: string): ParsedPage {
  const paths = compilePaths(settings)
  const value = parseReply(text, { reply, isFirst, isLines: settings.format === 'ndjson' })
  const error = reportedError(paths.list?.way(value) ?? [value])
  const found = entriesOf(value, paths)
  // A single object instead of a list is its only entry, unless it is the error.
  const entries = error?.isExplicit && found?.[0] === lastOf(paths, value) ? null : found
  const facts = factsOf(value, paths, reply, settings.paging)
  const flat = new FlatRows([...columns])
  const rows = (entries ?? []).map((entry) => Buffer.from(rowText(flat.row(entry))))
  if (flat.columns.length > limits.source_columns_max)
    throw new OriginFailure('too_large', originMessages.columns_too_many(limits.source_columns_max))
  const hash = createHash('sha256')
  for (const row of rows) hash.update(row).update('\n')
  const fields = fieldsOf(value).map(([name]) => name)
  return {
    rows,
    columns: flat.columns,
    facts: { ...facts, rows: rows.length },
    digest: hash.digest('base64'),
    error,
    missing: entries === null ? { fields, text: textIn(value) } : null,
  }
}
