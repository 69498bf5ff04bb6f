import { createHash } from 'node:crypto'

/** Texts that are hashed at a time: a call for each row would cost more than its bytes do. */
const BLOCK_BYTES = 4096
const CHAIN_CHARACTERS = 64

/** A hash of texts in their order. Its state is text of a few kilobytes at most, so that another process can go on with it. */
export class RunningHash {
  /** Hash of the blocks so far, each of which holds whole texts. */
  #chain: string
  readonly #block = Buffer.allocUnsafe(BLOCK_BYTES)
  #filled: number

  /** Goes on from the state of another one; '' begins. */
  constructor(state = '') {
    this.#chain = state.slice(0, CHAIN_CHARACTERS) || '0'.repeat(CHAIN_CHARACTERS)
    this.#filled = this.#block.write(state.slice(CHAIN_CHARACTERS))
  }

  get state(): string {
    return this.#chain + this.#block.toString('utf8', 0, this.#filled)
  }

  /** Of all texts so far, hexadecimal. */
  get digest(): string {
    return this.#filled === 0 ? this.#chain : this.#chainWith('')
  }

  push(text: string | Uint8Array): void {
    const bytes = typeof text === 'string' ? Buffer.from(text) : text
    if (this.#filled + bytes.length < BLOCK_BYTES) {
      this.#block.set(bytes, this.#filled)
      this.#filled += bytes.length
    } else {
      this.#chain = this.#chainWith(bytes)
      this.#filled = 0
    }
  }

  #chainWith(bytes: string | Uint8Array): string {
    const block = this.#block.subarray(0, this.#filled)
    return createHash('sha256').update(this.#chain).update(block).update(bytes).digest('hex')
  }
}
