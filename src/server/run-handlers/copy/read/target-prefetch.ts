import { Readable } from 'node:stream'
import type { Target } from '../../../connectors/connector.ts'

/** Pieces of the reply that wait for their turn, of 16 to 64 KB each. The others wait zipped: rows that wait long are a burden. */
const WAITING_PIECES = 4

/** The target's rows, asked for while the source is still being read. */
export class TargetPrefetch {
  readonly #target: Pick<Target, 'read'>
  readonly #columns: number
  #batches: Readable | null = null
  #taken = false

  /** `columns`: as many as the task owns; how many the source has is not known yet. */
  constructor(target: Pick<Target, 'read'>, columns: number) {
    this.#target = target
    this.#columns = columns
  }

  /** Asks for the rows, unless that has been done. */
  begin(): void {
    if (this.#batches || this.#taken) return
    const options = { objectMode: true, highWaterMark: WAITING_PIECES }
    this.#batches = Readable.from(this.#target.read(this.#columns).batches, options)
    // Thrown to whoever reads the batches; until then it is not unhandled.
    this.#batches.on('error', () => {})
    this.#batches.read(0)
  }

  /** The rows, once; null when they were not asked for, were taken before, or when these are other columns. */
  take(columns: number): AsyncIterable<Uint8Array[]> | null {
    const wanted = columns === this.#columns && !this.#taken
    this.#taken = true
    if (wanted) return this.#batches
    this.close()
    return null
  }

  /** Ends the reading. */
  close(): void {
    this.#taken = true
    this.#batches?.destroy()
  }
}

/** The same items; `follow` is called once the first one has been asked for, so that whatever it asks for comes behind that. */
export async function* onFirstRequest<T>(items: AsyncIterable<T>, follow: () => void): AsyncGenerator<T> {
  const iterator = items[Symbol.asyncIterator]()
  let next = iterator.next()
  follow()
  try {
    for (;;) {
      const { done, value } = await next
      if (done) return
      yield value
      next = iterator.next()
    }
  } finally {
    await iterator.return?.()
  }
}
