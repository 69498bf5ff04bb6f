import { csvRecords } from './csv-records.ts'
import { refuseWebPage } from './json-reply.ts'
import type { Reply } from './reply.ts'
import type { RowTable } from './row-table.ts'

/** The rows of one CSV file as JSON texts, batch by batch while its text comes. Throws OriginFailure. */
export async function* readFile(
  pieces: AsyncIterable<string>,
  { headers }: Pick<Reply, 'headers'>,
  table: RowTable,
): AsyncGenerator<string[]> {
  let hasHeader = false
  for await (const records of csvRecords(withoutWebPages(pieces, headers))) {
    const [header] = records
    if (!hasHeader && header) table.beginFile(header)
    const texts = table.addRecords(hasHeader ? records : records.slice(1))
    hasHeader ||= header !== undefined
    yield texts
  }
}

async function* withoutWebPages(
  pieces: AsyncIterable<string>,
  headers: Reply['headers'],
): AsyncGenerator<string> {
  let start: string | null = ''
  for await (const piece of pieces) {
    if (start !== null) {
      start += piece
      refuseWebPage(start, headers, 'CSV')
      if (start.length > 1000) start = null
    }
    yield piece
  }
}
