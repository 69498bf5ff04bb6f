import type { Row } from '../../../../contract/tables.ts'
import type { GrowingPage, GrowingTable, TableSize } from '../../../connectors/connector.ts'
import { rowText } from '../../../connectors/row-json.ts'
import type { CachedRows } from './cached-rows.ts'
import { cachedPage } from './cached-rows.ts'

/** A reading so far, its header row included; `filled`: cells that hold a value. */
type Progress = { header: Row; kept: CachedRows; rows: number; columns: number; filled: number }

/** The rows of a copy for who wants them while the source is still being read: as many as are kept at hand. */
export class StreamedRows implements GrowingTable {
  readonly extent: TableSize
  isWhole = false
  #isOver = false
  #progress: Progress | null = null
  #news = Promise.withResolvers<void>()

  constructor(extent: TableSize) {
    this.extent = extent
  }

  /** Tells what has come. */
  grow(progress: Progress): void {
    this.#progress = progress
    this.#news.resolve()
  }

  /** What has come is all there is. */
  complete(): void {
    this.#isOver = true
    this.#news.resolve()
  }

  close(): void {
    this.#progress = null
    this.complete()
  }

  async *pages(): AsyncGenerator<GrowingPage> {
    let next = 0
    let cells = 0
    for (;;) {
      const isLast = this.#isOver
      this.#news = Promise.withResolvers()
      while (this.#progress) {
        const { header, kept, columns, filled } = this.#progress
        const rows = next === 0 ? [{ row: 0, json: Buffer.from(rowText(header)) }] : cachedPage(kept, next)
        if (rows.length === 0) break
        next += rows.length
        yield { rows, cells: filled - cells, columns }
        cells = filled
      }
      this.isWhole = isLast && next === this.#progress?.rows
      if (isLast) return
      await this.#news.promise
    }
  }
}
