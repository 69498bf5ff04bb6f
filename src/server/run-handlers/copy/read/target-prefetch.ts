import { Readable } from 'node:stream'
import type { ReadableTarget } from '../../../connectors/connector.ts'

/** Batches buffered before backpressure, each of 16 to 64 KB of the reply. The rest of the reply stays compressed. */
const MAX_BUFFERED_BATCHES = 4

/** Requests the target's rows while the source is still being read. */
export class TargetPrefetch {
  readonly #target: Pick<ReadableTarget, 'read'>
  readonly #columns: number
  #batches: Readable | null = null
  #taken = false

  /** `columns`: the columns that the task owns; the number of source columns is not known yet. */
  constructor(target: Pick<ReadableTarget, 'read'>, columns: number) {
    this.#target = target
    this.#columns = columns
  }

  /** Starts the request, once. */
  begin(): void {
    if (this.#batches || this.#taken) return
    const options = { objectMode: true, highWaterMark: MAX_BUFFERED_BATCHES }
    this.#batches = Readable.from(this.#target.read(this.#columns).batches, options)
    // The consumer of the batches receives the error; this listener prevents an unhandled `error` event before that.
    this.#batches.on('error', () => {})
    this.#batches.read(0)
  }

  /** Returns the rows, once; null if not requested, already taken, or requested with another number of columns. */
  take(columns: number): AsyncIterable<Uint8Array[]> | null {
    const wanted = columns === this.#columns && !this.#taken
    this.#taken = true
    if (wanted) return this.#batches
    this.close()
    return null
  }

  /** Stops reading and drops the rows. */
  close(): void {
    this.#taken = true
    this.#batches?.destroy()
  }
}

/** Passes the items through. Calls `callback` after the first item was requested, so that its own requests are sent later. */
export async function* onFirstRequest<T>(items: AsyncIterable<T>, callback: () => void): AsyncGenerator<T> {
  const iterator = items[Symbol.asyncIterator]()
  let next = iterator.next()
  callback()
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
