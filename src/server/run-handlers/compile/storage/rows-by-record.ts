import type { CellValue } from '../../../../contract/tables.ts'
import { DUPLICATE_ROW } from './gathered-rows.ts'
import { type LoadedPartition, lengthAt } from './spilled-rows.ts'

/**
 * Layout of what is spilled of a previous record: two times and the fingerprint of its cells, eight bytes each. If checks keep last
 * good values, its cells follow as JSON.
 */
export const PREVIOUS_LAYOUT = { created_at: 0, updated_at: 8, fingerprint: 16, bytes: 24 } as const
const TIME_BYTES = 8

/** A record of the previous version. The object is reused for the next record. */
export class PreviousRecord {
  row_no = 0
  /** Whether the new record has the same cells. */
  is_same = false
  #bytes: Buffer = Buffer.alloc(0)
  #offset = 0

  read(bytes: Buffer, offset: number, row_no: number): void {
    this.#bytes = bytes
    this.#offset = offset
    this.row_no = row_no
  }

  hasFingerprint([high, low]: Int32Array): boolean {
    const at = this.#offset + PREVIOUS_LAYOUT.fingerprint
    return this.#bytes.readInt32BE(at) === high && this.#bytes.readInt32BE(at + 4) === low
  }

  /** SKU and fields; null: they were not spilled. */
  cells(): CellValue[] | null {
    const end = this.#offset + lengthAt(this.#bytes, this.#offset)
    const start = this.#offset + PREVIOUS_LAYOUT.bytes
    return start === end ? null : JSON.parse(this.#bytes.toString('utf8', start, end))
  }

  copyTime(which: 'created_at' | 'updated_at', target: Buffer, at: number): void {
    const start = this.#offset + PREVIOUS_LAYOUT[which]
    this.#bytes.copy(target, at, start, start + TIME_BYTES)
  }
}

/** Finds the rows of a loaded partition by record and source. */
export class RowsByRecord {
  /** Sources, and the previous version as the last column. */
  readonly #width: number
  readonly #previous = new PreviousRecord()
  #partition: LoadedPartition | undefined
  /** Offset of each row; negative: the source has more than one row for the record; 0: it has none. */
  #offsets = new Int32Array(0)
  #row_nos = new Int32Array(0)

  constructor(sources: number) {
    this.#width = sources + 1
  }

  load(partition: LoadedPartition): void {
    this.#partition = partition
    const size = partition.count * this.#width
    if (this.#offsets.length < size) {
      this.#offsets = new Int32Array(size)
      this.#row_nos = new Int32Array(size)
    } else this.#offsets.fill(0)
    partition.each(({ record, source, row_no }, start) => {
      const index = (record - partition.first) * this.#width + source
      if (row_no === DUPLICATE_ROW) this.#offsets[index] = -(this.#offsets[index] ?? 0)
      else {
        this.#offsets[index] = start
        this.#row_nos[index] = row_no
      }
    })
  }

  /** Where the row of a source starts in the partition's bytes; 0: the source has no row for the partition's `n`th record. */
  offset(n: number, source: number): number {
    return Math.abs(this.#offsets[n * this.#width + source] ?? 0)
  }

  rowNo(n: number, source: number): number {
    return this.#row_nos[n * this.#width + source] ?? 0
  }

  /** Whether the source has more rows for the record than the first. */
  isDuplicate(n: number, source: number): boolean {
    return (this.#offsets[n * this.#width + source] ?? 0) < 0
  }

  /** The record of the previous version; null: there is none. */
  previous(n: number): PreviousRecord | null {
    const offset = this.offset(n, this.#width - 1)
    if (offset === 0 || this.#partition === undefined) return null
    this.#previous.read(this.#partition.bytes, offset, this.rowNo(n, this.#width - 1))
    return this.#previous
  }
}
