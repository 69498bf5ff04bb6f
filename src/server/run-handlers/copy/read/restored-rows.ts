import type { CellValue, Row } from '../../../../contract/tables.ts'
import type { CellPlace } from '../../../connectors/connector.ts'

/** A table by its rows, which count from 1; row 0 is the header row. */
export type Table = { length: number; row: (number: number) => Row }

/** Index of a column of the task in the version, in the rows written last, and in the target now; -1: missing. */
export type ColumnPlaces = { version: number; written: number; now: number }

/** The version that is restored, the rows that a run wrote last, and the target now. */
type Three = { version: Table; written: Table; now: Table }

export type Restore = Three & {
  columns: readonly ColumnPlaces[]
  /** Whether rows are known by their place, because the task replaces the rows of its columns. */
  isByPlace: boolean
  /** The columns of the key, some of `columns`; empty: rows are known by all cells of the task. */
  keys: readonly ColumnPlaces[]
  /** The key of a row; null: it has none. */
  keyOf: (side: keyof Three, row: Row) => string | null
  /** Keys of rows that runs have changed, added or cleared since the version, and how often they added each. */
  changes: ReadonlyMap<string, number>
  /** Keys of other rows of the task, which runs have not changed since: where they differ, they were edited. */
  unchanged: ReadonlySet<string>
  /** Whether cells that were edited since keep their values. */
  keepsEdits: boolean
}

/**
 * Rows of the target with restored cells. `changed`: cells by row number; rows behind the last one are new. `whole`: rows of which the key
 * changes, too. `kept`: edited cells that keep another value than the version's. `deleted`: rows of the version that stay deleted.
 */
export type Restored = {
  changed: Map<number, Row>
  whole: Set<number>
  /** The row of the version whose cells a row gets. */
  from: Map<number, number>
  kept: CellPlace[]
  deleted: number[]
}

/**
 * Restores the task's cells in a target whose rows are matched by key. Rows do not move, so notes beside a row stay beside it.
 * A row that runs have changed since the version gets the cells that it had, wherever it is now; one that they have added is cleared; one that
 * they have cleared comes back in its place, or below all others if that is taken. Everything else stays.
 */
export function restoredRows(restore: Restore): Restored {
  const found: Restored = { changed: new Map(), whole: new Set(), from: new Map(), kept: [], deleted: [] }
  const editor = new RowEditor(restore, found)
  editor.restoreCells(0, { version: 0, written: 0 })
  if (restore.isByPlace) {
    for (let row = 1; row <= Math.max(restore.version.length, restore.written.length); row += 1)
      editor.restoreCells(row, { version: row, written: row })
  } else if (restore.keys.length > 0) restoreByKey(restore, editor)
  else restoreByCount(restore, editor)
  return found
}

/** Rows with a repeated key are left alone: runs never write them. */
function restoreByKey(restore: Restore, editor: RowEditor): void {
  const { version, written, now } = placesByKey(restore)
  for (const [key, [row = 0, ...others]] of now) {
    const [[from = 0, ...versions], [last = 0, ...known]] = [version.get(key) ?? [], written.get(key) ?? []]
    if (others.length + versions.length + known.length > 0) continue
    const isChanged = restore.changes.has(key)
    if (from > 0) editor.restoreCells(row, { version: from, written: isChanged ? last : 0 })
    else if (isChanged && last > 0) editor.clear(row, last)
  }
  for (const [key, [from = 0, ...others]] of version) {
    if (others.length > 0 || now.has(key)) continue
    if (written.has(key)) editor.leaveDeleted(from)
    else if (restore.changes.has(key)) editor.bringBack(from)
  }
}

/** Without a key, equal rows are as good as each other: as many are cleared as were added, and as many come back as were cleared. */
function restoreByCount(restore: Restore, editor: RowEditor): void {
  const { version, written, now } = placesByKey(restore)
  for (const [key, timesAdded] of restore.changes) {
    const [versions, known, rows] = [version.get(key) ?? [], written.get(key) ?? [], now.get(key) ?? []]
    const added = Math.max(0, Math.min(known.length - versions.length, timesAdded, rows.length))
    const cleared = Math.max(0, Math.min(versions.length - rows.length, -timesAdded))
    for (const row of rows.slice(rows.length - added)) editor.clear(row, known[0] ?? 0)
    for (const row of editor.clearedFirst(versions).slice(0, cleared)) editor.bringBack(row)
  }
}

/** The rows of the task in the three tables, by their keys. */
function placesByKey({ keyOf, changes, unchanged, ...tables }: Restore) {
  const rowsOf = (side: keyof Three) => {
    const rows = new Map<string, number[]>()
    for (let number = 1; number <= tables[side].length; number += 1) {
      const key = keyOf(side, tables[side].row(number))
      if (key === null || !(changes.has(key) || unchanged.has(key))) continue
      const known = rows.get(key)
      if (known) known.push(number)
      else rows.set(key, [number])
    }
    return rows
  }
  return { version: rowsOf('version'), written: rowsOf('written'), now: rowsOf('now') }
}

/** Changes rows of the target. */
class RowEditor {
  readonly #restore: Restore
  readonly #found: Restored
  #end: number

  constructor(restore: Restore, found: Restored) {
    this.#restore = restore
    this.#found = found
    this.#end = restore.now.length
  }

  /** Gives a row its cells of the version, apart from its key. */
  restoreCells(row: number, from: { version: number; written: number }): void {
    const { version, written, now, keys, keepsEdits } = this.#restore
    const [held, former, last] = [now.row(row), version.row(from.version), written.row(from.written)]
    const isKnown = row === 0 || from.written > 0
    const restored: { column: number; cell: CellValue }[] = []
    for (const places of this.#restore.columns) {
      if (places.now < 0 || (row > 0 && keys.includes(places))) continue
      const [present, cell] = [at(held, places.now), at(former, places.version)]
      if (present === cell) continue
      if (keepsEdits && !(isKnown && present === at(last, places.written)))
        this.#found.kept.push({ row, column: places.now })
      else restored.push({ column: places.now, cell })
    }
    if (restored.length === 0) return
    this.#found.from.set(row, from.version)
    this.#put(row, held, restored)
  }

  /** Removes the cells of the task from a row that it has added, unless some of them were edited. */
  clear(row: number, last: number): void {
    const { written, now, keepsEdits } = this.#restore
    const [held, cells] = [now.row(row), written.row(last)]
    const columns = this.#restore.columns.filter((places) => places.now >= 0)
    const edited = columns.filter((places) => at(held, places.now) !== at(cells, places.written))
    if (keepsEdits && edited.length > 0) {
      this.#found.kept.push(...edited.map((places) => ({ row, column: places.now })))
      return
    }
    this.#found.whole.add(row)
    this.#put(
      row,
      held,
      columns.map((places) => ({ column: places.now, cell: null })),
    )
  }

  /** Counts a row of the version that others have deleted. */
  leaveDeleted(row: number): void {
    this.#found.deleted.push(row)
  }

  /** Rows of the version, those first whose places are as a run has cleared them. */
  clearedFirst(rows: readonly number[]): number[] {
    return [
      ...rows.filter((row) => this.#isClearedPlace(row)),
      ...rows.filter((row) => !this.#isClearedPlace(row)),
    ]
  }

  /** Brings a row back that a run has cleared. */
  bringBack(from: number): void {
    const { version, now } = this.#restore
    const isInPlace = this.#isClearedPlace(from)
    if (!isInPlace) this.#end += 1
    const row = isInPlace ? from : this.#end
    const former = version.row(from)
    const cells = this.#restore.columns.flatMap((places) =>
      places.now < 0 ? [] : { column: places.now, cell: at(former, places.version) },
    )
    this.#found.whole.add(row)
    this.#found.from.set(row, from)
    this.#put(row, now.row(row), cells)
  }

  /** Whether the row of the target has no cell of the task, as it was written last, and the same cells of others as that. */
  #isClearedPlace(row: number): boolean {
    const { written, now, columns } = this.#restore
    if (row > now.length || this.#found.changed.has(row)) return false
    const [held, last] = [now.row(row), written.row(row)]
    const own = new Set(columns.map((places) => places.now))
    const isBlank = columns.every(
      (places) => at(held, places.now) === null && at(last, places.written) === null,
    )
    return isBlank && last.every((cell, column) => own.has(column) || cell === at(held, column))
  }

  #put(row: number, held: Row, cells: readonly { column: number; cell: CellValue }[]): void {
    const changed = [...held]
    for (const { column, cell } of cells) {
      while (changed.length <= column) changed.push(null)
      changed[column] = cell
    }
    this.#found.changed.set(row, changed)
  }
}

const at = (row: Row, column: number): CellValue => row[column] ?? null
