import type { Row } from '../../../../contract/tables.ts'
import type { CellPlace } from '../../../connectors/connector.ts'

/** The target before a commit, what the commit was to make of each row, and the target after it. Rows count from 1. */
type Commit = {
  before: { length: number; row: (number: number) => Row }
  wanted: (number: number) => Row
  now: { length: number; row: (number: number) => Row }
  /** Whether a row of the target before the commit is none of the task's. */
  isOthers: (row: number) => boolean
  /** Columns that the commit wrote in each row that it changed; null: only cells that differ. */
  staged: readonly number[] | null
  /** Columns of the task. */
  own: readonly number[]
}

/**
 * Rows of other people as they were, by where they stand now: their cells, and their number before (0: none). `cells`: those that the commit
 * wrote over.
 */
export type PutBack = { rows: Map<number, { cells: Row; before: number }>; cells: CellPlace[] }

/**
 * Finds the cells of other people's rows that a commit wrote over because a person sorted the target right before it. A row is recognised
 * by its cells in the columns that the commit did not write; if two rows are equal there, neither is changed. If a person emptied a row of
 * the task right before the commit, the row no longer belongs to the task: the values that the commit wrote into it are removed.
 */
export function rowsToPutBack({ before, wanted, now, isOthers, staged, own }: Commit): PutBack {
  const found: PutBack = { rows: new Map(), cells: [] }
  const indexes = new Map<string, Map<string, number>>()
  for (let number = 1; number <= Math.min(before.length, now.length); number += 1) {
    const former = before.row(number)
    const differing = differingColumns(former, wanted(number))
    if (differing.length === 0) continue
    const written = staged ?? differing
    const present = now.row(number)
    if (signature(present, written) === signature(former, written)) continue
    const places = written.join(' ')
    const index = indexes.get(places) ?? indexOf(before, written)
    indexes.set(places, index)
    const known = index.get(signature(present, written))
    const kept = own.filter((column) => !written.includes(column))
    const isFilled = (row: Row) => kept.some((column) => (row[column] ?? null) !== null)
    // No row looked like this one before, so it was not moved here.
    if (known === undefined && isFilled(former) && !isFilled(present)) {
      const stray = written.filter((column) => (present[column] ?? null) !== null)
      const cells = present.map((cell, column) => (stray.includes(column) ? null : cell))
      if (stray.length > 0) found.rows.set(number, { cells, before: 0 })
      found.cells.push(...stray.map((column) => ({ row: number, column })))
      continue
    }
    const from = known ?? 0
    if (from <= 0 || !isOthers(from)) continue
    const original = before.row(from)
    const lost = written.filter((column) => (original[column] ?? null) !== (present[column] ?? null))
    if (lost.length === 0) continue
    found.rows.set(number, { cells: original, before: from })
    found.cells.push(...lost.map((column) => ({ row: number, column })))
  }
  return found
}

/** Rows by their cells outside some columns; 0: several have the same. */
function indexOf(table: Commit['before'], columns: readonly number[]): Map<string, number> {
  const index = new Map<string, number>()
  for (let number = 1; number <= table.length; number += 1) {
    const key = signature(table.row(number), columns)
    index.set(key, index.has(key) ? 0 : number)
  }
  return index
}

function signature(row: Row, without: readonly number[]): string {
  const cells = row.map((cell, column) => (without.includes(column) ? null : cell))
  return JSON.stringify(cells.slice(0, cells.findLastIndex((cell) => cell !== null) + 1))
}

function differingColumns(one: Row, other: Row): number[] {
  const columns: number[] = []
  for (let column = 0; column < Math.max(one.length, other.length); column += 1)
    if ((one[column] ?? null) !== (other[column] ?? null)) columns.push(column)
  return columns
}
