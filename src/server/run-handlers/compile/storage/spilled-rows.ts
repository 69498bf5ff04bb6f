// A spilled row: four 32-bit numbers (record, source, row number, length of the bytes), then its bytes.
const HEAD_BYTES = 16

/** The record that a row belongs to, counted from 0, and the index of its source. */
export type SpilledRow = { record: number; source: number; row_no: number }

/** Bytes that a row takes in the spill file. */
export const rowLength = (start: number, end: number): number => HEAD_BYTES + end - start

/** Length of the bytes of a spilled row that start at `start`. */
export const lengthAt = (bytes: Buffer, start: number): number => bytes.readInt32LE(start - 4)

export function writeRow(
  target: Buffer,
  at: number,
  { record, source, row_no }: SpilledRow,
  bytes: Buffer,
  start: number,
  end: number,
): void {
  target.writeInt32LE(record, at)
  target.writeInt32LE(source, at + 4)
  target.writeInt32LE(row_no, at + 8)
  target.writeInt32LE(end - start, at + 12)
  bytes.copy(target, at + HEAD_BYTES, start, end)
}

/** The rows of a range of records, in the order in which they were spilled. */
export class LoadedPartition {
  /** The first record, and the maximum number of records. */
  first = 0
  count = 0
  bytes: Buffer = Buffer.alloc(0)
  #end = 0

  begin(first: number, count: number): void {
    this.first = first
    this.count = count
    this.#end = 0
  }

  /** Room for `length` bytes of spilled rows, which `accept` then takes. */
  room(length: number): Buffer {
    if (this.#end + length > this.bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(this.#end + length, this.bytes.length * 2))
      this.bytes.copy(larger, 0, 0, this.#end)
      this.bytes = larger
    }
    return this.bytes.subarray(this.#end, this.#end + length)
  }

  /** Keeps the rows in the room whose records are in the range. */
  accept(length: number): void {
    const { bytes, first, count } = this
    const last = this.#end + length
    for (let at = this.#end; at < last; ) {
      const next = at + HEAD_BYTES + bytes.readInt32LE(at + 12)
      const record = bytes.readInt32LE(at)
      if (record >= first && record < first + count) {
        if (at !== this.#end) bytes.copyWithin(this.#end, at, next)
        this.#end += next - at
      }
      at = next
    }
  }

  /** Calls `take` with each row and the bounds of its bytes. The row object is reused. */
  each(take: (row: SpilledRow, start: number, end: number) => void): void {
    const { bytes } = this
    const row: SpilledRow = { record: 0, source: 0, row_no: 0 }
    for (let at = 0; at < this.#end; ) {
      row.record = bytes.readInt32LE(at)
      row.source = bytes.readInt32LE(at + 4)
      row.row_no = bytes.readInt32LE(at + 8)
      const start = at + HEAD_BYTES
      at = start + bytes.readInt32LE(at + 12)
      take(row, start, at)
    }
  }
}
