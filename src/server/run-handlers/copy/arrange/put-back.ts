import type { Row } from '../../../../contract/tables.ts'
import type { CellPlace, WrittenCells } from '../../../connectors/connector.ts'

/** The target before a commit, what the commit was to make of each row, and the target after it. Rows count from 1. */
type Commit = {
  before: Rows
  wanted: (number: number) => Row
  now: Rows
  /** Whether a row of the target before the commit is none of the task's. */
  isOthers: (row: number) => boolean
  /** The cells that the commit may write. */
  written: Pick<WrittenCells, 'columns' | 'keys' | 'isWhole'>
  /** Whether the commit wrote all those cells in each row that it changed; otherwise only cells that differ. */
  isStaged: boolean
}

type Rows = { length: number; row: (number: number) => Row }

/**
 * Rows as they were before the commit, by where they stand now: their cells, and their number before (0: none). `cells`: those of other
 * people that the commit wrote over.
 */
export type PutBack = { rows: Map<number, { cells: Row; before: number }>; cells: CellPlace[] }

/** A row that the commit wrote, or may have written if not `isSure`: its number, its cells now, and the columns written. */
type Place = { number: number; present: Row; columns: readonly number[]; isSure: boolean }

/**
 * Finds the rows that a commit wrote over because a person sorted the target right before it. Rows that the commit did not write are where
 * their cells are found unchanged; each of the others is looked for among the rows that it wrote, by its cells in the columns that were not
 * written. If several rows fit a place, they are equal there, so that any of them can be put back into it. If a person emptied a row of the
 * task right before the commit, the row no longer belongs to the task: the values that the commit wrote into it are removed.
 */
export function rowsToPutBack(commit: Commit): PutBack {
  const { before, isOthers } = commit
  const missing = new MissingRows(before)
  const moved = unlessUnmoved(placesOf(commit, missing), before, missing)
  const found: PutBack = { rows: new Map(), cells: [] }
  // The fewer cells were written, the more of a row can be compared.
  for (const place of moved.toSorted((one, other) => one.columns.length - other.columns.length)) {
    const { number, present, columns } = place
    const from = missing.find(place, isOthers)
    if (from === null) {
      const stray = strayColumns(place, before.row(number), commit.written.columns)
      const cells = present.map((cell, column) => (stray.includes(column) ? null : cell))
      if (stray.length > 0) found.rows.set(number, { cells, before: 0 })
      found.cells.push(...stray.map((column) => ({ row: number, column })))
      continue
    }
    const cells = before.row(from)
    const lost = columns.filter((column) => (cells[column] ?? null) !== (present[column] ?? null))
    if (lost.length === 0) continue
    found.rows.set(number, { cells, before: from })
    if (isOthers(from)) found.cells.push(...lost.map((column) => ({ row: number, column })))
  }
  found.cells.sort((one, other) => one.row - other.row || one.column - other.column)
  return found
}

/** The rows that the commit wrote. Takes all others from `missing`. */
function placesOf({ before, wanted, now, written, isStaged }: Commit, missing: MissingRows): Place[] {
  const places: Place[] = []
  for (let number = 1; number <= Math.max(before.length, now.length); number += 1) {
    const present = now.row(number)
    const target = wanted(number)
    const differing = differingColumns(before.row(number), target, written.columns)
    const whole = written.isWhole(number)
      ? written.columns
      : written.columns.filter((column) => !written.keys.includes(column))
    const columns = isStaged && differing.length > 0 ? whole : differing
    if (columns.length > 0 && differingColumns(present, target, columns).length === 0)
      places.push({ number, present, columns, isSure: true })
    else if (!missing.take(present) && isStaged)
      // Neighbouring rows may be written with the values that were read.
      places.push({ number, present, columns: whole, isSure: false })
  }
  return places
}

/** The places that do not hold the row that they held before. Takes the rows of the others from `missing`. */
const unlessUnmoved = (places: readonly Place[], before: Rows, missing: MissingRows): Place[] =>
  places.filter(({ number, present, columns }) => {
    const former = before.row(number)
    return signature(present, columns) !== signature(former, columns) || !missing.take(former)
  })

/** The rows before a commit that were not found after it. */
class MissingRows {
  readonly #before: Rows
  /** Rows by their cells. */
  readonly #rows = new Map<string, number[]>()
  /** Rows by their cells outside some columns, made when it is first needed. */
  readonly #indexes = new Map<string, Map<string, number[]>>()
  readonly #taken = new Set<number>()

  constructor(before: Rows) {
    this.#before = before
    for (let number = before.length; number >= 1; number -= 1) add(this.#rows, before.row(number), [], number)
  }

  /** Takes a row with these cells. False: there is none left; there is always a blank one. */
  take(row: Row): boolean {
    const text = signature(row, [])
    if (text === BLANK) return true
    const number = this.#rows.get(text)?.pop()
    if (number !== undefined) this.#taken.add(number)
    return number !== undefined
  }

  /** Takes a row that stands in a place of the commit, one of other people first. Null: there is none. */
  find({ present, columns }: Place, isOthers: (row: number) => boolean): number | null {
    const name = columns.join(' ')
    const index = this.#indexes.get(name) ?? this.#indexOf(columns)
    this.#indexes.set(name, index)
    const rows = (index.get(signature(present, columns)) ?? []).filter((row) => !this.#taken.has(row))
    const found = rows.find(isOthers) ?? rows[0]
    if (found === undefined) return null
    this.#taken.add(found)
    return found
  }

  #indexOf(columns: readonly number[]): Map<string, number[]> {
    const index = new Map<string, number[]>()
    for (const rows of this.#rows.values())
      for (const number of rows) add(index, this.#before.row(number), columns, number)
    return index
  }
}

/** Columns with values that the commit wrote into a row of the task that a person had emptied. */
function strayColumns({ present, columns, isSure }: Place, former: Row, own: readonly number[]): number[] {
  const kept = own.filter((column) => !columns.includes(column))
  const isFilled = (row: Row) => kept.some((column) => (row[column] ?? null) !== null)
  if (!isSure || !isFilled(former) || isFilled(present)) return []
  return columns.filter((column) => (present[column] ?? null) !== null)
}

const BLANK = '[]'

function add(index: Map<string, number[]>, row: Row, without: readonly number[], number: number): void {
  const text = signature(row, without)
  if (text === BLANK && without.length === 0) return
  const rows = index.get(text)
  if (rows) rows.push(number)
  else index.set(text, [number])
}

function signature(row: Row, without: readonly number[]): string {
  const cells = row.map((cell, column) => (without.includes(column) ? null : cell))
  return JSON.stringify(cells.slice(0, cells.findLastIndex((cell) => cell !== null) + 1))
}

const differingColumns = (one: Row, other: Row, columns: readonly number[]): number[] =>
  columns.filter((column) => (one[column] ?? null) !== (other[column] ?? null))
