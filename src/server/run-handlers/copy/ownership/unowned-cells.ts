import { createHash } from 'node:crypto'
import type { CellValue, Row } from '../../../../contract/tables.ts'
import { parseRow } from '../../../connectors/row-json.ts'
import type { Area } from './owned-areas.ts'
import { ValueSample } from './value-sample.ts'

/** A column with unowned cells: the header cell found in the target, and the one that the last run wrote. */
export type UnownedColumn = { column: number; found: CellValue; expected: CellValue }

/** Cells that a run would overwrite although its task does not own them. */
export type UnownedCells = {
  /** `extra_columns`: in columns that no run has written. `header_moved`: down, because rows were inserted above it. */
  kind: 'extra_columns' | 'columns_moved' | 'header_moved'
  columns: UnownedColumn[]
  cells: number
  /** Identifies exactly these cells, so that a user's approval applies to no others. */
  hash: string
}

/** The kinds as they are part of hashes. Stored approvals are such hashes, so these words must not change. */
const HASHED_KIND = {
  extra_columns: 'beside',
  columns_moved: 'moved',
  header_moved: 'lowered',
} as const satisfies Record<UnownedCells['kind'], string>

type Wanted = {
  /** Areas owned from the last successful run and the attempts since; empty: none. */
  areas: readonly Area[]
  /** The header row, counted from 1. */
  start_row: number
  /** Columns that the run writes. */
  columns: number
}

/** A column whose header cell no run of this task wrote. */
type Mismatch = { found: CellValue; cells: Cells; below: number; values: ValueSample }

/** Finds unowned cells while the target is read. Rows count from the header row. */
export class UnownedCellsFinder {
  readonly #wanted: Wanted
  readonly #headers: Row[]
  /** Filled cells outside the owned areas, by column. */
  readonly #extra = new Map<number, Cells>()
  readonly #mismatches = new Map<number, Mismatch>()
  #header: Row = []
  /** Whether a header row that this task wrote was found further down. */
  #isHeaderMoved = false

  constructor(wanted: Wanted) {
    this.#wanted = wanted
    this.#headers = wanted.areas
      .filter(({ start_row }) => start_row === wanted.start_row)
      .map(({ header }) => header)
  }

  /** Checks the next row of the target, given as JSON. */
  add(row: number, json: Uint8Array): void {
    const owned = this.#ownedColumns(row)
    if (row > 0 && owned >= this.#wanted.columns && this.#mismatches.size === 0) return
    const cells = parseRow(Buffer.from(json.buffer, json.byteOffset, json.byteLength).toString('utf8'))
    if (row === 0) this.#begin(cells, owned)
    for (let column = owned; column < Math.min(cells.length, this.#wanted.columns); column += 1)
      this.#addExtra(row, column, cells[column] ?? null)
    for (const [column, mismatch] of this.#mismatches) {
      const cell = cells[column] ?? null
      mismatch.cells.add(row, column, cell)
      if (row === 0 || cell === null) continue
      mismatch.below += 1
      mismatch.values.add(cell)
    }
    if (row > 0 && this.#mismatches.size > 0)
      this.#isHeaderMoved ||= this.#headers.some((ours) => isSame(ours, cells))
  }

  /** Returns the finding. `former`: the data rows that the target may contain, read only if the header has changed. */
  async finding(former: () => AsyncIterable<Row[]>): Promise<UnownedCells | null> {
    const moved = this.#mismatches.size > 0 ? await this.#judge(former()) : null
    if (moved) return moved
    return this.#extra.size > 0 ? this.#conflict('extra_columns', this.#extra) : null
  }

  #begin(header: Row, owned: number): void {
    this.#header = header
    if (this.#headers.every((ours) => ours.length === 0)) return
    for (let column = 0; column < owned; column += 1) {
      const found = header[column] ?? null
      if (this.#headers.some((ours) => (ours[column] ?? null) === found)) continue
      this.#mismatches.set(column, { found, cells: new Cells(), below: 0, values: new ValueSample() })
    }
  }

  /** A changed header cell may be overwritten if most cells below it are unchanged; otherwise the column was moved. */
  async #judge(former: AsyncIterable<Row[]>): Promise<UnownedCells | null> {
    const tallies = new Map(
      [...this.#mismatches.keys()].map((column) => [column, { filled: 0, kept: 0, ours: false }]),
    )
    for await (const rows of former) {
      for (const row of rows) {
        for (const [column, tally] of tallies) {
          const cell = row[column] ?? null
          if (cell === null || cell === '') continue
          const mismatch = this.#mismatches.get(column)
          if (cell === mismatch?.found) tally.ours = true
          const kept = mismatch?.values.take(cell) ?? null
          if (kept === null) continue
          tally.filled += 1
          if (kept) tally.kept += 1
        }
      }
    }
    const moved = new Map<number, Cells>()
    const above = new Map<number, Cells>()
    for (const [column, { found, cells, below }] of this.#mismatches) {
      const { filled, kept, ours } = tallies.get(column) ?? { filled: 0, kept: 0, ours: false }
      if (filled === 0 ? below > 0 : kept * 2 <= filled) moved.set(column, cells)
      else if (this.#isHeaderMoved && found !== null && !ours) {
        const cell = new Cells()
        cell.add(0, column, found)
        above.set(column, cell)
      }
    }
    // If an owned header row was found unchanged further down, rows were inserted and no column was moved.
    const hasText = [...this.#mismatches.values()].some(({ found }) => found !== null)
    if (moved.size > 0 && !(this.#isHeaderMoved && hasText)) return this.#conflict('columns_moved', moved)
    const affected = new Map([...above, ...moved])
    return affected.size > 0 ? this.#conflict('header_moved', affected) : null
  }

  #addExtra(row: number, column: number, cell: CellValue): void {
    if (cell === null) return
    const cells = this.#extra.get(column) ?? new Cells()
    cells.add(row, column, cell)
    this.#extra.set(column, cells)
  }

  #ownedColumns(row: number): number {
    let owned = 0
    for (const { start_row, columns } of this.#wanted.areas)
      if (start_row <= this.#wanted.start_row + row) owned = Math.max(owned, columns)
    return owned
  }

  #conflict(kind: UnownedCells['kind'], found: Map<number, Cells>): UnownedCells {
    const hash = createHash('sha256').update(HASHED_KIND[kind])
    let cells = 0
    const columns = [...found].sort(([one], [other]) => one - other)
    for (const [, some] of columns) {
      hash.update(some.digest())
      cells += some.count
    }
    const expected = this.#headers[0] ?? []
    return {
      kind,
      columns: columns.map(([column]) => ({
        column,
        found: this.#header[column] ?? null,
        expected: expected[column] ?? null,
      })),
      cells,
      hash: hash.digest('hex'),
    }
  }
}

/** Number and hash of a set of filled cells. */
class Cells {
  readonly #hash = createHash('sha256')
  count = 0

  add(row: number, column: number, cell: CellValue): void {
    if (cell === null) return
    this.count += 1
    this.#hash.update(JSON.stringify([row, column, cell]))
  }

  digest(): string {
    return this.#hash.digest('hex')
  }
}

/** Whether a row of the target equals a header row that this task wrote and that is not empty. */
const isSame = (header: Row, cells: Row): boolean =>
  header.length > 0 && header.every((cell, column) => (cells[column] ?? null) === (cell === '' ? null : cell))
