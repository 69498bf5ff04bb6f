import { type Bound, OriginFailure, type Source } from '../../src/server/connectors/connector.ts'
import { rowText } from '../../src/server/connectors/row-json.ts'
import type { SourceUse, TableReference } from '../../src/server/connectors/table-provider.ts'
import { wholeReading } from '../../src/server/connectors/whole-reading.ts'
import { Book, type Cell, trimmed } from './table-file.ts'

/** A file of a directory as the origin of a copy. */
export async function openSource(
  root: string,
  reference: TableReference,
  { chunk_size }: SourceUse,
): Promise<Source & { bound: Bound }> {
  const book = new Book(root, reference.spreadsheet_id)
  const name = book.find(reference)
  if (name === null)
    throw new OriginFailure('not_found', `‘${book.title}’ does not have ‘${reference.sheet_name}’.`)
  const { id, formats } = book.table(name)
  return {
    title: `‘${name}’ in ‘${book.title}’`,
    warnings: [],
    bound: { spreadsheet_name: book.title, sheet_name: name, place: id },
    read: () => {
      const rows = book.table(name).rows.slice(reference.start_row - 1)
      return wholeReading({ batches: bytesOf(rows, chunk_size, Number.POSITIVE_INFINITY), requests: 1 })
    },
    formats: async () => formats.map((format) => ({ format, mixed: false })),
  }
}

/** Rows as readings pass them on. */
export async function* bytesOf(
  rows: Cell[][],
  chunk_size: number,
  columns: number,
): AsyncGenerator<Uint8Array[]> {
  const filled = trimmed(rows.map((row) => row.slice(0, columns)))
  for (let from = 0; from < filled.length; from += chunk_size)
    yield filled.slice(from, from + chunk_size).map((row) => Buffer.from(rowText(row)))
}
