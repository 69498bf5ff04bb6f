import type { Row } from '../../../../contract/tables.ts'
import type { Db } from '../../../platform/db.ts'
import { headerNames } from '../../../snapshots/column-names.ts'
import { plainSku } from '../../../snapshots/sku.ts'
import { type StoredSnapshot, snapshotRows, textsOfRows } from '../../../snapshots/snapshot.ts'

/** The rows that a task wrote last, found by the SKU of a compiled record, in the columns of the copy. */
export class LastRows {
  readonly #db: Db
  readonly #last: StoredSnapshot | null
  /** Row numbers by SKU; null: not read yet. */
  #numbers: Map<string, number> | null = null
  readonly #rows = new Map<string, Row>()
  /** Column of the last header for each column of the copy; -1: it had none. */
  #columns: readonly number[] = []

  /** `last`: the snapshot of the last successful run; null: there was none. */
  constructor(db: Db, last: StoredSnapshot | null) {
    this.#db = db
    this.#last = last
  }

  /** Reads the rows of these SKUs, so that `get` finds them. `header`: that of the copy; `sku_column`: where it has the SKU. */
  async load(skus: readonly string[], header: Row, sku_column: number): Promise<void> {
    if (this.#last === null || skus.length === 0) return
    this.#numbers ??= await this.#index(this.#last, header, sku_column)
    const found = skus.flatMap((sku) => {
      const number = this.#numbers?.get(sku)
      return number === undefined || this.#rows.has(sku) ? [] : [{ sku, number }]
    })
    const texts = await textsOfRows(
      this.#db,
      this.#last.id,
      found.map(({ number }) => number),
    )
    for (const { sku, number } of found) {
      const text = texts.get(number)
      if (text === undefined) continue
      const row = JSON.parse(text) as Row
      const cells = this.#columns.map((column) => (column < 0 ? null : (row[column] ?? null)))
      this.#rows.set(sku, cells.slice(0, cells.findLastIndex((cell) => cell !== null) + 1))
    }
  }

  /** The row of an SKU, once; undefined: it was not written, or not loaded. */
  take(sku: string): Row | undefined {
    const row = this.#rows.get(sku)
    this.#rows.delete(sku)
    return row
  }

  async #index(last: StoredSnapshot, header: Row, sku_column: number): Promise<Map<string, number>> {
    const names = headerNames(last.header)
    this.#columns = headerNames(header).map((name) => names.indexOf(name))
    const numbers = new Map<string, number>()
    const at = this.#columns[sku_column] ?? -1
    if (at < 0) return numbers
    let number = 0
    for await (const rows of snapshotRows(this.#db, last.id, 1, last.row_count + 1))
      for (const row of rows) {
        number += 1
        const sku = plainSku(String(row[at] ?? ''))
        if (sku !== '' && !numbers.has(sku)) numbers.set(sku, number)
      }
    return numbers
  }
}
