import { type GrowingPage, type GrowingTable, type NumberedRow, OriginFailure } from '../../connector.ts'
import { COMMIT_BYTES, leastChangeBytes } from '../write/cell-requests.ts'
import { rowRequests } from './row-requests.ts'
import { type StageRowsDeps, stageRows } from './stage-rows.ts'
import { createStagingTab, stagingTabSize } from './staging-tab.ts'

/** `commitBytes`: bytes of changed cells that one commit can carry; undefined: the default. */
type Deps = StageRowsDeps & { commitBytes: number | undefined }

/**
 * Stages a table while its source is still being read, for a target tab that is known to be empty. It is an optimization only:
 * `apply` stages whatever this job has not staged, beginning at the row that the checkpoint names.
 */
export class PrestageJob {
  readonly #deps: Deps
  readonly #table: GrowingTable
  readonly #done: Promise<void>
  /** The staging tab exists, and creating it has answered what other tabs the spreadsheet has. */
  hasStagingTab = false
  #isEnded = false
  #staged = 0
  /** Until `apply` waits for this job, the run shows the progress of reading its source. */
  #report: (rows: number) => Promise<void> = async () => {}

  /** Starts at once. */
  constructor(deps: Deps, table: GrowingTable) {
    this.#deps = deps
    this.#table = table
    this.#done = this.#stage()
    // `complete` throws it; until then it must not count as unhandled.
    this.#done.catch(() => {})
  }

  /**
   * Waits until all rows that were read are staged. Calls `report` with the number of staged rows, including the header. Throws
   * any error other than a failure of the target.
   */
  async complete(report: (rows: number) => Promise<void>): Promise<void> {
    this.#report = report
    if (this.#staged > 0) await report(this.#staged)
    await this.#done.catch((error: unknown) => {
      if (!(error instanceof OriginFailure)) throw error
    })
  }

  /** Stops it. No request of this job is in flight when this returns. */
  async end(): Promise<void> {
    this.#isEnded = true
    this.#table.close()
    await this.#done.catch(() => {})
  }

  async #stage(): Promise<void> {
    const { tab, requestSize, commitBytes = COMMIT_BYTES } = this.#deps
    const { columns, rows } = this.#table.extent
    const pages = await onceBeyond(commitBytes, this.#table.pages())
    if (!pages || this.#isEnded) return
    // When the rows came with the opening of the tab, the other tabs have not been listed yet.
    if (tab.isRead) await tab.view.refresh()
    const size = stagingTabSize({ rows, columns })
    const hasRoom = tab.view.hasRoom(rows, columns, { id: null, cells: size.rows * size.columns })
    if (!hasRoom || this.#isEnded) return
    const { staging_tab } = await createStagingTab(this.#deps, size, {
      seeded: false,
      headers: [],
      resumable: true,
    })
    this.hasStagingTab = true
    let isCut = false
    const fitting = async function* (): AsyncGenerator<NumberedRow[]> {
      for await (const page of pages) {
        isCut = page.columns > columns || (page.rows.at(-1)?.row ?? 0) >= rows
        if (isCut) return
        yield page.rows
      }
    }
    // A last, partly filled request is sent only at the end of the table: elsewhere it would cost an additional request.
    const requests = rowRequests(fitting(), requestSize, () => this.#table.isWhole && !isCut)
    await stageRows(this.#deps, staging_tab, this.#untilEnded(requests), {
      columns: size.columns,
      through: (staged) => {
        this.#staged = staged
        return this.#report(staged)
      },
    })
  }

  async *#untilEnded<T>(requests: AsyncIterable<T>): AsyncGenerator<T> {
    for await (const request of requests) {
      if (this.#isEnded) return
      yield request
    }
  }
}

/** The pages, as soon as they hold more than one commit of cells can carry; null if they never do. */
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
