import type { Row } from '../../../../contract/tables.ts'
import type { Change, NumberedRow } from '../../connector.ts'
import { parseRow } from '../../row-json.ts'
import type { PatchCell, PatchRow } from '../workbook/tab-change.ts'

/** A table in a tab: its header row, counted from 0, and its rows with that one as they were read. */
export type ReadSize = { start: number; rows: number }

/** Cells to write into a row by column; null: to clear. */
type Cells = Map<number, Row[number]>

type WrittenRow = { row: number; cells: Cells }

const PATCHES_PER_BATCH = 1_000

/** The patches of a tab that make a change, from the top. Rows of the result count from 1 in the tab. */
export async function* changeRows(change: Change, { start, rows }: ReadSize): AsyncGenerator<PatchRow[]> {
  const formats = new RowFormats(change, Math.max(change.rows, rows))
  const formulas = byRow(change.formulas)
  const cleared = clearedCells(change, rows)
  const batch: PatchRow[] = []
  const add = (row: number, cells: Cells) => {
    const patch = patchOf(cells, formulas(row), formats.of(row))
    if (patch.length > 0) batch.push({ row: start + row + 1, cells: patch })
  }
  for (const { row, cells } of rowsAbove(change)) batch.push({ row: start + row + 1, cells: patchOf(cells) })
  // Only rows that are in none of the content need a visit of their own.
  const visits = change.cells && change.formats.length === 0 ? change.formulas.map(({ row }) => row) : null
  const end = Math.max(change.rows, rows)
  let next = 0
  let visit = 0
  const skipTo = function* (row: number) {
    if (visits === null) for (; next < row; next += 1) yield next
    else
      for (; (visits[visit] ?? row) < row; visit += 1)
        if (visits[visit] !== visits[visit - 1]) yield visits[visit] ?? 0
  }
  for await (const written of content(change)) {
    for (const row of skipTo(written.row)) {
      add(row, cleared(row))
      if (batch.length >= PATCHES_PER_BATCH) yield batch.splice(0)
    }
    add(written.row, new Map([...cleared(written.row), ...written.cells]))
    next = written.row + 1
    while (visits && (visits[visit] ?? Number.POSITIVE_INFINITY) <= written.row) visit += 1
    if (batch.length >= PATCHES_PER_BATCH) yield batch.splice(0)
  }
  for (const row of skipTo(visits ? Number.POSITIVE_INFINITY : end)) {
    add(row, cleared(row))
    if (batch.length >= PATCHES_PER_BATCH) yield batch.splice(0)
  }
  if (batch.length > 0) yield batch
}

function* rowsAbove({ rowsAbove }: Change): Generator<WrittenRow> {
  const most = Math.max(0, ...rowsAbove.map(({ rows }) => rows))
  for (let row = -most; row < 0; row += 1) {
    const columns = Math.max(0, ...rowsAbove.filter(({ rows }) => -rows <= row).map((area) => area.columns))
    yield { row, cells: blanks(0, columns) }
  }
}

/** The rows that are written, in order. */
async function* content(change: Change): AsyncGenerator<WrittenRow> {
  const { cells, patches, differing, columns } = change
  if (cells) {
    let row: WrittenRow = { row: -1, cells: new Map() }
    for (const cell of cells) {
      if (row.row !== cell.row) {
        if (row.cells.size > 0) yield row
        row = { row: cell.row, cells: new Map() }
      }
      row.cells.set(cell.column, cell.value === '' ? null : cell.value)
    }
    if (row.cells.size > 0) yield row
  } else if (patches) yield* written(change, patches.rows(), patchedCells)
  else
    yield* written(change, differing.read([...differing.ranges()]), (json) => {
      const row = parseRow(json)
      return new Map(Array.from({ length: columns }, (_, column) => [column, row[column] ?? null]))
    })
}

async function* written(
  { within }: Change,
  pages: AsyncIterable<NumberedRow[]>,
  cellsOf: (json: string) => Cells,
): AsyncGenerator<WrittenRow> {
  const columns = within && { whole: new Set(within.columns), part: new Set(within.columns) }
  for (const key of within?.keys ?? []) columns?.part.delete(key)
  for await (const page of pages)
    for (const { row, json } of page) {
      const cells = cellsOf(Buffer.from(json).toString('utf8'))
      const own = within?.isWhole(row) ? columns?.whole : columns?.part
      if (own) for (const column of cells.keys()) if (!own.has(column)) cells.delete(column)
      if (cells.size > 0) yield { row, cells }
    }
}

/** The cells of a patch, in which null leaves a cell as it is, and '' clears it. */
function patchedCells(json: string): Cells {
  const cells: (Row[number] | '')[] = JSON.parse(json)
  return new Map(
    cells.flatMap((cell, column) => (cell === null ? [] : [[column, cell === '' ? null : cell] as const])),
  )
}

/** Cells of the task that are not part of the table any more. `rows`: of the target. Differing cells name them one by one. */
function clearedCells(change: Change, rows: number): (row: number) => Cells {
  const { columns, owned_columns, within, cells } = change
  const none: Cells = new Map()
  if (cells) return () => none
  if (within) {
    const behind: Cells = new Map(within.columns.map((column) => [column, null]))
    return (row) => (row >= change.rows && row < within.target_rows ? behind : none)
  }
  const right = blanks(columns, owned_columns)
  const behind = blanks(0, Math.max(columns, owned_columns))
  return (row) => (row < change.rows ? right : row < rows ? behind : none)
}

const blanks = (from: number, to: number): Cells =>
  new Map(Array.from({ length: Math.max(0, to - from) }, (_, n) => [from + n, null]))

function patchOf(
  values: Cells,
  formulas: ReadonlyMap<number, string> = new Map(),
  formats: ReadonlyMap<number, NonNullable<PatchCell['format']> | null> = new Map(),
): PatchCell[] {
  const columns = new Set([...values.keys(), ...formulas.keys(), ...formats.keys()])
  return [...columns]
    .sort((one, other) => one - other)
    .map((column) => {
      const formula = formulas.get(column)
      const value = values.get(column)
      return {
        column,
        ...(formula === undefined ? value !== undefined && { value } : { formula: formula.slice(1) }),
        ...(formats.has(column) && { format: formats.get(column) ?? null }),
      }
    })
}

/** Returns the formulas of a row, for rows in ascending order. */
function byRow(formulas: Change['formulas']): (row: number) => Map<number, string> {
  let at = 0
  return (row) => {
    const found = new Map<number, string>()
    for (let formula = formulas[at]; formula && formula.row <= row; formula = formulas[at]) {
      if (formula.row === row) found.set(formula.column, formula.text)
      at += 1
    }
    return found
  }
}

/** Formats to set, for rows in ascending order. */
class RowFormats {
  readonly #columns: { column: number; at: number; runs: Change['formats'] }[]
  readonly #rows: number

  constructor({ formats }: Change, rows: number) {
    this.#rows = rows
    this.#columns = [...Map.groupBy(formats, ({ column }) => column)].map(([column, runs]) => ({
      column,
      at: 0,
      runs: runs.toSorted((one, other) => one.from - other.from),
    }))
  }

  of(row: number): Map<number, Change['formats'][number]['format']> {
    const found = new Map<number, Change['formats'][number]['format']>()
    for (const one of this.#columns) {
      while ((one.runs[one.at + 1]?.from ?? Number.POSITIVE_INFINITY) <= row) one.at += 1
      const run = one.runs[one.at]
      if (run && row >= run.from && row < (run.to ?? this.#rows)) found.set(one.column, run.format)
    }
    return found
  }
}
