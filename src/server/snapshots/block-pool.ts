const BLOCK_BYTES = 65_536

/** Buffers of one size that are used again, whoever had them before: memory outside the heap is dear to come by and to collect. */
export class BlockPool {
  readonly #free: Buffer[] = []

  take(): Buffer {
    return this.#free.pop() ?? Buffer.allocUnsafeSlow(BLOCK_BYTES)
  }

  /** Takes back what nobody looks at any more. */
  give(block: Buffer): void {
    this.#free.push(block)
  }
}
