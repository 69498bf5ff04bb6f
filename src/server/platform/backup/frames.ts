/** Lengths are 4 bytes, big end first; a length of 0 ends a sequence of frames. */
const LENGTH_BYTES = 4

/** Bytes behind their length. */
export function frame(bytes: Uint8Array): Buffer {
  const length = Buffer.alloc(LENGTH_BYTES)
  length.writeUInt32BE(bytes.byteLength)
  return Buffer.concat([length, bytes])
}

export const END_OF_FRAMES = Buffer.alloc(LENGTH_BYTES)

/** A line of JSON. */
export const line = (value: unknown): Buffer => Buffer.from(`${JSON.stringify(value)}\n`)

/** Reads lines and frames from bytes as they come, and tells each piece to `onRead` in order. Throws at an early end. */
export class FrameReader {
  readonly #source: AsyncIterator<Uint8Array>
  readonly #onRead: (bytes: Uint8Array) => void
  #rest: Buffer = Buffer.alloc(0)

  constructor(source: AsyncIterable<Uint8Array>, onRead: (bytes: Uint8Array) => void = () => {}) {
    this.#source = source[Symbol.asyncIterator]()
    this.#onRead = onRead
  }

  /** The value of a line, which is told to `onRead` unless `silent`. */
  async line({ silent = false } = {}): Promise<unknown> {
    for (let from = 0; ; ) {
      const end = this.#rest.indexOf('\n', from)
      if (end >= 0) return JSON.parse(this.#take(end + 1, silent).toString())
      from = this.#rest.length
      await this.#more()
    }
  }

  /** The frames of a sequence. */
  async *frames(): AsyncGenerator<Buffer, void> {
    for (;;) {
      const length = (await this.#bytes(LENGTH_BYTES)).readUInt32BE()
      if (length === 0) return
      yield await this.#bytes(length)
    }
  }

  async #bytes(count: number): Promise<Buffer> {
    while (this.#rest.length < count) await this.#more()
    return this.#take(count)
  }

  #take(count: number, silent = false): Buffer {
    const bytes = this.#rest.subarray(0, count)
    this.#rest = this.#rest.subarray(count)
    if (!silent) this.#onRead(bytes)
    return bytes
  }

  async #more(): Promise<void> {
    const { value, done } = await this.#source.next()
    if (done) throw new Error('The file ends early.')
    this.#rest = Buffer.concat([this.#rest, value])
  }
}
