/** Lengths are 4 bytes, big-endian; length 0 ends a sequence of frames. */
const LENGTH_BYTES = 4
const MAX_FRAME_BYTES = 1_048_576
const MAX_LINE_BYTES = 65_536

/** The bytes as length-prefixed frames; none for no bytes. */
export function* framesOf(bytes: Buffer): Generator<Buffer, void> {
  for (let start = 0; start < bytes.length; start += MAX_FRAME_BYTES) {
    const part = bytes.subarray(start, start + MAX_FRAME_BYTES)
    const length = Buffer.alloc(LENGTH_BYTES)
    length.writeUInt32BE(part.length)
    yield Buffer.concat([length, part])
  }
}

export const END_OF_FRAMES = Buffer.alloc(LENGTH_BYTES)

/** A line of JSON. */
export const line = (value: unknown): Buffer => Buffer.from(`${JSON.stringify(value)}\n`)

/** The bytes do not have the expected format; the message is the end of a sentence. */
export class FormatError extends Error {
  override name = 'FormatError'
}

/**
 * Reads lines and frames from a stream, and passes each piece to `onRead` in order. Buffers at most one line or
 * frame. Throws FormatError for an early end, a line or frame that is too long, or a line that is not JSON.
 */
export class FrameReader {
  readonly #source: AsyncIterator<Uint8Array>
  readonly #onRead: (bytes: Uint8Array) => void
  #rest: Buffer = Buffer.alloc(0)

  constructor(source: AsyncIterable<Uint8Array>, onRead: (bytes: Uint8Array) => void = () => {}) {
    this.#source = source[Symbol.asyncIterator]()
    this.#onRead = onRead
  }

  /** The value of a line, which is passed to `onRead` unless `silent`. */
  async line({ silent = false } = {}): Promise<unknown> {
    for (let from = 0; ; ) {
      const end = this.#rest.subarray(0, MAX_LINE_BYTES).indexOf('\n', from)
      if (end >= 0) return jsonOf(this.#take(end + 1, silent))
      if (this.#rest.length >= MAX_LINE_BYTES)
        throw new FormatError(`it has a line of more than ${MAX_LINE_BYTES} bytes`)
      from = this.#rest.length
      await this.#more()
    }
  }

  /** The frames up to the end of a sequence. */
  async *frames(): AsyncGenerator<Buffer, void> {
    for (;;) {
      const length = (await this.#bytes(LENGTH_BYTES)).readUInt32BE()
      if (length === 0) return
      if (length > MAX_FRAME_BYTES)
        throw new FormatError(
          `it announces a frame of ${length} bytes, and none has more than ${MAX_FRAME_BYTES}`,
        )
      yield await this.#bytes(length)
    }
  }

  /** Throws FormatError unless the end is reached. */
  async end(): Promise<void> {
    if (this.#rest.length > 0 || !(await this.#source.next()).done)
      throw new FormatError('it goes on behind its last line')
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
    if (done) throw new FormatError('it ends early')
    this.#rest = Buffer.concat([this.#rest, value])
  }
}

function jsonOf(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString())
  } catch {
    throw new FormatError('a line of it is not JSON')
  }
}
