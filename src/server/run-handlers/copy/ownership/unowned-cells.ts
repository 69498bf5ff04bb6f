import { createHash } from 'node:crypto'
import type { CellValue, Row } from '../../../../contract/tables.ts'
import { parseRow } from '../../../connectors/row-json.ts'
import type { Area } from './owned-areas.ts'
import { ValueSample } from './value-sample.ts'

/** A column with cells of somebody else's: what stands in the header row, and what a run had left there. */
export type ForeignColumn = { column: number; found: CellValue; expected: CellValue }

/** Cells that a run would write over although they are not its task's. */
export type UnownedCells = {
  /** `beside`: in cells that no run has written yet. `moved`: the columns are not where they were. `lowered`: the header row is not. */
  kind: 'beside' | 'moved' | 'lowered'
  columns: ForeignColumn[]
  cells: number
  /** Of exactly these cells: a person's yes is to them, and to no others. */
  hash: string
}

type Wanted = {
  /** What the task owns, of its last run and of attempts since; none: it owns nothing yet. */
  areas: readonly Area[]
  /** The header row, counted from 1. */
  start_row: number
  /** Columns that the run writes. */
  columns: number
}

/** A column whose header nobody of ours wrote. */
type Mismatch = { found: CellValue; cells: Cells; below: number; values: ValueSample }

/** Looks, while the target is read, for cells of somebody else's. Rows count from the header row. */
export class UnownedCellsFinder {
  readonly #wanted: Wanted
  readonly #headers: Row[]
  /** Columns with cells beside what is owned. */
  readonly #beside = new Map<number, Cells>()
  readonly #mismatches = new Map<number, Mismatch>()
  #header: Row = []
  /** Whether one of our header rows stands further down. */
  #lowered = false

  constructor(wanted: Wanted) {
    this.#wanted = wanted
    this.#headers = wanted.areas
      .filter(({ start_row }) => start_row === wanted.start_row)
      .map(({ header }) => header)
  }

  /** Takes the next row of the target, as JSON. */
  add(row: number, json: Uint8Array): void {
    const owned = this.#ownedColumns(row)
    if (row > 0 && owned >= this.#wanted.columns && this.#mismatches.size === 0) return
    const cells = parseRow(Buffer.from(json.buffer, json.byteOffset, json.byteLength).toString('utf8'))
    if (row === 0) this.#begin(cells, owned)
    for (let column = owned; column < Math.min(cells.length, this.#wanted.columns); column += 1)
      this.#addBeside(row, column, cells[column] ?? null)
    for (const [column, suspect] of this.#mismatches) {
      const cell = cells[column] ?? null
      suspect.cells.add(row, column, cell)
      if (row === 0 || cell === null) continue
      suspect.below += 1
      suspect.values.add(cell)
    }
    if (row > 0 && this.#mismatches.size > 0)
      this.#lowered ||= this.#headers.some((ours) => isSame(ours, cells))
  }

  /** What was found. `former`: the data rows that the last run left, read only where the header is not as it was. */
  async finding(former: () => AsyncIterable<Row[]>): Promise<UnownedCells | null> {
    const moved = this.#mismatches.size > 0 ? await this.#judge(former()) : null
    if (moved) return moved
    return this.#beside.size > 0 ? this.#foreign('beside', this.#beside) : null
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

  /** Another word over cells that are mostly as they were is ours to write over; other cells are not. */
  async #judge(former: AsyncIterable<Row[]>): Promise<UnownedCells | null> {
    const tallies = new Map(
      [...this.#mismatches.keys()].map((column) => [column, { filled: 0, kept: 0, ours: false }]),
    )
    for await (const rows of former) {
      for (const row of rows) {
        for (const [column, tally] of tallies) {
          const cell = row[column] ?? null
          if (cell === null || cell === '') continue
          const suspect = this.#mismatches.get(column)
          if (cell === suspect?.found) tally.ours = true
          const kept = suspect?.values.take(cell) ?? null
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
      else if (this.#lowered && found !== null && !ours) {
        const cell = new Cells()
        cell.add(0, column, found)
        above.set(column, cell)
      }
    }
    // Where a header row of ours stands further down as it was, no column was moved, whatever stands below it by now.
    const hasWord = [...this.#mismatches.values()].some(({ found }) => found !== null)
    if (moved.size > 0 && !(this.#lowered && hasWord)) return this.#foreign('moved', moved)
    const lowered = new Map([...above, ...moved])
    return lowered.size > 0 ? this.#foreign('lowered', lowered) : null
  }

  #addBeside(row: number, column: number, cell: CellValue): void {
    if (cell === null) return
    const cells = this.#beside.get(column) ?? new Cells()
    cells.add(row, column, cell)
    this.#beside.set(column, cells)
  }

  #ownedColumns(row: number): number {
    let owned = 0
    for (const { start_row, columns } of this.#wanted.areas)
      if (start_row <= this.#wanted.start_row + row) owned = Math.max(owned, columns)
    return owned
  }

  #foreign(kind: UnownedCells['kind'], found: Map<number, Cells>): UnownedCells {
    const hash = createHash('sha256').update(kind)
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

/** Filled cells, how many there are and which. */
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

/** Whether a row of the target is a header of ours, which has at least one word. */
const isSame = (header: Row, cells: Row): boolean =>
  header.length > 0 && header.every((cell, column) => (cells[column] ?? null) === (cell === '' ? null : cell))
