import { Readable } from 'node:stream'
import type { Target } from '../../connectors/connector.ts'

/** Pieces of the reply that wait for their turn, of 16 to 64 KB each. */
const WAITING_PIECES = 128

/** The target's rows, asked for while the source is still being read. */
export class ReadAhead {
  readonly #columns: number
  readonly #batches: Readable
  #taken = false

  /** `columns`: as many as the task owns; how many the source has is not known yet. */
  constructor(target: Target, columns: number) {
    this.#columns = columns
    const options = { objectMode: true, highWaterMark: WAITING_PIECES }
    this.#batches = Readable.from(target.read(columns).batches, options)
    // Thrown to whoever reads the batches; until then it is not unhandled.
    this.#batches.on('error', () => {})
    this.#batches.read(0)
  }

  /** The rows, once; null when they were taken before, or when these are other columns than were asked for. */
  take(columns: number): AsyncIterable<Uint8Array[]> | null {
    const wanted = columns === this.#columns && !this.#taken
    this.#taken = true
    if (wanted) return this.#batches
    this.close()
    return null
  }

  /** Ends the reading. */
  close(): void {
    this.#batches.destroy()
  }
}
