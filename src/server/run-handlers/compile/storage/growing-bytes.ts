const BYTES_AT_FIRST = 32_768

/** Bytes that are put together and used again: those up to `end` count. */
export class GrowingBytes {
  bytes = Buffer.allocUnsafe(BYTES_AT_FIRST)
  end = 0

  /** Adds so many bytes, which are to be written; returns where they begin. */
  grow(count: number): number {
    const start = this.end
    this.end += count
    if (this.end > this.bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(this.bytes.length * 2, this.end))
      this.bytes.copy(larger, 0, 0, start)
      this.bytes = larger
    }
    return start
  }
}
