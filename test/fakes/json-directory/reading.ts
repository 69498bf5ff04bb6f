import { OriginFailure, type TableRead } from '../../../src/server/connectors/connector.ts'
import { rowText } from '../../../src/server/connectors/row-json.ts'
import { type Book, trimmed } from './table-file.ts'

/** Limits and hooks of reads. */
export type ReadLimits = {
  /** Rows per read of a file. */
  rows_per_read: number
  /** Called with the folder's name before each read. */
  asked: (id: string) => Promise<void>
}

/** The table to read, from row `start` (counted from 0) to its end. */
type Wanted = { id: string; book: Book; name: string; start: number; columns: number; chunk_size: number }

/** Reads a table in several reads of its file, between which other editors may change it. */
export function readTable({ rows_per_read, asked }: ReadLimits, wanted: Wanted): TableRead {
  const { id, book, name, start, columns, chunk_size } = wanted
  const made = { requests: 0 }
  return {
    batches: batches(),
    get requests() {
      return made.requests
    },
  }

  async function* batches(): AsyncGenerator<Uint8Array[]> {
    for (let from = 0, rows = Number.POSITIVE_INFINITY; from < rows; from += rows_per_read) {
      made.requests += 1
      await asked(id)
      if (book.text(name) === null)
        throw new OriginFailure('tab_gone', `‘${name}’ in ‘${book.title}’ is gone.`)
      const filled = trimmed(
        book
          .table(name)
          .rows.slice(start)
          .map((row) => row.slice(0, columns)),
      )
      rows = filled.length
      const piece = filled.slice(from, from + rows_per_read)
      for (let first = 0; first < piece.length; first += chunk_size)
        yield piece.slice(first, first + chunk_size).map((row) => Buffer.from(rowText(row)))
    }
  }
}
