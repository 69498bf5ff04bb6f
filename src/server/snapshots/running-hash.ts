import { createHash } from 'node:crypto'

/** Texts are hashed in blocks of this size, because a call per row is expensive. */
const BLOCK_BYTES = 4096
const CHAIN_CHARACTERS = 64

/** A hash of a sequence of texts whose state, a few kilobytes of text, can be stored so that another process continues. */
export class RunningHash {
  /** Hash of the blocks so far. A block has whole texts. */
  #chain: string
  readonly #block = Buffer.allocUnsafe(BLOCK_BYTES)
  #filled: number

  /** `state`: the state to continue from; '' starts a new hash. */
  constructor(state = '') {
    this.#chain = state.slice(0, CHAIN_CHARACTERS) || '0'.repeat(CHAIN_CHARACTERS)
    this.#filled = this.#block.write(state.slice(CHAIN_CHARACTERS))
  }

  get state(): string {
    return this.#chain + this.#block.toString('utf8', 0, this.#filled)
  }

  /** Hash of all texts so far, hexadecimal. */
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
