import { OriginFailure, type Reading } from '../../../src/server/connectors/connector.ts'
import { rowText } from '../../../src/server/connectors/row-json.ts'
import { type Book, trimmed } from './table-file.ts'

/** How a directory is read. */
export type ReadLimits = {
  /** Rows that one look at a file gives. */
  rows_per_read: number
  /** Called with the folder's name before each look. */
  asked: (id: string) => Promise<void>
}

/** What to read: a table from one of its rows (counted from 0) down. */
type Wanted = { id: string; book: Book; name: string; start: number; columns: number; chunk_size: number }

/** Reads a table in as many looks at its file as it takes, between which others may edit it. */
export function readTable({ rows_per_read, asked }: ReadLimits, wanted: Wanted): Reading {
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
