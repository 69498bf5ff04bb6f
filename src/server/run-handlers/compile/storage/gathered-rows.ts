import type { CompilePlan } from '../rules/compile-plan.ts'
import type { PartitionedSpillFile } from './partitioned-spill-file.ts'
import { SkuIndex } from './sku-index.ts'
import { plainSku, skuBytes, skuReader } from './sku-reader.ts'
import type { SpilledRow } from './spilled-rows.ts'

/** The row number of a SKU's second row in a source, of which nothing else is kept. */
export const DUPLICATE_ROW = 0

/**
 * Numbers the SKUs of the sources and puts the first row of each SKU in each source on a spill. Numbers are those of records: SKUs of
 * the master first, as they stand there, then those that only others have, source by source.
 */
export class GatheredRows {
  readonly skus: SkuIndex
  /** Of each source how many rows have been taken. */
  readonly rows: number[]
  /** Of each source how many rows have no SKU. */
  readonly without_sku: number[]
  /** SKUs of records that stay as they are: their rows are left out. */
  kept = 0
  readonly #shelf: PartitionedSpillFile
  readonly #before: number
  readonly #readers: ReturnType<typeof skuReader>[]
  // One object for each of millions of rows would be collected most of the time.
  readonly #row: SpilledRow = { record: 0, source: 0, row_no: 0 }
  /** Of each SKU the last source that has it: twice its place and one, or two where it has it more than once. */
  #last = new Uint16Array(4096)

  constructor({ sources }: CompilePlan, spill: PartitionedSpillFile) {
    this.#shelf = spill
    this.skus = new SkuIndex(sources[0]?.row_count ?? 0)
    this.#before = sources.length
    this.#readers = sources.map(skuReader)
    this.rows = sources.map(() => 0)
    this.without_sku = sources.map(() => 0)
  }

  /** How many records there will be beside those that stay. */
  get records(): number {
    return this.skus.size - this.kept
  }

  /** Takes the SKU of a record that stays, before any row. */
  keep(sku: Buffer): void {
    const bytes = escaped(sku)
    this.skus.add(bytes, 0, bytes.length)
    this.kept = this.skus.size
  }

  /** Takes a row of a source, whose rows come in their order, one source after the other. */
  take(source: number, row_no: number, bytes: Buffer, start: number, end: number): void {
    this.rows[source] = (this.rows[source] ?? 0) + 1
    const sku = this.#readers[source]?.(bytes, start, row_no)
    if (sku === undefined || sku.start === sku.end) {
      this.without_sku[source] = (this.without_sku[source] ?? 0) + 1
      return
    }
    const number = this.skus.add(sku.bytes, sku.start, sku.end)
    if (number < this.kept) return
    const once = 2 * source + 1
    const last = this.#lastOf(number)
    if (last > once) return
    this.#last[number] = last === once ? once + 1 : once
    const row = this.#row
    row.record = number - this.kept
    row.source = source
    row.row_no = last === once ? DUPLICATE_ROW : row_no
    this.#shelf.add(row, bytes, start, last === once ? start : end)
  }

  /** Takes what is known of a record of before, by its row there, after all rows; false where its SKU is gone. */
  takeBefore(row_no: number, sku: Buffer, known: Buffer): boolean {
    const key = escaped(sku)
    const record = this.skus.find(key, 0, key.length)
    if (record < 0) return false
    this.#shelf.add({ record, source: this.#before, row_no }, known, 0, known.length)
    return true
  }

  #lastOf(number: number): number {
    if (number >= this.#last.length) {
      const larger = new Uint16Array(2 * this.#last.length)
      larger.set(this.#last)
      this.#last = larger
    }
    return this.#last[number] ?? 0
  }
}

const BLANK = 0x20
const QUOTE = 0x22
const BACKSLASH = 0x5c
const LAST_OF_ASCII = 0x7e

/** The bytes of a SKU, as it is compared, as a JSON text without its quotes. */
function escaped(sku: Buffer): Buffer {
  for (const byte of sku)
    if (byte < BLANK || byte === QUOTE || byte === BACKSLASH || byte > LAST_OF_ASCII)
      return skuBytes(plainSku(sku.toString()))
  return sku
}
