import { isBlankValue } from '../../../../contract/field-checks/field-rules.ts'
import type { CellValue } from '../../../../contract/tables.ts'
import { SkuIndex } from '../storage/sku-index.ts'

const FIRST_VALUES = 4096
/** Bytes that a UTF-16 unit takes in UTF-8. */
const MAX_UTF8_BYTES = 3

/** Finds records that have the same value in a field. Keeps each different value once, as bytes. */
export class RepeatedValues {
  readonly #index = new SkuIndex(FIRST_VALUES)
  /** For each value the row of the first record with it; negative: the value is known to be repeated. */
  #first = new Int32Array(FIRST_VALUES)
  /** Of one value at a time: a buffer for each would be most of the cost. */
  #bytes = Buffer.allocUnsafe(1024)

  /** Adds the value of a record. Returns the rows that are now known to have a repeated value. Blank values are never repeated. */
  add(value: CellValue, row_no: number): number[] {
    if (isBlankValue(value)) return []
    const text = String(value)
    if (text.length * MAX_UTF8_BYTES > this.#bytes.length)
      this.#bytes = Buffer.allocUnsafe(2 * text.length * MAX_UTF8_BYTES)
    const known = this.#index.size
    const number = this.#index.add(this.#bytes, 0, this.#bytes.write(text))
    if (number === known) {
      if (number === this.#first.length) {
        const larger = new Int32Array(2 * number)
        larger.set(this.#first)
        this.#first = larger
      }
      this.#first[number] = row_no
      return []
    }
    const first = this.#first[number] ?? 0
    if (first < 0) return [row_no]
    this.#first[number] = -first
    return [first, row_no]
  }
}
