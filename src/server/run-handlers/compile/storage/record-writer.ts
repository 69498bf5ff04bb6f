import type { Pool } from 'pg'
import { CopyBatches } from '../../../snapshots/copy-batches.ts'
import { BYTES, RECORDS_IN_BLOCK } from '../../../snapshots/record-blocks.ts'
import type { MergedRecord } from '../rules/merged-record.ts'
import type { RowBuilder } from './row-builder.ts'
import type { SkuIndex } from './sku-index.ts'

const COLUMNS =
  'snapshot_id, first_row, skus, ends, cells, found, field_sources, source_rows, times, hashes, before_rows'
const FIELDS = COLUMNS.split(', ').length
const INT4 = 23
const TEXT = 25
/** Bytes of an array's header: dimensions, whether it has nulls, element type, length, index of the first element. */
const LIST_HEAD = 20
/** Maximum size of a block without the contents of its lists. */
const OVERHEAD_BYTES = 200
/** A block with this many bytes of cells is closed before it has all its records. */
const FULL_BLOCK_BYTES = 500_000
const TIME_BYTES = BYTES.times / 2
const BACKSLASH = 0x5c

type Version = {
  snapshot_id: number
  /** Time of creation and change, in PostgreSQL's binary format (eight bytes). */
  now: Buffer
  /** How many sources and fields its records have. */
  sources: number
  fields: number
}

/** Writes records to `compiled_blocks` by COPY, up to RECORDS_IN_BLOCK in one row (see snapshots/record-blocks.ts). */
export class RecordWriter extends CopyBatches {
  readonly #version: Version
  #first_row = 0
  /** Records in the current block. */
  #count = 0
  readonly #skus = new GrowingBytes()
  readonly #cells = new GrowingBytes()
  readonly #ends = Buffer.alloc(RECORDS_IN_BLOCK * (4 + BYTES.row))
  readonly #found: Buffer
  readonly #field_sources: Buffer
  readonly #source_rows: Buffer
  readonly #times = Buffer.alloc(RECORDS_IN_BLOCK * BYTES.times)
  readonly #hashes = Buffer.alloc(RECORDS_IN_BLOCK * BYTES.hash)
  readonly #before_rows = Buffer.alloc(RECORDS_IN_BLOCK * BYTES.row)

  constructor(pool: Pool, version: Version) {
    super(pool, `copy compiled_blocks (${COLUMNS})`)
    this.#version = version
    this.#found = Buffer.alloc(RECORDS_IN_BLOCK * version.sources)
    this.#field_sources = Buffer.alloc(RECORDS_IN_BLOCK * version.fields)
    this.#source_rows = Buffer.alloc(RECORDS_IN_BLOCK * version.sources * BYTES.row)
  }

  /** Adds the next record. `skus`: the index that has its SKU. */
  add(record: MergedRecord, skus: SkuIndex): void {
    const { cells, found, field_sources, source_rows, previous } = record
    const n = this.#count
    if (n === 0) this.#first_row = record.row_no
    this.#sku(record, skus)
    this.#row(cells)
    for (let m = 0; m < found.length; m += 1) this.#found[m * RECORDS_IN_BLOCK + n] = found[m] ?? 0
    for (let m = 0; m < field_sources.length; m += 1)
      this.#field_sources[m * RECORDS_IN_BLOCK + n] = field_sources[m] ?? 0
    for (let m = 0, to = n * source_rows.length * BYTES.row; m < source_rows.length; m += 1, to += BYTES.row)
      this.#source_rows.writeInt32BE(source_rows[m] ?? 0, to)
    const [created, updated] = [n * BYTES.times, n * BYTES.times + TIME_BYTES]
    if (previous) previous.copyTime('created_at', this.#times, created)
    else this.#version.now.copy(this.#times, created)
    if (previous?.is_same) previous.copyTime('updated_at', this.#times, updated)
    else this.#version.now.copy(this.#times, updated)
    this.#before_rows.writeInt32BE(previous?.row_no ?? 0, n * BYTES.row)
    this.#count += 1
    if (this.#count === RECORDS_IN_BLOCK || this.#cells.end >= FULL_BLOCK_BYTES) this.#endBlock()
  }

  override async close(): Promise<void> {
    if (this.#count > 0) this.#endBlock()
    await super.close()
  }

  #sku({ sku }: MergedRecord, skus: SkuIndex): void {
    const list = this.#skus
    const start = list.grow(4 + skus.lengthOf(sku)) + 4
    skus.write(sku, list.bytes, start)
    let at = start
    while (at < list.end && list.bytes[at] !== BACKSLASH) at += 1
    // Unescaping never makes a text longer.
    if (at < list.end) {
      const text = String(JSON.parse(`"${list.bytes.toString('utf8', start, list.end)}"`))
      list.end = start + list.bytes.write(text, start)
    }
    list.bytes.writeInt32BE(list.end - start, start - 4)
  }

  #row({ bytes, end, fingerprint }: RowBuilder): void {
    const n = this.#count
    const at = this.#cells.grow(end)
    bytes.copy(this.#cells.bytes, at, 0, end)
    this.#ends.writeInt32BE(BYTES.row, n * (4 + BYTES.row))
    this.#ends.writeInt32BE(this.#cells.end, n * (4 + BYTES.row) + 4)
    this.#hashes.writeInt32BE(fingerprint[0] ?? 0, n * BYTES.hash)
    this.#hashes.writeInt32BE(fingerprint[1] ?? 0, n * BYTES.hash + 4)
  }

  #endBlock(): void {
    const count = this.#count
    const { snapshot_id, sources, fields } = this.#version
    const lists = (sources * (1 + BYTES.row) + fields) * count
    this.makeRoom(
      OVERHEAD_BYTES + this.#skus.end + this.#cells.end + lists + count * (8 + BYTES.times + BYTES.hash + 8),
    )
    this.end = this.bytes.writeInt16BE(FIELDS, this.end)
    this.#int4(4)
    this.#int4(snapshot_id)
    this.#int4(4)
    this.#int4(this.#first_row)
    this.#list(TEXT, this.#skus.bytes, this.#skus.end)
    this.#list(INT4, this.#ends, count * (4 + BYTES.row))
    this.#bytes(this.#cells.bytes, this.#cells.end)
    this.#columns(this.#found, sources)
    this.#columns(this.#field_sources, fields)
    this.#bytes(this.#source_rows, count * sources * BYTES.row)
    this.#bytes(this.#times, count * BYTES.times)
    this.#bytes(this.#hashes, count * BYTES.hash)
    this.#bytes(this.#before_rows, count * BYTES.row)
    this.#skus.end = 0
    this.#cells.end = 0
    this.#count = 0
  }

  #int4(value: number): void {
    this.end = this.bytes.writeInt32BE(value, this.end)
  }

  #bytes(from: Buffer, length: number): void {
    this.#int4(length)
    this.end += from.copy(this.bytes, this.end, 0, length)
  }

  // Lists with one byte per record, one list after the other.
  #columns(from: Buffer, lists: number): void {
    this.#int4(lists * this.#count)
    for (let n = 0; n < lists; n += 1)
      this.end += from.copy(this.bytes, this.end, n * RECORDS_IN_BLOCK, n * RECORDS_IN_BLOCK + this.#count)
  }

  // Each element follows its length.
  #list(type: number, elements: Buffer, length: number): void {
    this.#int4(LIST_HEAD + length)
    this.#int4(1)
    this.#int4(0)
    this.#int4(type)
    this.#int4(this.#count)
    this.#int4(1)
    this.end += elements.copy(this.bytes, this.end, 0, length)
  }
}

const INITIAL_BYTES = 32_768

/** A buffer that grows and is reused: bytes up to `end` count. */
class GrowingBytes {
  bytes = Buffer.allocUnsafe(INITIAL_BYTES)
  end = 0

  /** Adds `count` bytes, which the caller then writes, and returns where they start. */
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
