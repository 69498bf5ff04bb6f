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

/** What is known of a change: where rows differ, and how much of what one commit carries their cells fill. */
type Known = { spans: RowSpans; filled: number }

/** Fewer rows say nothing about the others. */
const LEAST_SEEN = 1 / 8

/** One commit is not likely to carry a change which would fill it so often if it went on as it began. */
const LIKELY_FILLED = 1.2

/** What differs, for whoever wants it while the target is still being compared. */
export class PatchesAhead implements GrowingPatches {
  readonly #deps: Deps
  isWhole = false
  #spans: RowSpans | null = null
  /** Rows that have been compared. */
  #rows = 0
  /** Whether one commit cannot carry the change. */
  #isLarge = false
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

  /** Tells how many rows have been compared, and what is known of the change by now. */
  grow(rows: number, { spans, filled }: Known): void {
    const { copy, begin } = this.#deps
    this.#rows = rows
    this.#isLarge = filled > 1
    if (this.#spans === null && this.#isLikelyLarge(filled)) {
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
    while (!this.#isLarge && !this.#isOver && !this.#isClosed) await this.#news.promise
    if (!this.#isLarge) return
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

  #isLikelyLarge(filled: number): boolean {
    if (this.#isLarge) return true
    const seen = this.#rows / this.rows
    return seen >= LEAST_SEEN && filled > LIKELY_FILLED * Math.min(1, seen)
  }

  #tell(): void {
    this.#news.resolve()
    this.#news = Promise.withResolvers()
  }
}
