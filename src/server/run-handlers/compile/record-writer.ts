import type { Pool } from 'pg'
import { CopyBatches } from '../../snapshots/copy-batches.ts'
import type { MergedRecord } from './merged-record.ts'
import type { SkuIndex } from './sku-index.ts'

const COLUMNS =
  'snapshot_id, row_no, sku, found_in, twice_in, field_sources, source_rows, created_at, updated_at, fingerprint'
const FIELDS = COLUMNS.split(', ').length
const INT2 = 21
const INT4 = 23
/** What a record has beside its SKU and the elements of its lists, and what each of those takes at most. */
const RECORD_BYTES = 200
const ELEMENT_BYTES = 8
const TIME_BYTES = 8
const FINGERPRINT_BYTES = 8
const BACKSLASH = 0x5c

/** Streams what only compiled rows have by COPY, one batch while the next one fills. */
export class RecordWriter extends CopyBatches {
  readonly #snapshot_id: number
  readonly #now: Buffer

  /** `now`: when records are created and changed, as PostgreSQL writes it in eight bytes. */
  constructor(pool: Pool, { snapshot_id, now }: { snapshot_id: number; now: Buffer }) {
    super(pool, `copy compiled_records (${COLUMNS})`)
    this.#snapshot_id = snapshot_id
    this.#now = now
  }

  add(record: MergedRecord, skus: SkuIndex): void {
    const { found_in, twice_in, field_sources, source_rows, before } = record
    const elements = found_in.length + twice_in.length + field_sources.length + source_rows.length
    this.makeRoom(RECORD_BYTES + ELEMENT_BYTES * elements + skus.lengthOf(record.sku))
    this.#int2(FIELDS)
    this.#int4(4)
    this.#int4(this.#snapshot_id)
    this.#int4(4)
    this.#int4(record.row_no)
    this.#sku(skus, record.sku)
    this.#list(INT4, 4, found_in)
    this.#list(INT4, 4, twice_in)
    this.#list(INT2, 2, field_sources)
    this.#list(INT4, 4, source_rows)
    if (before === null) this.#time(this.#now, 0)
    else this.#time(before.bytes, before.created_at)
    if (before?.is_same) this.#time(before.bytes, before.updated_at)
    else this.#time(this.#now, 0)
    this.#int4(FINGERPRINT_BYTES)
    for (const half of record.cells.fingerprint) this.#int4(half)
  }

  #int2(value: number): void {
    this.end = this.bytes.writeInt16BE(value, this.end)
  }

  #int4(value: number): void {
    this.end = this.bytes.writeInt32BE(value, this.end)
  }

  #time(bytes: Buffer, start: number): void {
    this.#int4(TIME_BYTES)
    for (let n = start; n < start + TIME_BYTES; n += 1) this.bytes[this.end++] = bytes[n] ?? 0
  }

  // As a JSON text it is as long or longer.
  #sku(skus: SkuIndex, number: number): void {
    const start = this.end + 4
    let end = skus.write(number, this.bytes, start)
    let at = start
    while (at < end && this.bytes[at] !== BACKSLASH) at += 1
    if (at < end)
      end =
        start + this.bytes.write(String(JSON.parse(`"${this.bytes.toString('utf8', start, end)}"`)), start)
    this.#int4(end - start)
    this.end = end
  }

  // Dimensions, whether there are nulls, the type of the elements, how many, and the number of the first.
  #list(type: number, size: 2 | 4, values: Int32Array | Uint8Array): void {
    const dimensions = values.length === 0 ? 0 : 1
    this.#int4(12 + dimensions * 8 + values.length * (4 + size))
    this.#int4(dimensions)
    this.#int4(0)
    this.#int4(type)
    if (dimensions === 0) return
    this.#int4(values.length)
    this.#int4(1)
    const { bytes } = this
    let at = this.end
    for (let n = 0; n < values.length; n += 1) {
      const value = values[n] ?? 0
      bytes[at] = 0
      bytes[at + 1] = 0
      bytes[at + 2] = 0
      bytes[at + 3] = size
      at += 4
      for (let bits = 8 * (size - 1); bits >= 0; bits -= 8) bytes[at++] = value >>> bits
    }
    this.end = at
  }
}
