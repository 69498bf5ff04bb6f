import type { Row } from '../../../../contract/tables.ts'
import type { GrowingPage, GrowingTable, TableSize } from '../../../connectors/connector.ts'
import { rowText } from '../../../connectors/row-json.ts'
import type { CachedRows } from './cached-rows.ts'
import { cachedPage } from './cached-rows.ts'

/** State of a read in progress, including the header row. `filled`: number of cells with a value. */
type Progress = { header: Row; kept: CachedRows; rows: number; columns: number; filled: number }

/** Streams the cached rows of a copy to the target while the source is still being read. */
export class StreamedRows implements GrowingTable {
  readonly extent: TableSize
  isWhole = false
  #isOver = false
  #progress: Progress | null = null
  #changed = Promise.withResolvers<void>()

  constructor(extent: TableSize) {
    this.extent = extent
  }

  /** Publishes newly read rows. */
  grow(progress: Progress): void {
    this.#progress = progress
    this.#changed.resolve()
  }

  /** Marks the read as complete. */
  complete(): void {
    this.#isOver = true
    this.#changed.resolve()
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
      this.#changed = Promise.withResolvers()
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
      await this.#changed.promise
    }
  }
}
