import type { ExtraColumn, RowSettings } from '../../../../contract/rows/row-settings.ts'
import type { CellValue, Row } from '../../../../contract/tables.ts'
import { findColumn, headerNames, plainName } from '../../../snapshots/column-names.ts'

/** Which columns of a source are copied. */
export type ColumnSettings = Pick<RowSettings, 'columns' | 'include_new_columns' | 'extra_columns'> & {
  /** Columns that are never copied, by header. */
  excluded_fields: readonly string[]
}

/** What columns hold that say where a row comes from: the name of the source, the number of its header row, and the time of the run. */
export type RowOrigin = { name: string; header_row: number; time: CellValue }

/** Chooses, renames and orders columns by the names of their headers, and adds columns that the source does not have. */
export class Projection {
  /** Columns of the source in the order of the copy; null: all of them as they are. */
  readonly #kept: number[] | null
  readonly #headerLength: number
  readonly #extra: readonly ExtraColumn[]
  /** Whether cells beyond the header row are copied. */
  readonly #keepsBeyond: boolean
  /** The header row of the copy. */
  readonly header: Row
  /** Header names of the columns that are excluded by name. */
  readonly excluded: string[]
  /** Columns that the settings do not choose. */
  readonly unchosen: string[]
  /** Columns that are missing in the source. */
  readonly missing: string[]

  constructor(header: Row, { columns, include_new_columns, extra_columns, excluded_fields }: ColumnSettings) {
    const fields = new Set(excluded_fields.map(plainName).filter((name) => name !== ''))
    const isExcluded = (column: number) => fields.has(plainName(String(header[column] ?? '')))
    const names = headerNames(header)
    const all = [...header.keys()].filter((column) => !isExcluded(column))
    const chosen = columns?.map((one) => ({ ...one, column: findColumn(names, one.source) }))
    const taken = new Set(chosen?.map(({ column }) => column))
    const others = chosen ? all.filter((column) => !taken.has(column)) : []
    const found = chosen?.flatMap(({ column, name }) =>
      column < 0 || isExcluded(column) ? [] : [{ column, name }],
    )
    const added = include_new_columns ? others : []
    const kept = found ? [...found.map(({ column }) => column), ...added] : all
    const isWhole = !found && kept.length === header.length
    this.#headerLength = header.length
    this.#kept = isWhole ? null : kept
    this.#extra = extra_columns
    this.#keepsBeyond = !found
    this.excluded = header.filter((_, column) => isExcluded(column)).map(String)
    this.unchosen = others.map((column) => names[column] ?? '')
    this.missing = (chosen ?? []).flatMap(({ column, source }) => (column < 0 ? source : []))
    const shown: Row = kept.map((column, index) => found?.[index]?.name ?? header[column] ?? null)
    this.header = [...shown, ...extra_columns.map(({ name }) => name)]
  }

  /** Whether rows are copied as they are. */
  get isWhole(): boolean {
    return this.#kept === null && this.#extra.length === 0
  }

  readonly isExcluded = (column: number): boolean => {
    if (this.#kept === null) return false
    return column < this.#headerLength ? !this.#kept.includes(column) : !this.#keepsBeyond
  }

  /** Maps a column of the copy to its column in the source; null for a column that the source does not have. */
  readonly sourceColumn = (column: number): number | null => {
    const kept = this.#kept?.length ?? this.#headerLength
    if (column < kept) return this.#kept?.[column] ?? column
    const beyond = column - kept - this.#extra.length
    return beyond < 0 ? null : beyond + this.#headerLength
  }

  /** Applies the projection to a list with one entry per column. */
  list<T>(entries: readonly T[], blank: T, extra: (column: ExtraColumn) => T = () => blank): T[] {
    const kept = this.#kept ?? [...Array(this.#headerLength).keys()]
    const within = kept.map((column) => entries[column] ?? blank)
    const beyond = this.#keepsBeyond ? entries.slice(this.#headerLength) : []
    return [...within, ...this.#extra.map(extra), ...beyond]
  }

  /** A data row of the copy, from that of the source and its number, counted from 1. A row without a value in the source is blank. */
  row(row: Row, number: number, origin: RowOrigin): Row {
    if (this.isWhole || row.length === 0) return row
    const cells = this.list<CellValue>(row, null, (column) => extraCell(column, number, origin))
    return cells.slice(0, cells.findLastIndex((cell) => cell !== null) + 1)
  }
}

function extraCell(column: ExtraColumn, number: number, origin: RowOrigin): CellValue {
  if (column.kind === 'constant') return column.value === '' ? null : column.value
  if (column.kind === 'run_time') return origin.time
  return column.kind === 'source_name' ? origin.name : origin.header_row + number
}
