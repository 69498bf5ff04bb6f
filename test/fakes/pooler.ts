import { Transform, type TransformCallback } from 'node:stream'

const BACKEND_KEY_DATA = 'K'.charCodeAt(0)

/** Forwards PostgreSQL's replies like a connection pooler, which replaces process ids by its own. */
export class Renumbered extends Transform {
  readonly #number: number
  #rest: Buffer = Buffer.alloc(0)

  constructor(number: number) {
    super()
    this.#number = number
  }

  override _transform(bytes: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#rest = Buffer.concat([this.#rest, bytes])
    // A message consists of its type, its length without the type, and its payload.
    while (this.#rest.length >= 5) {
      const end = 1 + this.#rest.readInt32BE(1)
      if (this.#rest.length < end) break
      const message = this.#rest.subarray(0, end)
      if (message[0] === BACKEND_KEY_DATA) message.writeInt32BE(this.#number, 5)
      this.push(message)
      this.#rest = this.#rest.subarray(end)
    }
    done()
  }
}
