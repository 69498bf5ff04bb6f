import { plainSku } from '../../../snapshots/sku.ts'
import type { CompilePlan } from '../rules/compile-plan.ts'
import type { PartitionedSpillFile } from './partitioned-spill-file.ts'
import { SkuIndex } from './sku-index.ts'
import { skuBytes, skuReader } from './sku-reader.ts'
import type { SpilledRow } from './spilled-rows.ts'

/** Row number that marks a SKU's second row in a source. Its cells are not spilled. */
export const DUPLICATE_ROW = 0

/**
 * Numbers the SKUs of all sources and spills the first row of each SKU in each source. SKUs are numbered in the order in which they
 * are met, which is the order of the records: the master's SKUs first, then those that only other sources have.
 */
export class GatheredRows {
  readonly skus: SkuIndex
  /** Rows taken from each source. */
  readonly rows: number[]
  /** Of them rows without a SKU. */
  readonly without_sku: number[]
  /** SKUs of records that are copied unchanged; rows of these SKUs are skipped. */
  unchanged = 0
  readonly #spill: PartitionedSpillFile
  /** The previous version is spilled as if it were one more source. */
  readonly #previous: number
  readonly #readers: ReturnType<typeof skuReader>[]
  // Reused: an object per row would keep the garbage collector busy.
  readonly #row: SpilledRow = { record: 0, source: 0, row_no: 0 }
  /** For each SKU the last source that has it: 2 * index + 1, or 2 * index + 2 if the source has it more than once. */
  #lastSource = new Uint16Array(4096)

  constructor({ sources }: CompilePlan, spill: PartitionedSpillFile) {
    this.#spill = spill
    this.skus = new SkuIndex(sources[0]?.row_count ?? 0)
    this.#previous = sources.length
    this.#readers = sources.map(skuReader)
    this.rows = sources.map(() => 0)
    this.without_sku = sources.map(() => 0)
  }

  /** Number of records to merge, without those that are copied unchanged. */
  get records(): number {
    return this.skus.size - this.unchanged
  }

  /** Takes the SKU of a record that is copied unchanged. Call it before any row is taken. */
  takeUnchanged(sku: Buffer): void {
    const bytes = escaped(sku)
    this.skus.add(bytes, 0, bytes.length)
    this.unchanged = this.skus.size
  }

  /** Takes a row of a source. Rows come in order, one source after the other. */
  take(source: number, row_no: number, bytes: Buffer, start: number, end: number): void {
    this.rows[source] = (this.rows[source] ?? 0) + 1
    const sku = this.#readers[source]?.(bytes, start, row_no)
    if (sku === undefined || sku.start === sku.end) {
      this.without_sku[source] = (this.without_sku[source] ?? 0) + 1
      return
    }
    const number = this.skus.add(sku.bytes, sku.start, sku.end)
    if (number < this.unchanged) return
    const once = 2 * source + 1
    const last = this.#lastSourceOf(number)
    if (last > once) return
    this.#lastSource[number] = last === once ? once + 1 : once
    const row = this.#row
    row.record = number - this.unchanged
    row.source = source
    row.row_no = last === once ? DUPLICATE_ROW : row_no
    this.#spill.add(row, bytes, start, last === once ? start : end)
  }

  /** Takes a previous record, in PREVIOUS_LAYOUT. Call it after all rows are taken. False: no source has its SKU any more. */
  takePrevious(row_no: number, sku: Buffer, known: Buffer): boolean {
    const key = escaped(sku)
    const record = this.skus.find(key, 0, key.length)
    if (record < 0) return false
    this.#spill.add({ record, source: this.#previous, row_no }, known, 0, known.length)
    return true
  }

  #lastSourceOf(number: number): number {
    if (number >= this.#lastSource.length) {
      const larger = new Uint16Array(2 * this.#lastSource.length)
      larger.set(this.#lastSource)
      this.#lastSource = larger
    }
    return this.#lastSource[number] ?? 0
  }
}

const SPACE = 0x20
const QUOTE = 0x22
const BACKSLASH = 0x5c
const LAST_OF_ASCII = 0x7e

/** The bytes under which the index has a stored SKU: in the form in which SKUs are compared, as a JSON text without its quotes. */
function escaped(sku: Buffer): Buffer {
  for (const byte of sku)
    if (byte < SPACE || byte === QUOTE || byte === BACKSLASH || byte > LAST_OF_ASCII)
      return skuBytes(plainSku(sku.toString()))
  return sku
}
