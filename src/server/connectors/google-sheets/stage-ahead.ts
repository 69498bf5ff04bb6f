import { type GrowingPage, type GrowingTable, type NumberedRow, OriginFailure } from '../connector.ts'
import type { TargetUse } from '../target-use.ts'
import { COMMIT_BYTES, leastChangeBytes } from './cell-requests.ts'
import type { TargetCheckpoint } from './checkpoint.ts'
import { PROOF_ROWS } from './commit-requests.ts'
import { openFence } from './fence.ts'
import { rowRequests } from './row-requests.ts'
import { stageRows } from './stage-rows.ts'
import type { TargetTab } from './target-tab.ts'

type Deps = {
  tab: TargetTab
  spreadsheet_id: string
  use: TargetUse
  checkpoint: TargetCheckpoint
  /** Bytes of changed cells that one commit carries at most; undefined: as many as is usual. */
  commitBytes: number | undefined
}

/**
 * Puts rows into the fence of a copy while its source is still being read, for a target that is known to hold nothing. Nothing
 * depends on it: what it does not come to, or fails with, is done by the change that follows, from the row on that the checkpoint has.
 */
export class StagingAhead {
  readonly #deps: Deps
  readonly #table: GrowingTable
  readonly #over: Promise<void>
  /** Whether the fence is there, and with it the tabs of the spreadsheet are known. */
  hasFence = false
  #isEnded = false
  #staged = 0
  /** While the source is read, that is what a run says it does. */
  #through: (rows: number) => Promise<void> = async () => {}
  /** The table is larger than its fence. */
  #isCut = false

  constructor(deps: Deps, table: GrowingTable) {
    this.#deps = deps
    this.#table = table
    this.#over = this.#stage()
    // Thrown to whoever waits for it; until then it is not unhandled.
    this.#over.catch(() => {})
  }

  /**
   * Waits until all rows that are there are staged; calls `through` with how many are, the header among them. Throws what is not the
   * target's failure.
   */
  async complete(through: (rows: number) => Promise<void>): Promise<void> {
    this.#through = through
    if (this.#staged > 0) await through(this.#staged)
    await this.#over.catch((error: unknown) => {
      if (!(error instanceof OriginFailure)) throw error
    })
  }

  /** Ends it: afterwards no request of it is on its way. */
  async end(): Promise<void> {
    this.#isEnded = true
    this.#table.close()
    await this.#over.catch(() => {})
  }

  async #stage(): Promise<void> {
    const { tab, use, commitBytes = COMMIT_BYTES } = this.#deps
    const { columns, rows } = this.#table.extent
    const pages = await onceBeyond(commitBytes, this.#table.pages())
    if (!pages || this.#isEnded) return
    // Of a tab that came with its rows the others are not known.
    if (tab.isRead) await tab.refresh()
    const size = { rows: rows + PROOF_ROWS, columns: Math.max(1, columns) }
    const hasRoom = tab.hasRoom(rows, columns, { id: null, cells: size.rows * size.columns })
    if (!hasRoom || this.#isEnded) return
    const { fence } = await openFence(this.#deps, size, { seeded: false, header: null })
    this.hasFence = true
    // What is cut off before the table's end would be a request more.
    const isWhole = () => this.#table.isWhole && !this.#isCut
    const requests = rowRequests(this.#rowsOf(pages), use.chunk_size, isWhole)
    await stageRows(this.#deps, fence, this.#untilEnded(requests), {
      columns: size.columns,
      through: (rows) => {
        this.#staged = rows
        return this.#through(rows)
      },
    })
  }

  async *#rowsOf(pages: AsyncIterable<GrowingPage>): AsyncGenerator<NumberedRow[]> {
    const { extent } = this.#table
    for await (const { rows, columns } of pages) {
      this.#isCut = columns > extent.columns || (rows.at(-1)?.row ?? 0) >= extent.rows
      if (this.#isCut) return
      yield rows
    }
  }

  async *#untilEnded<T>(requests: AsyncIterable<T>): AsyncGenerator<T> {
    for await (const request of requests) {
      if (this.#isEnded) return
      yield request
    }
  }
}

/** The pages, once so many of them are there that one commit could not carry their cells; null: they never are. */
async function onceBeyond(
  commitBytes: number,
  pages: AsyncIterable<GrowingPage>,
): Promise<AsyncIterable<GrowingPage> | null> {
  const iterator = pages[Symbol.asyncIterator]()
  const first: GrowingPage[] = []
  for (let bytes = 0; bytes <= commitBytes; ) {
    const { done, value } = await iterator.next()
    if (done) return null
    first.push(value)
    bytes += leastChangeBytes(value)
  }
  return (async function* () {
    yield* first
    yield* { [Symbol.asyncIterator]: () => iterator }
  })()
}
