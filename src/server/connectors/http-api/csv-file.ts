import { originMessages } from '../../../contract/connections/server-messages.ts'
import { OriginFailure } from '../connector.ts'
import type { Records } from '../delimited/record-writer.ts'
import { csvRecords } from '../delimited/records.ts'
import { parseRow } from '../row-json.ts'
import { refuseWebPage } from './json-reply.ts'
import type { Reply } from './reply.ts'
import type { RowTable } from './row-table.ts'

/** Characters examined to recognise a web page. */
const START_CHARACTERS = 1000

/** Parses a CSV file in UTF-8 to batches of JSON rows while it arrives. Throws OriginFailure. */
export async function* readFile(
  pieces: AsyncIterable<Uint8Array>,
  { headers }: Pick<Reply, 'headers'>,
  table: RowTable,
): AsyncGenerator<Uint8Array[]> {
  let hasHeader = false
  const pages = new AppendedPages()
  const dialectOf = (beginning: string) => table.dialectOf(beginning)
  for await (const records of csvRecords(withoutWebPages(pieces, headers), dialectOf)) {
    const isFirst: boolean = !hasHeader && records.rows.length > 0
    if (isFirst) table.beginFile(headerOf(records))
    pages.refuse(records)
    yield table.addRecords(isFirst ? withoutFirst(records) : records)
    hasHeader ||= isFirst
  }
  pages.end()
}

const OPENING_QUOTE = 0x22
const LESS_THAN = 0x3c
/** Bytes of a record's JSON that show its beginning. */
const BEGINNING_BYTES = 100
/** How HTML pages and HTML error messages of programs begin. */
const PAGE = /^\["<(!doctype html|html|head|body)\b/i
const MARKUP = /^\["<(br|b|h1|p|div|pre|font|center|title|table)\b[^"]*>/i

/** Detects an HTML error page that a failing server appends to a CSV file. */
class AppendedPages {
  #width: number | null = null
  #records = 0
  #last: Uint8Array | undefined

  /** Throws OriginFailure for a record that begins with markup and has another number of cells than the header. */
  refuse({ rows, cells }: Records): void {
    this.#width ??= cells[0] ?? null
    for (const [index, row] of rows.entries()) {
      if (row[1] !== OPENING_QUOTE || row[2] !== LESS_THAN) continue
      const beginning = Buffer.from(row.subarray(0, BEGINNING_BYTES)).toString('utf8')
      const isOdd = cells[index] !== this.#width || this.#width === 1
      if (isOdd && (PAGE.test(beginning) || (this.#width !== 1 && MARKUP.test(beginning))))
        throw pageInside(this.#records + index)
    }
    this.#records += rows.length
    this.#last = rows.at(-1) ?? this.#last
  }

  /** Throws OriginFailure if the page begins within the last record. */
  end(): void {
    const text = Buffer.from(this.#last ?? []).toString('utf8')
    if (/[^"]<(!doctype html|html)\b/i.test(text) && /<\/html>\s*"\]$/i.test(text))
      throw pageInside(this.#records - 1)
  }
}

/** `row`: counted in data rows. */
const pageInside = (row: number) => new OriginFailure('unavailable', originMessages.csv_web_page(row))

const withoutFirst = ({ rows, cells, stray }: Records): Records => ({
  rows: rows.slice(1),
  cells: cells.slice(1),
  stray: stray.flatMap((index) => (index > 0 ? [index - 1] : [])),
})

/** Names in the first record, including trailing blank ones. */
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
