import {
  type GrowingPatches,
  isWorthPatching,
  type NumberedRow,
  type Target,
} from '../../connectors/connector.ts'
import type { Db } from '../../platform/db.ts'
import { patchedRows, patchesBytes } from './patches.ts'
import type { RowSpans } from './row-spans.ts'
import type { SourceCopy } from './source-copy.ts'
import { wholeTable } from './whole-table.ts'

/** What `target` wants of a change while it is compared; null: nothing. What it begins with it is ended by what joins `preparations`. */
export function patchesAhead(
  db: Db,
  { preparePatches }: Target,
  copy: SourceCopy,
  preparations: (() => Promise<void>)[],
): PatchesAhead | null {
  if (!preparePatches) return null
  const begin = (patches: GrowingPatches) => preparations.push(preparePatches(patches))
  return new PatchesAhead({ copy, table: () => wholeTable(db, copy, 0), begin })
}

type Deps = {
  copy: Pick<SourceCopy, 'fingerprint' | 'columns'>
  /** All rows of the copy. */
  table: () => AsyncIterable<NumberedRow[]>
  /** Called once it is worth it. */
  begin: (patches: GrowingPatches) => void
}

/** What differs, for whoever wants it while the target is still being compared. */
export class PatchesAhead implements GrowingPatches {
  readonly #deps: Deps
  isWhole = false
  #spans: RowSpans | null = null
  /** Rows that have been compared. */
  #rows = 0
  #isOver = false
  #isClosed = false
  #news = Promise.withResolvers<void>()

  constructor(deps: Deps) {
    this.#deps = deps
  }

  get rows(): number {
    return this.#deps.copy.fingerprint.rows
  }

  get columns(): number {
    return this.#deps.copy.columns
  }

  /** Tells how many rows have been compared, and where they differ; for the first time when all of the change is known to be large. */
  grow(rows: number, spans: RowSpans): void {
    const { copy, begin } = this.#deps
    this.#rows = rows
    if (this.#spans === null) {
      this.#spans = spans
      const compared = Math.min(rows, this.rows)
      const bytes = (copy.fingerprint.bytes * compared) / Math.max(1, this.rows)
      if (isWorthPatching({ bytes: patchesBytes(copy, spans, compared) }, { bytes })) begin(this)
    }
    this.#tell()
  }

  /** All rows have been compared. */
  complete(): void {
    this.#isOver = true
    this.#tell()
  }

  close(): void {
    this.#isClosed = true
    this.#tell()
  }

  async *pages(): AsyncGenerator<NumberedRow[]> {
    if (this.#spans) yield* patchedRows(this.#spans, this.#compared())
    // What comes to light at the very end may be in rows that have been passed on.
    while (!this.#isOver && !this.#isClosed) await this.#news.promise
    this.isWhole = !this.#isClosed
  }

  /** The rows that have been compared, as soon as they are. */
  async *#compared(): AsyncGenerator<NumberedRow[]> {
    for await (const page of this.#deps.table()) {
      const last = page.at(-1)?.row ?? 0
      while (last >= this.#rows && !this.#isOver && !this.#isClosed) await this.#news.promise
      if (this.#isClosed) return
      yield page
    }
  }

  #tell(): void {
    this.#news.resolve()
    this.#news = Promise.withResolvers()
  }
}
