import type { Duplex } from 'node:stream'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { Connection, Submittable } from 'pg'
import { shareReadBuffer } from '../platform/postgres/client.ts'
import type { BlockPool } from './block-pool.ts'

/** Blocks that are prefetched before the socket is paused. */
const MAX_PREFETCHED_BLOCKS = 256
/** Blocks between two yields to the event loop, about 1 ms. */
const BLOCKS_PER_YIELD = 4
// A message of PostgreSQL's protocol: a letter, the length (its own four bytes included), the body.
const HEAD_BYTES = 5
const ROW = 0x64
const ENDS = new Set([...'cE'].map((letter) => letter.charCodeAt(0)))

type Listeners = ReturnType<Duplex['listeners']>
/** The original data listeners of each connection, restored after a COPY. */
const listenersOf = new WeakMap<Duplex, Listeners>()

/** Called with each row's message, in `bytes` from `start` up to, not including, `end`. */
export type TakeMessage = (bytes: Buffer, start: number, end: number) => void

/**
 * A COPY TO STDOUT as a query of a pg connection. It parses the socket's data itself: an object, a slice and an event per row, as
 * pg-copy-streams makes them, would cost more than everything else that a compile does with the row (decision 046).
 */
export class CopyOut implements Submittable {
  readonly #statement: string
  readonly #pool: BlockPool
  /** Data that has arrived and is not processed yet; `end`: bytes in use. */
  readonly #blocks: { bytes: Buffer; end: number }[] = []
  #left: Buffer = Buffer.alloc(0)
  #socket: Duplex | undefined
  #giveBack: (rest: Buffer) => void = () => {}
  #wake: () => void = () => {}
  #ended = false
  #failure: Error | undefined

  /** `pool`: buffers for prefetched data. */
  constructor(statement: string, pool: BlockPool) {
    this.#statement = statement
    this.#pool = pool
  }

  /** Calls `take` with each row as it arrives and awaits `between` after each block. Rejects with the server's error or that of `fail`. */
  async each(take: TakeMessage, between: () => Promise<void>): Promise<void> {
    for (let taken = 1; !this.#ended; ) {
      if (this.#failure) throw this.#failure
      const block = this.#blocks.shift()
      if (block === undefined) {
        const { promise, resolve } = Promise.withResolvers<void>()
        this.#wake = resolve
        await promise
        continue
      }
      if (this.#blocks.length < MAX_PREFETCHED_BLOCKS) this.#socket?.resume()
      this.#takeAll(block.bytes.subarray(0, block.end), take)
      this.#pool.give(block.bytes)
      await between()
      // Serves sockets and files even if many blocks are waiting.
      if (taken % BLOCKS_PER_YIELD === 0) await yieldToEventLoop()
      taken += 1
    }
  }

  /** Ends the read with an error. The connection does not learn of it. */
  fail(error: Error): void {
    this.#failure ??= error
    this.#wake()
  }

  /** Called by the connection when it starts this query. */
  submit(connection: Connection): void {
    const { stream } = connection
    const listeners = listenersOf.get(stream) ?? stream.listeners('data')
    listenersOf.set(stream, listeners)
    const onData = (chunk: Buffer) => {
      this.#keep(chunk)
      if (this.#blocks.length >= MAX_PREFETCHED_BLOCKS) stream.pause()
      this.#wake()
    }
    stream.removeAllListeners('data')
    stream.on('data', onData)
    shareReadBuffer(stream, true)
    this.#socket = stream
    this.#giveBack = (rest) => {
      stream.off('data', onData)
      shareReadBuffer(stream, false)
      for (const listener of listeners) stream.on('data', (chunk) => Reflect.apply(listener, stream, [chunk]))
      stream.emit(
        'data',
        Buffer.concat([rest, ...this.#blocks.map(({ bytes, end }) => bytes.subarray(0, end))]),
      )
      for (const { bytes } of this.#blocks.splice(0)) this.#pool.give(bytes)
      stream.resume()
    }
    connection.query(this.#statement)
  }

  handleError(error: Error): void {
    this.fail(error)
  }

  handleCommandComplete(): void {}

  handleReadyForQuery(): void {
    this.#ended = true
    this.#wake()
  }

  #keep(chunk: Buffer): void {
    for (let from = 0; from < chunk.length; ) {
      let block = this.#blocks.at(-1)
      if (block === undefined || block.end === block.bytes.length) {
        block = { bytes: this.#pool.take(), end: 0 }
        this.#blocks.push(block)
      }
      const copied = chunk.copy(block.bytes, block.end, from)
      block.end += copied
      from += copied
    }
  }

  #takeAll(chunk: Buffer, take: TakeMessage): void {
    const from = this.#left.length === 0 ? 0 : this.#takeSplit(chunk, take)
    if (from < chunk.length) this.#left = Buffer.from(chunk.subarray(this.#takeWhole(chunk, from, take)))
  }

  /** Takes the message that started in the previous chunk; returns where it ends in this one. */
  #takeSplit(chunk: Buffer, take: TakeMessage): number {
    if (ENDS.has(this.#left[0] ?? 0)) {
      this.#giveBack(Buffer.concat([this.#left, chunk]))
      return chunk.length
    }
    const { length } = this.#left
    const head = Buffer.concat([this.#left, chunk.subarray(0, HEAD_BYTES)])
    const end = head.length < HEAD_BYTES ? Number.POSITIVE_INFINITY : 1 + head.readInt32BE(1)
    const rest = Math.min(chunk.length, end - length)
    const joined = Buffer.concat([this.#left, chunk.subarray(0, rest)])
    this.#left = this.#takeWhole(joined, 0, take) === joined.length ? Buffer.alloc(0) : joined
    return rest
  }

  /** Takes the complete messages; returns where the first incomplete one starts. */
  #takeWhole(bytes: Buffer, from: number, take: TakeMessage): number {
    let at = from
    while (at + HEAD_BYTES <= bytes.length) {
      const kind = bytes[at] ?? 0
      if (ENDS.has(kind)) {
        this.#giveBack(bytes.subarray(at))
        return bytes.length
      }
      const end = at + 1 + bytes.readInt32BE(at + 1)
      if (end > bytes.length) break
      if (kind === ROW) take(bytes, at + HEAD_BYTES, end)
      at = end
    }
    return at
  }
}
