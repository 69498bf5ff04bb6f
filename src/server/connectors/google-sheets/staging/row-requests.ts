import type { NumberedRow } from '../../connector.ts'

const REQUEST_BYTES = 1_990_000

/** Size of one request: ranges end at chunk boundaries. `bytes`: maximum bytes of rows; default 1,990,000. */
export type RequestSize = { chunk_size: number; bytes: number | undefined }

/** Consecutive rows as JSON, starting at row `row`. */
export type RowTexts = { row: number; texts: Uint8Array[] }

/**
 * Packs rows into requests, preparing each while the previous one is in use. `isWhole`: asked after the last row
 * whether a partly filled request is wanted.
 */
export const rowRequests = (
  rows: AsyncIterable<NumberedRow[]>,
  size: RequestSize,
  isWhole = () => true,
): AsyncGenerator<RowTexts[]> => ahead(packed(rows, size, isWhole))

/** Passes on items, preparing each while the previous one is in use. */
async function* ahead<T>(items: AsyncIterable<T>): AsyncGenerator<T> {
  const iterator = items[Symbol.asyncIterator]()
  const prepare = () => {
    const next = iterator.next()
    // Awaited later; until then it must not count as unhandled.
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
        // JSON of the range.
        bytes += 60
      }
      last.texts.push(json)
      bytes += size
    }
  }
  if (pieces.length > 0 && isWhole()) yield pieces
}
