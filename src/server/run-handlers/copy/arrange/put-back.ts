import type { CellValue, Row } from '../../../../contract/tables.ts'
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
  /** Rows before the commit in which it was to restore cells that an earlier commit of the run had overwritten. */
  restoring: ReadonlySet<number>
  /** Whether the commit wrote all those cells in each row that it changed; otherwise only cells that differ. */
  isStaged: boolean
}

type Rows = { length: number; row: (number: number) => Row }

/**
 * Rows as they were before the commit, by where they stand now: their cells, and their number before (0: none). `cells`: those of other
 * people that the commit wrote over.
 */
export type PutBack = { rows: Map<number, { cells: Row; before: number }>; cells: CellPlace[] }

/** A row after the commit, by its number, and the columns that the commit wrote. Its cells are read when needed: tables are large. */
type Place = { number: number; columns: readonly number[] }

/** Maximum number of missing rows that are compared with one place: if rows were cleared whole, thousands may fit equally well. */
const MAX_COMPARED = 50

/** A cell as it is compared. */
type Form = (cell: CellValue, column: number) => CellValue

/**
 * Finds the rows that a commit wrote over because a person sorted the target right before it. Rows that the commit did not write are where
 * their cells are found unchanged; each of the others is looked for among the rows that are missing then, by its cells in the columns that
 * were not written. If several rows fit a place, they are equal there, so that any of them can be put back into it. What is still missing
 * is looked for once more by which cells of other people are filled, since results of formulas may have changed. If a person emptied a row
 * of the task right before the commit, the row no longer belongs to the task: the values that the commit wrote into it are removed. Rows
 * that the commit was to restore get their wanted cells at their present place.
 */
export function rowsToPutBack(commit: Commit): PutBack {
  const { before, wanted, now, isOthers, written, restoring } = commit
  const found: PutBack = { rows: new Map(), cells: [] }
  const { places, others } = placesOf(commit)
  // The commit has not come to be: an earlier worker ended before it.
  if (places.length === 0 && restoring.size === 0) return found
  const missing = new MissingRows(before)
  const known = new Set<Place>()
  const unknown = (some: readonly Place[]) => some.filter((place) => !known.has(place))
  const putBack = ({ number, columns }: Place, from: number) => {
    const present = now.row(number)
    const isRestored = restoring.has(from)
    const former = isRestored ? wanted(from) : before.row(from)
    const lost = differingColumns(former, present, isRestored ? written.columns : columns)
    if (lost.length === 0) return
    found.rows.set(number, { cells: withCells(present, lost, former), before: from })
    if (isOthers(from)) found.cells.push(...lost.map((column) => ({ row: number, column })))
  }
  const forms: Form[] = [
    (cell) => cell,
    (cell, column) => (cell === null || written.columns.includes(column) ? cell : FILLED),
  ]
  for (const form of forms) {
    for (const place of unknown(others)) {
      const from = missing.take(now.row(place.number), form)
      if (from === null) continue
      known.add(place)
      if (restoring.has(from)) putBack(place, from)
    }
    // The fewer cells were written, the more of a row can be compared.
    const open = unknown([...places, ...others]).sort(
      (one, other) => one.columns.length - other.columns.length,
    )
    for (const alike of Map.groupBy(open, ({ columns }) => columns.length).values()) {
      for (const place of alike) {
        const from = isUnmoved(place, commit, form) ? missing.takeNumber(place.number, form) : null
        if (from === null) continue
        known.add(place)
        if (restoring.has(from)) putBack(place, from)
      }
      for (const place of unknown(alike)) {
        const from = missing.find(now.row(place.number), place.columns, { form, isOthers })
        if (from === null) continue
        known.add(place)
        putBack(place, from)
      }
    }
  }
  for (const { number, columns } of unknown(places)) {
    const present = now.row(number)
    const kept = written.columns.filter((column) => !columns.includes(column))
    const stray = strayColumns(present, columns, { former: before.row(number), kept })
    if (stray.length === 0) continue
    found.rows.set(number, { cells: withCells(present, stray, []), before: 0 })
    found.cells.push(...stray.map((column) => ({ row: number, column })))
  }
  // A row that an earlier commit had cleared whole cannot be recognised: it gets a blank place.
  for (const from of restoring) {
    if (missing.has(from) && isBlank(before.row(from)))
      putBack({ number: blankRow(from, now, found), columns: written.columns }, from)
  }
  found.cells.sort((one, other) => one.row - other.row || one.column - other.column)
  return found
}

/** The rows that the commit wrote, and the `others`, with the columns that it may have written there. */
function placesOf({ before, wanted, now, written, isStaged }: Commit) {
  const places: Place[] = []
  const others: Place[] = []
  for (let number = 1; number <= Math.max(before.length, now.length); number += 1) {
    const present = now.row(number)
    const target = wanted(number)
    const differing = differingColumns(before.row(number), target, written.columns)
    const whole = written.isWhole(number)
      ? written.columns
      : written.columns.filter((column) => !written.keys.includes(column))
    const columns = isStaged && differing.length > 0 ? whole : differing
    if (columns.length > 0 && differingColumns(present, target, columns).length === 0)
      places.push({ number, columns })
    // Staging may write rows between those that differ with the values that were read.
    else others.push({ number, columns: isStaged ? whole : [] })
  }
  return { places, others }
}

/** Whether the cells of a place that were not written are as before. */
const isUnmoved = ({ number, columns }: Place, { before, now }: Commit, form: Form): boolean =>
  signature(now.row(number), columns, form) === signature(before.row(number), columns, form)

/** The rows before a commit that were not found after it. */
class MissingRows {
  readonly #before: Rows
  readonly #taken = new Set<number>()
  /** Rows by their cells outside some columns, made when they are first needed. */
  readonly #indexes = new Map<Form, Map<string, Map<string, number[]>>>()

  constructor(before: Rows) {
    this.#before = before
  }

  /** Takes a row with these cells and returns its number; null: none is left. There is always a blank one, which is 0. */
  take(row: Row, form: Form): number | null {
    const text = signature(row, [], form)
    return text === BLANK ? 0 : this.#takeFirst(this.#rowsLike(text, [], form))
  }

  /** Takes the row of this number, or one with the same cells, and returns its number; null: none is left. */
  takeNumber(number: number, form: Form): number | null {
    if (this.#taken.has(number)) return this.take(this.#before.row(number), form)
    this.#taken.add(number)
    return number
  }

  /** Whether the row of this number was not found. */
  has(number: number): boolean {
    return !this.#taken.has(number)
  }

  /** Takes the missing row that is most similar to `present` outside the written columns; of equally similar rows, one of other people. */
  find(
    present: Row,
    columns: readonly number[],
    { form, isOthers }: { form: Form; isOthers: (row: number) => boolean },
  ): number | null {
    const rows = this.#rowsLike(signature(present, columns, form), columns, form)
    while (rows[0] !== undefined && this.#taken.has(rows[0])) rows.shift()
    const rank = (row: number) => {
      const former = this.#before.row(row)
      return present.filter((cell, column) => cell === former[column]).length * 2 + (isOthers(row) ? 1 : 0)
    }
    let best: { row: number; rank: number } | null = null
    let compared = 0
    for (const row of rows) {
      if (this.#taken.has(row)) continue
      const candidate = { row, rank: rank(row) }
      if (best === null || candidate.rank > best.rank) best = candidate
      compared += 1
      if (compared === MAX_COMPARED) break
    }
    if (best !== null) this.#taken.add(best.row)
    return best?.row ?? null
  }

  #takeFirst(rows: number[]): number | null {
    while (rows.length > 0) {
      const number = rows.shift() ?? 0
      if (this.#taken.has(number)) continue
      this.#taken.add(number)
      return number
    }
    return null
  }

  #rowsLike(text: string, columns: readonly number[], form: Form): number[] {
    const indexes = this.#indexes.get(form) ?? new Map<string, Map<string, number[]>>()
    this.#indexes.set(form, indexes)
    const name = columns.join(' ')
    const index = indexes.get(name) ?? this.#indexOf(columns, form)
    indexes.set(name, index)
    return index.get(text) ?? []
  }

  #indexOf(columns: readonly number[], form: Form): Map<string, number[]> {
    const index = new Map<string, number[]>()
    for (let number = 1; number <= this.#before.length; number += 1) {
      const row = this.#before.row(number)
      if (this.#taken.has(number) || isBlank(row)) continue
      const text = signature(row, columns, form)
      const rows = index.get(text)
      if (rows) rows.push(number)
      else index.set(text, [number])
    }
    return index
  }
}

/** Columns with values that the commit wrote into a row of the task that a person had emptied. */
function strayColumns(
  present: Row,
  columns: readonly number[],
  { former, kept }: { former: Row; kept: readonly number[] },
): number[] {
  const isFilled = (row: Row) => kept.some((column) => (row[column] ?? null) !== null)
  if (!isFilled(former) || isFilled(present)) return []
  return columns.filter((column) => (present[column] ?? null) !== null)
}

/** The first blank row from `from` on that holds nothing that is put back. */
function blankRow(from: number, now: Rows, { rows }: PutBack): number {
  let row = from
  while (rows.has(row) || !isBlank(now.row(row))) row += 1
  return row
}

const isBlank = (row: Row) => row.every((cell) => cell === null)

const BLANK = '[]'
const FILLED = 1

function signature(row: Row, without: readonly number[], form: Form): string {
  const cells = row.map((cell, column) => (without.includes(column) ? null : form(cell, column)))
  return JSON.stringify(cells.slice(0, cells.findLastIndex((cell) => cell !== null) + 1))
}

/** A row with the cells of another one in some columns. */
const withCells = (row: Row, columns: readonly number[], other: Row): Row =>
  Array.from({ length: Math.max(row.length, ...columns.map((column) => column + 1)) }, (_, column) =>
    columns.includes(column) ? (other[column] ?? null) : (row[column] ?? null),
  )

const differingColumns = (one: Row, other: Row, columns: readonly number[]): number[] =>
  columns.filter((column) => (one[column] ?? null) !== (other[column] ?? null))
