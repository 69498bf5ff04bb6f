import type { Records } from '../delimited/record-writer.ts'
import { csvRecords } from '../delimited/records.ts'
import { parseRow } from '../row-json.ts'
import { refuseWebPage } from './json-reply.ts'
import type { Reply } from './reply.ts'
import type { RowTable } from './row-table.ts'

/** Characters of a reply by which it is told whether it is a web page. */
const START_CHARACTERS = 1000

/** The rows of one CSV file in UTF-8 as JSON, batch by batch while it comes. Throws OriginFailure. */
export async function* readFile(
  pieces: AsyncIterable<Uint8Array>,
  { headers }: Pick<Reply, 'headers'>,
  table: RowTable,
): AsyncGenerator<Uint8Array[]> {
  let hasHeader = false
  const dialectOf = (beginning: string) => table.dialectOf(beginning)
  for await (const records of csvRecords(withoutWebPages(pieces, headers), dialectOf)) {
    const isFirst: boolean = !hasHeader && records.rows.length > 0
    if (isFirst) table.beginFile(headerOf(records))
    yield table.addRecords(isFirst ? withoutFirst(records) : records)
    hasHeader ||= isFirst
  }
}

const withoutFirst = ({ rows, cells, stray }: Records): Records => ({
  rows: rows.slice(1),
  cells: cells.slice(1),
  stray: stray.flatMap((index) => (index > 0 ? [index - 1] : [])),
})

/** The names in the first record, with the blank ones at its end. */
function headerOf({ rows: [first], cells: [count = 0] }: Records): string[] {
  const names = first ? parseRow(Buffer.from(first).toString('utf8')) : []
  return Array.from({ length: count }, (_, index) => String(names[index] ?? ''))
}

async function* withoutWebPages(
  pieces: AsyncIterable<Uint8Array>,
  headers: Reply['headers'],
): AsyncGenerator<Uint8Array> {
  let start: string | null = ''
  for await (const piece of pieces) {
    if (start !== null) {
      start += Buffer.from(piece).toString('utf8')
      refuseWebPage(start, { reply: { headers }, isFirst: true }, 'CSV')
      if (start.length > START_CHARACTERS) start = null
    }
    yield piece
  }
}
