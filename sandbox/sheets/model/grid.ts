import { type Content, Formula } from './content.ts'

/**
 * One grid row. `cells` and `formats` (numbers of a FormatTable) are trimmed at the end. Only the draft that owns a row changes it.
 */
export class Row {
  cells: Content[]
  formats: number[] | null
  owner: object

  constructor(cells: Content[], formats: number[] | null, owner: object) {
    this.cells = cells
    this.formats = formats
    this.owner = owner
  }
}

/** Read access to a grid, committed or draft. */
export interface GridView {
  readonly rowCount: number
  readonly columnCount: number
  readonly rows: readonly (Row | undefined)[]
  /** False only if no cell has a formula. */
  readonly hasFormulas: boolean
  content(row: number, column: number): Content
  format(row: number, column: number): number
}

/**
 * Cells of one sheet, numbered from 0. Changed only through `draft()`, which shares all rows and copies a row on its first write
 * (copy-on-write). Committed grids are therefore immutable.
 */
export class Grid implements GridView {
  readonly rowCount: number
  readonly columnCount: number
  readonly rows: readonly (Row | undefined)[]
  readonly hasFormulas: boolean

  constructor(
    rowCount: number,
    columnCount: number,
    rows: readonly (Row | undefined)[] = [],
    hasFormulas = false,
  ) {
    this.rowCount = rowCount
    this.columnCount = columnCount
    this.rows = rows
    this.hasFormulas = hasFormulas
  }

  content(row: number, column: number): Content {
    return this.rows[row]?.cells[column] ?? null
  }

  format(row: number, column: number): number {
    return this.rows[row]?.formats?.[column] ?? 0
  }
}

/** Owner of rows that share their cell arrays. A change copies the row first. */
const shared = {}

/** Mutable grid during a request. The caller must not write beyond `rowCount` and `columnCount`. */
export class GridDraft implements GridView {
  rowCount: number
  columnCount: number
  hasFormulas: boolean
  readonly #owner = {}
  readonly #base: readonly (Row | undefined)[]
  #owned: (Row | undefined)[] | null = null
  /** Cache of the last changed row, because changes arrive row by row. */
  #latest: { index: number; row: Row } | null = null

  constructor(base: Grid) {
    this.rowCount = base.rowCount
    this.columnCount = base.columnCount
    this.hasFormulas = base.hasFormulas
    this.#base = base.rows
  }

  get rows(): readonly (Row | undefined)[] {
    return this.#owned ?? this.#base
  }

  commit(): Grid {
    return new Grid(this.rowCount, this.columnCount, this.rows, this.hasFormulas)
  }

  content(row: number, column: number): Content {
    return this.rows[row]?.cells[column] ?? null
  }

  format(row: number, column: number): number {
    return this.rows[row]?.formats?.[column] ?? 0
  }

  put(row: number, column: number, content: Content): void {
    if (content === null && this.content(row, column) === null) return
    if (content instanceof Formula) this.hasFormulas = true
    const { cells } = this.#row(row)
    while (cells.length < column) cells.push(null)
    cells[column] = content
    if (content === null) trim(cells, null)
  }

  /** Returns the cells of a row between two columns. Later writes do not change the array. */
  take(index: number, startColumn: number, endColumn: number): Content[] {
    const row = this.rows[index]
    if (!row) return []
    if (startColumn > 0 || row.cells.length > endColumn) return row.cells.slice(startColumn, endColumn)
    if (row.owner === this.#owner) row.owner = shared
    return row.cells
  }

  /** Writes cells side by side, padded with blanks to `width`. The array must not be changed afterwards. */
  putRow(index: number, column: number, contents: Content[], width = contents.length): void {
    const last = contents.findLastIndex((content) => content !== null)
    const found = this.rows[index]
    const length = found?.cells.length ?? 0
    if (last < 0 && length <= column) return
    this.hasFormulas ||= contents.some((content) => content instanceof Formula)
    if (column === 0 && length <= width) {
      const cells = last + 1 === contents.length ? contents : contents.slice(0, last + 1)
      this.#own(index + 1)[index] = new Row(cells, found?.formats ?? null, shared)
    } else {
      const { cells } = this.#row(index)
      while (cells.length < column) cells.push(null)
      for (let x = 0; x < width; x++) cells[column + x] = contents[x] ?? null
      trim(cells, null)
    }
  }

  putFormat(row: number, column: number, format: number): void {
    if (this.format(row, column) === format) return
    const target = this.#row(row)
    target.formats ??= []
    while (target.formats.length < column) target.formats.push(0)
    target.formats[column] = format
    if (format === 0) trim(target.formats, 0)
    if (target.formats.length === 0) target.formats = null
  }

  resize(rowCount: number, columnCount: number): void {
    if (rowCount < this.rows.length) this.#own().length = rowCount
    if (columnCount < this.columnCount) this.#eachRow((row) => cut(row, columnCount, this.columnCount))
    this.rowCount = rowCount
    this.columnCount = columnCount
  }

  insertRows(at: number, count: number): void {
    if (at < this.rows.length) {
      const { rows } = this
      this.#latest = null
      this.#owned = [...rows.slice(0, at), ...new Array<undefined>(count).fill(undefined), ...rows.slice(at)]
    }
    this.rowCount += count
  }

  deleteRows(start: number, end: number): void {
    if (start < this.rows.length) this.#own().splice(start, end - start)
    this.rowCount -= end - start
  }

  insertColumns(at: number, count: number): void {
    this.#eachRow((row) => {
      if (row.cells.length > at) row.cells.splice(at, 0, ...new Array<null>(count).fill(null))
      if (row.formats && row.formats.length > at)
        row.formats.splice(at, 0, ...new Array<number>(count).fill(0))
    })
    this.columnCount += count
  }

  deleteColumns(start: number, end: number): void {
    this.#eachRow((row) => cut(row, start, end))
    this.columnCount -= end - start
  }

  /** Moves rows before row `to`. */
  moveRows(start: number, end: number, to: number): void {
    const rows = this.#own(Math.max(end, to))
    const moved = rows.slice(start, end)
    const others = to > start ? [...rows.slice(0, start), ...rows.slice(end, to)] : rows.slice(0, to)
    const behind = to > start ? rows.slice(to) : [...rows.slice(to, start), ...rows.slice(end)]
    this.#owned = [...others, ...moved, ...behind]
    trim(this.#owned, undefined)
  }

  moveColumns(start: number, end: number, to: number): void {
    this.#eachRow((row) => {
      moveItems(row.cells, null, start, end, to)
      if (row.formats) moveItems(row.formats, 0, start, end, to)
    })
  }

  /** Takes ownership of the row list, with a minimum length. */
  #own(count = 0): (Row | undefined)[] {
    this.#latest = null
    this.#owned ??= this.#base.slice()
    while (this.#owned.length < count) this.#owned.push(undefined)
    return this.#owned
  }

  #row(index: number): Row {
    if (this.#latest?.index === index && this.#latest.row.owner === this.#owner) return this.#latest.row
    const row = this.#ownRow(index)
    this.#latest = { index, row }
    return row
  }

  #ownRow(index: number): Row {
    const rows = this.#own(index + 1)
    const found = rows[index]
    if (found?.owner === this.#owner) return found
    const copy = new Row(found?.cells.slice() ?? [], found?.formats?.slice() ?? null, this.#owner)
    rows[index] = copy
    return copy
  }

  #eachRow(change: (row: Row) => void): void {
    for (let index = 0; index < this.rows.length; index++) {
      if (this.rows[index]) change(this.#row(index))
    }
  }
}

function cut(row: Row, start: number, end: number): void {
  row.cells.splice(start, end - start)
  trim(row.cells, null)
  row.formats?.splice(start, end - start)
  if (row.formats) trim(row.formats, 0)
  if (row.formats?.length === 0) row.formats = null
}

function moveItems<T>(items: T[], blank: T, start: number, end: number, to: number): void {
  while (items.length < Math.max(end, to)) items.push(blank)
  const moved = items.splice(start, end - start)
  items.splice(to > start ? to - moved.length : to, 0, ...moved)
  trim(items, blank)
}

function trim<T>(items: T[], blank: T): void {
  let length = items.length
  while (length > 0 && items[length - 1] === blank) length--
  items.length = length
}
