import type { Duplex } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Connection, Submittable } from 'pg'
import { shareReadBuffer } from '../platform/postgres/client.ts'
import type { BlockPool } from './block-pool.ts'

/** What is read ahead of whoever takes the rows. */
const AHEAD_BLOCKS = 256
/** What is taken before anything else that the process reads and writes goes on: about a thousandth of a second. */
const BLOCKS_AT_A_TIME = 4
// Messages of PostgreSQL's protocol: a letter, the length of what follows with its own four bytes, and that.
const HEAD_BYTES = 5
const ROW = 0x64
const ENDS = new Set([...'cE'].map((letter) => letter.charCodeAt(0)))

type Listeners = ReturnType<Duplex['listeners']>
/** Called with data when no rows are read: of each connection the listeners that it had at first. */
const listenersOf = new WeakMap<Duplex, Listeners>()

/** Called with each message that has a row: it lies in `bytes` from `start` up to, not including, `end`. */
export type TakeMessage = (bytes: Buffer, start: number, end: number) => void

/**
 * A COPY to us as a query of a connection. It reads what the socket brings by itself: for each row of a few hundred bytes an object,
 * a slice and an event cost more than all that a compile does with it.
 */
export class CopyOut implements Submittable {
  readonly #statement: string
  readonly #pool: BlockPool
  /** What has come and is not taken yet: of each block as much as counts. */
  readonly #blocks: { bytes: Buffer; end: number }[] = []
  #left: Buffer = Buffer.alloc(0)
  #socket: Duplex | undefined
  #giveBack: (rest: Buffer) => void = () => {}
  #wake: () => void = () => {}
  #ended = false
  #failure: Error | undefined

  /** `pool`: where blocks come from that keep rows until they are taken. */
  constructor(statement: string, pool: BlockPool) {
    this.#statement = statement
    this.#pool = pool
  }

  /** Hands all rows over as they come, and waits for `between` now and then. Rejects with what the server says, or what `fail()` is told. */
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
      if (this.#blocks.length < AHEAD_BLOCKS) this.#socket?.resume()
      this.#takeAll(block.bytes.subarray(0, block.end), take)
      this.#pool.give(block.bytes)
      await between()
      // However much lies here, sockets and files are served meanwhile.
      if (taken % BLOCKS_AT_A_TIME === 0) await nextTurn()
      taken += 1
    }
  }

  /** Ends what is read with an error, of which the connection knows nothing. */
  fail(error: Error): void {
    this.#failure ??= error
    this.#wake()
  }

  /** Called by the connection when it is this query's turn. */
  submit(connection: Connection): void {
    const { stream } = connection
    const listeners = listenersOf.get(stream) ?? stream.listeners('data')
    listenersOf.set(stream, listeners)
    const onData = (chunk: Buffer) => {
      this.#keep(chunk)
      if (this.#blocks.length >= AHEAD_BLOCKS) stream.pause()
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

  /** Takes the message of which a part was left, and which goes on in a chunk; returns where it ends there. */
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

  /** Takes the messages that are all there; returns where the next one begins. */
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
