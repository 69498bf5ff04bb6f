import { OriginFailure } from '../connector.ts'
import type { TargetUse } from '../target-use.ts'
import type { TargetCheckpoint } from './checkpoint.ts'
import type { RequestSize } from './row-requests.ts'
import type { TargetTab } from './target-tab.ts'

export type StageDeps = {
  tab: TargetTab
  spreadsheet_id: string
  use: TargetUse
  checkpoint: TargetCheckpoint
  /** Of requests that carry rows. */
  requestSize: RequestSize
}

/** What ends rows that are still coming. */
type Coming = { close(): void }

/**
 * Puts rows into the fence of a copy while its source is still being read, or its target compared. Nothing depends on it: what it
 * does not come to, or fails with, is done by the change that follows, from where the checkpoint says that the fence is.
 */
export class StagingAhead {
  readonly #coming: Coming
  readonly #over: Promise<void>
  /** Whether the fence is there, and with it the tabs of the spreadsheet are known. */
  hasFence = false
  isEnded = false
  #staged = 0
  /** While something else goes on, that is what a run says it does. */
  #through: (rows: number) => Promise<void> = async () => {}

  /** `stage` is begun at once. */
  constructor(coming: Coming, stage: (ahead: StagingAhead) => Promise<void>) {
    this.#coming = coming
    this.#over = stage(this)
    // Thrown to whoever waits for it; until then it is not unhandled.
    this.#over.catch(() => {})
  }

  /** Takes note of how many rows are staged, the header among them. */
  through = (rows: number): Promise<void> => {
    this.#staged = rows
    return this.#through(rows)
  }

  /** The same requests, as long as it has not been ended. */
  async *untilEnded<T>(requests: AsyncIterable<T>): AsyncGenerator<T> {
    for await (const request of requests) {
      if (this.isEnded) return
      yield request
    }
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
    this.isEnded = true
    this.#coming.close()
    await this.#over.catch(() => {})
  }
}
