const BLOCK_BYTES = 65_536

/** Reuses buffers of one size: allocating and collecting memory outside the heap is expensive. */
export class BlockPool {
  readonly #free: Buffer[] = []

  take(): Buffer {
    return this.#free.pop() ?? Buffer.allocUnsafeSlow(BLOCK_BYTES)
  }

  /** Returns a block that is no longer read. */
  give(block: Buffer): void {
    this.#free.push(block)
  }
}
