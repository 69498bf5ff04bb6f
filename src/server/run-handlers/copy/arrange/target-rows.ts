import type { Row } from '../../../../contract/tables.ts'
import type { ReadableTarget } from '../../../connectors/connector.ts'
import { isBlankRow, parseRow, rowText } from '../../../connectors/row-json.ts'
import { plainRow } from '../../plain-row.ts'
import { RowBlocks } from '../read/row-blocks.ts'

/** More than any tab has. */
const ALL_COLUMNS = 100_000
const ROWS_PER_BATCH = 1_000

/**
 * The rows of a target as they were read once, kept in memory: rows are matched and compared with the same reading, because other people
 * may sort the target at any time.
 */
export class TargetRows {
  readonly #rows = new RowBlocks()
  #header: Row = []

  /** Reads all columns of the target. Throws OriginFailure. */
  static async read(target: ReadableTarget): Promise<TargetRows> {
    const rows = new TargetRows()
    for await (const batch of target.read(ALL_COLUMNS).batches) for (const json of batch) rows.#add(json)
    return rows
  }

  #add(json: Uint8Array): void {
    if (this.#rows.length === 0) this.#header = parse(json)
    this.#rows.add(json)
  }

  get header(): Row {
    return this.#header
  }

  /** Data rows down to the last one with a value in any column. */
  get length(): number {
    return Math.max(0, this.#rows.length - 1)
  }

  /** The cells of a data row, counted from 1. */
  row(number: number): Row {
    const json = this.#rows.at(number)
    return json === undefined || isBlankRow(json) ? [] : parse(json)
  }

  /** The rows as a comparison reads them: the first `columns` columns, without blank rows at the end. */
  async *take(columns: number): AsyncGenerator<Uint8Array[]> {
    const end = this.#filledRows(columns)
    for (let first = 0; first < end; first += ROWS_PER_BATCH) {
      const batch: Uint8Array[] = []
      for (let row = first; row < Math.min(end, first + ROWS_PER_BATCH); row += 1)
        batch.push(this.#within(row, columns))
      yield batch
    }
  }

  #filledRows(columns: number): number {
    let end = this.#rows.length
    while (end > 0 && isBlankRow(this.#within(end - 1, columns))) end -= 1
    return end
  }

  #within(row: number, columns: number): Uint8Array {
    const json = this.#rows.at(row) ?? Buffer.from('[]')
    // Most rows need not be parsed.
    const plain = plainRow(json)
    if (plain && plain.columns <= columns) return json
    const cells = parse(json)
    return cells.length <= columns ? json : Buffer.from(rowText(cut(cells, columns)))
  }
}

const parse = (json: Uint8Array): Row =>
  parseRow(Buffer.from(json.buffer, json.byteOffset, json.byteLength).toString())

/** The first cells of a row, without blank ones at the end. */
function cut(cells: Row, columns: number): Row {
  let length = Math.min(cells.length, columns)
  while (length > 0 && (cells[length - 1] ?? null) === null) length -= 1
  return cells.slice(0, length)
}
