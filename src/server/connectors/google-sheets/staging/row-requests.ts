import type { NumberedRow } from '../../connector.ts'

const REQUEST_BYTES = 1_990_000

/** What one request has room for: ranges end where a chunk does, and have so many bytes of rows together; default 1,990,000. */
export type RequestSize = { chunk_size: number; bytes: number | undefined }

/** A piece of the table as the JSON of its rows, the first one being row `row`. */
export type RowTexts = { row: number; texts: Uint8Array[] }

/**
 * Rows in portions of one request, each prepared while the one before is in use: as many as fit. `isWhole`: asked behind the last row
 * whether those that do not fill a request are wanted, too.
 */
export const rowRequests = (
  rows: AsyncIterable<NumberedRow[]>,
  size: RequestSize,
  isWhole = () => true,
): AsyncGenerator<RowTexts[]> => ahead(packed(rows, size, isWhole))

/** The same items, each prepared while the one before is in use. */
async function* ahead<T>(items: AsyncIterable<T>): AsyncGenerator<T> {
  const iterator = items[Symbol.asyncIterator]()
  const prepare = () => {
    const next = iterator.next()
    // Awaited when its turn comes; until then it is not unhandled.
    next.catch(() => {})
    return next
  }
  let next = prepare()
  try {
    for (;;) {
      const { done, value } = await next
      if (done) return
      next = prepare()
      yield value
    }
  } finally {
    await next.catch(() => {})
    await iterator.return?.()
  }
}

async function* packed(
  pages: AsyncIterable<NumberedRow[]>,
  { chunk_size, bytes: most = REQUEST_BYTES }: RequestSize,
  isWhole: () => boolean,
): AsyncGenerator<RowTexts[]> {
  let pieces: RowTexts[] = []
  let bytes = 0
  let last: RowTexts | undefined
  for await (const page of pages) {
    for (const { row, json } of page) {
      const size = json.length + 1
      if (bytes + size > most && pieces.length > 0) {
        yield pieces
        pieces = []
        bytes = 0
        last = undefined
      }
      const follows = last !== undefined && row === last.row + last.texts.length && row % chunk_size !== 0
      if (!last || !follows) {
        last = { row, texts: [] }
        pieces.push(last)
        // The range around the rows.
        bytes += 60
      }
      last.texts.push(json)
      bytes += size
    }
  }
  if (pieces.length > 0 && isWhole()) yield pieces
}
