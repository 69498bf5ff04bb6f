import type { ApiSettings } from '../../../contract/connections.ts'
import { readFile } from './csv-file.ts'
import { entriesOf, factsOf, linkedPage, parseReply, type ReplyPaths, totalIn } from './json-reply.ts'
import type { PageFacts } from './page-order.ts'
import type { Reply } from './reply.ts'
import type { RowTable } from './row-table.ts'

/** What a page held whole says, before its rows are taken. */
export type PageContent =
  | { format: 'none'; reply: Reply }
  | { format: 'json'; reply: Reply; value: unknown }
  | { format: 'csv'; reply: Reply; text: string }

/** Reads a page by its settings, without changing anything. Throws OriginFailure. */
export function parseContent(settings: ApiSettings, reply: Reply, text: string): PageContent {
  if (reply.status === 204 || reply.status === 304) return { format: 'none', reply }
  if (settings.format === 'csv') return { format: 'csv', reply, text }
  return { format: 'json', reply, value: parseReply(text, reply) }
}

/** Adds the rows of a page to the table, and answers them as JSON, with what the page says of the list. */
export async function takeContent(
  content: PageContent,
  table: RowTable,
  { settings, paths, isFirst }: { settings: ApiSettings; paths: ReplyPaths; isFirst: boolean },
): Promise<{ rows: Uint8Array[]; facts: PageFacts }> {
  const { reply, format } = content
  if (format === 'json') {
    const entries = entriesOf(content.value, paths, isFirst)
    const facts = factsOf(content.value, paths, reply, settings.paging)
    return { rows: table.addEntries(entries), facts: { ...facts, rows: entries.length } }
  }
  let rows: Uint8Array[] = []
  if (format === 'csv')
    for await (const batch of readFile(once(content.text), reply, table)) rows = rows.concat(batch)
  const next = settings.paging.style === 'link' ? linkedPage(reply.headers, reply.url) : null
  return { rows, facts: { rows: rows.length, total: totalIn(reply.headers), has_more: null, next } }
}

async function* once(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text)
}
