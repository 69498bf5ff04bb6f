import type { Row } from '../../../../contract/tables.ts'
import type { ReadableTarget } from '../../../connectors/connector.ts'
import { BLANK_ROW, isBlankRow, parseRow, parseRowBytes, rowText } from '../../../connectors/row-json.ts'
import type { Db } from '../../../platform/db.ts'
import { type StoredSnapshot, snapshotTexts } from '../../../snapshots/snapshot.ts'
import { plainRow } from '../../plain-row.ts'
import { placeOfCells } from '../compare/row-differences.ts'
import { RowBlocks } from '../read/row-blocks.ts'
import { type Beside, readBeside } from './beside-rows.ts'

/** More than any tab has. */
const ALL_COLUMNS = 100_000
const ROWS_PER_BATCH = 1_000

/**
 * The rows of a target as they were read once, kept in memory: rows are matched and compared with the same reading, because other people
 * may sort the target at any time.
 */
export class TargetRows {
  readonly #rows = new RowBlocks()
  /** Number of columns of each row; -1: the row is not plain and has to be parsed. */
  readonly #columns: number[] = []
  #header: Row = []
  /** The number of columns that are known. */
  width = ALL_COLUMNS
  /** Hashes of the cells to the right of the known columns, from the column `from` on; null: unknown, or all columns are known. */
  beside: { from: number; hashOf: (row: number) => number | null } | null = null

  /** Reads all columns of the target. Throws OriginFailure. */
  static async read(target: ReadableTarget): Promise<TargetRows> {
    const rows = new TargetRows()
    for await (const batch of target.read(ALL_COLUMNS).batches) for (const json of batch) rows.#add(json)
    return rows
  }

  /** The stored rows of a target, up to the last column of its header, and the hashes of the cells to the right of them. */
  static async stored(
    db: Db,
    { id, header, row_count }: StoredSnapshot,
    beside: Beside | null = null,
  ): Promise<TargetRows> {
    const rows = new TargetRows()
    rows.width = header.length
    rows.beside = beside && { from: beside.from, hashOf: readBeside(beside) }
    rows.#add(Buffer.from(rowText(header)))
    for await (const texts of snapshotTexts(db, id, 1, row_count + 1))
      for (const text of texts) rows.#add(Buffer.from(text))
    return rows
  }

  /** These rows, some data rows with other cells. */
  with(changed: ReadonlyMap<number, Row>): TargetRows {
    if (changed.size === 0) return this
    const rows = new TargetRows()
    for (let number = 0; number <= lastRow(this.length, changed.keys()); number += 1) {
      const cells = changed.get(number)
      rows.#add(cells ? Buffer.from(rowText(cells)) : this.#bytes(number))
    }
    return rows
  }

  #add(json: Uint8Array): void {
    if (this.#rows.length === 0) this.#header = parseRowBytes(json)
    this.#rows.add(json)
    this.#columns.push(plainRow(json)?.columns ?? -1)
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
    return parseRowBytes(this.#bytes(number))
  }

  /** The first `columns` cells of a data row, or all of them. The others are not parsed if the row is plain. */
  firstCells(number: number, columns: number): Row {
    const json = this.#bytes(number)
    return this.#columnsOf(number) < 0 ? parseRowBytes(json) : firstCells(json, columns)
  }

  /** The first `columns` cells of a data row as a copy stores them. */
  json(number: number, columns: number): Uint8Array {
    const json = this.#bytes(number)
    const isStorable = this.#columnsOf(number) >= 0 && this.#columnsOf(number) <= columns
    return isStorable ? json : Buffer.from(rowText(cut(parseRowBytes(json), columns)))
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

  #bytes(row: number): Uint8Array {
    return this.#rows.at(row) ?? BLANK_ROW
  }

  #columnsOf(row: number): number {
    return this.#columns[row] ?? 0
  }

  #filledRows(columns: number): number {
    let end = this.#rows.length
    while (end > 0 && isBlankRow(this.#within(end - 1, columns))) end -= 1
    return end
  }

  #within(row: number, columns: number): Uint8Array {
    const json = this.#bytes(row)
    const known = this.#columnsOf(row)
    if (known >= 0 && known <= columns) return json
    const cells = parseRowBytes(json)
    return cells.length <= columns ? json : Buffer.from(rowText(cut(cells, columns)))
  }
}

/** The largest of row numbers, which may be too many to be arguments of a function. */
export function lastRow(least: number, rows: Iterable<number>): number {
  let largest = least
  for (const row of rows) largest = Math.max(largest, row)
  return largest
}

/** The first `columns` cells of a plain row, or all of them. */
export function firstCells(json: Uint8Array, columns: number): Row {
  const place = placeOfCells(json, 0, columns)
  if (!place) return parseRowBytes(json)
  const cells = Buffer.from(json.buffer, json.byteOffset + place.start, place.end - place.start)
  return parseRow(`[${cells.toString()}]`)
}

/** The first cells of a row, without blank ones at the end. */
function cut(cells: Row, columns: number): Row {
  let length = Math.min(cells.length, columns)
  while (length > 0 && (cells[length - 1] ?? null) === null) length -= 1
  return cells.slice(0, length)
}
