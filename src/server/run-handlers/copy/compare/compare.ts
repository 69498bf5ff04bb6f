import type { Row } from '../../../../contract/tables.ts'
import { type CellChange, CellChanges, isBlankCell } from '../../../connectors/cell-changes.ts'
import type { CellCounter, CellPlace, ReadableTarget } from '../../../connectors/connector.ts'
import { BLANK_ROW, parseRow, rowText } from '../../../connectors/row-json.ts'
import type { RunContext } from '../../../engine/types.ts'
import { TableHash } from '../../../snapshots/fingerprint.ts'
import { RowSet } from '../../../snapshots/row-set.ts'
import { textsByNumber } from '../../../snapshots/snapshot.ts'
import type { UnownedCellsFinder } from '../ownership/unowned-cells.ts'
import type { SourceCopy } from '../read/source-copy.ts'
import type { TargetPrefetch } from '../read/target-prefetch.ts'
import type { BeforeImage, TargetState } from './before-image.ts'
import { compareRows, type TakeCells } from './row-differences.ts'
import { RowSpans } from './row-spans.ts'

const ROWS_AT_ONCE = 2_000

/** Formulas of a target that are recorded. Each is a part of the commit that writes them back. */
const MAX_FORMULAS = 10_000

/** How the target differs from the copy. */
export type Difference = TargetState & {
  rows: RowSet
  cells_changed: number
  /** Range of differing columns in each row. */
  spans: RowSpans
  /** The differing cells in row order; null if they do not fit into one small commit. */
  cells: CellChanges | null
  /** Whether a differing cell is blank in the copy or in the target, so that a value is missing or left over. */
  hasBlanks: boolean
}

type Deps = {
  context: RunContext
  copy: SourceCopy
  target: ReadableTarget
  owned_columns: number
  /** The prefetch of the target's rows, if one was started. */
  prefetch: Pick<TargetPrefetch, 'take'> | null
  phase: string
  /** Receives the data rows of the target that differ. */
  before: BeforeImage | null
  /** Finders of unowned cells; empty: ownership is not checked on this read. */
  finders: readonly UnownedCellsFinder[]
}

/** Reads the columns of the target that the task writes or owns and compares them with the copy. */
export async function compare(deps: Deps): Promise<Difference> {
  try {
    return await readAndCompare(deps)
  } catch (error) {
    await deps.before?.abandon()
    throw error
  }
}

async function readAndCompare(deps: Deps): Promise<Difference> {
  const { context, copy, target, owned_columns, prefetch, phase, before, finders } = deps
  const { fingerprint } = copy
  const diff = new TableDiff(context, copy, target, { recordsFormulas: before !== null })
  const target_hash = new TableHash()
  let target_header: Row = []
  let row = 0
  await context.progress({ rows_done: 0, rows_total: Math.max(0, fingerprint.rows - 1), phase })
  const columns = Math.max(copy.columns, owned_columns)
  for await (const batch of prefetch?.take(columns) ?? target.read(columns).batches) {
    const first = row
    for (const json of batch) {
      if (row === 0) target_header = parseRow(bufferOf(json).toString())
      for (const finder of finders) finder.add(row, json)
      row += 1
    }
    const same = await diff.examine(first, batch)
    // `forEach` avoids one [index, row] array per row, which `entries()` would allocate.
    batch.forEach((json, index) => {
      const copied = same[index]
      if (!copied && first + index > 0) before?.add(first + index, json)
      // Equal values may be serialized in another way: hash the copy's bytes then.
      target_hash.push(copied ?? json)
    })
    await before?.flushIfLarge()
    const rows_total = Math.max(row, fingerprint.rows) - 1
    await context.progress({ rows_done: Math.max(0, row - 1), rows_total, phase })
  }
  await diff.addFormulas()
  const target_rows = row
  while (row < fingerprint.rows) {
    const missing: Mismatch[] = []
    for (; row < fingerprint.rows && missing.length < ROWS_AT_ONCE; row += 1) {
      if (fingerprint.filled(row) > 0) missing.push({ row, found: BLANK_ROW })
    }
    await diff.examineMismatches(missing)
    await context.progress({ rows_done: row - 1 })
  }
  const { rows, cells, cells_changed, hasBlanks, spans, formulas } = diff
  return {
    rows,
    cells,
    hasBlanks,
    cells_changed,
    spans,
    target_rows,
    target_header,
    target_hash: target_hash.digest(),
    formulas,
  }
}

/** A row whose bytes may differ from the copy's, and the target's bytes. */
type Mismatch = { row: number; found: Uint8Array }

const placeOf = ({ row, column }: CellPlace) => `${row} ${column}`
const placesOf = (cells: readonly CellPlace[]) => new Set(cells.map(placeOf))

const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength)

/** Collects rows that differ, and their differing cells as long as these fit into a small commit. */
class TableDiff {
  readonly rows = new RowSet()
  readonly spans = new RowSpans()
  cells: CellChanges | null = new CellChanges()
  cells_changed = 0
  hasBlanks = false
  /** Cells of the target that are formulas; null: too many, or not recorded. */
  formulas: CellPlace[] | null = null
  readonly #context: RunContext
  readonly #copy: SourceCopy
  readonly #target: ReadableTarget
  readonly #header: Uint8Array
  #countCell: CellCounter
  /** Cells whose text is as wanted but may be the result of a formula. */
  readonly #possibleFormulas: CellChange[] = []
  /** Cells that may be formulas and differ; null: too many, or not recorded. */
  #otherFormulas: CellPlace[] | null
  /** Number and wanted bytes of the row being compared. */
  #row = 0
  #wanted: Uint8Array = BLANK_ROW
  readonly #cells: TakeCells = {
    differs: (column, start, end, isBlank, mayBeFormula) => {
      if (mayBeFormula) this.#recordFormula(column)
      const wanted = this.#wanted
      this.cells_changed += 1
      this.hasBlanks ||= isBlank || isBlankCell(wanted, start, end)
      this.spans.add(this.#row, column)
      if (!this.cells) return
      this.cells.add(this.#row, column, wanted, start, end)
      this.#count(this.cells, this.cells.length - 1)
    },
    possibleFormulas: (column, value) => this.#possibleFormulas.push({ row: this.#row, column, value }),
  }

  constructor(
    context: RunContext,
    copy: SourceCopy,
    target: ReadableTarget,
    { recordsFormulas }: { recordsFormulas: boolean },
  ) {
    this.#otherFormulas = recordsFormulas ? [] : null
    this.#context = context
    this.#copy = copy
    this.#target = target
    this.#header = Buffer.from(rowText(copy.header))
    this.#countCell = this.#counter()
  }

  /** Compares consecutive rows from row `first` on. Returns the copy's bytes for each equal row, null for each that differs. */
  async examine(first: number, batch: readonly Uint8Array[]): Promise<(Uint8Array | null)[]> {
    const { cachedRows } = this.#copy
    const same = Array<Uint8Array | null>(batch.length).fill(null)
    const mismatches: Mismatch[] = []
    batch.forEach((found, index) => {
      const row = first + index
      // The bytes do not distinguish a text that begins with "=" from a formula.
      if (cachedRows.holds(row, found) && !cachedRows.mayHaveFormulaText(row, found)) {
        same[index] = found
        return
      }
      const wanted = row === 0 ? this.#header : cachedRows.get(row)
      if (!wanted) mismatches.push({ row, found })
      else if (!this.#compare(row, wanted, found)) same[index] = wanted
    })
    if (mismatches.length === 0) return same
    for (const [row, copied] of await this.examineMismatches(mismatches)) same[row - first] = copied
    return same
  }

  /** Compares rows below all rows compared so far with the snapshot. Returns the copy's bytes of the equal rows by row number. */
  async examineMismatches(mismatches: Mismatch[]): Promise<Map<number, Uint8Array>> {
    const { fingerprint, cachedRows, snapshot_id } = this.#copy
    // For a row that is blank in the target, the number of filled cells is enough unless the cells themselves are collected.
    const compared = this.cells ? mismatches : mismatches.filter(({ found }) => !isBlank(found))
    const isStored = (row: number) => row > 0 && row < fingerprint.rows && cachedRows.get(row) === undefined
    const numbers = compared.map(({ row }) => row).filter(isStored)
    const stored =
      numbers.length > 0 ? await textsByNumber(this.#context.db, snapshot_id, numbers) : new Map()
    const sourceRow = (row: number): Uint8Array => {
      if (row === 0) return this.#header
      if (row >= fingerprint.rows) return BLANK_ROW
      const bytes = cachedRows.get(row)
      if (bytes) return bytes
      const text = stored.get(row)
      if (text === undefined) throw new Error(`Row ${row} of snapshot ${snapshot_id} is missing.`)
      return Buffer.from(text)
    }
    const same = new Map<number, Uint8Array>()
    for (const { row, found } of mismatches) {
      if (this.cells || !isBlank(found)) {
        const wanted = sourceRow(row)
        if (!this.#compare(row, wanted, found)) same.set(row, wanted)
      } else if (fingerprint.filled(row) > 0) this.#addRow(row)
      else same.set(row, found)
    }
    return same
  }

  /**
   * Asks the target which of the possible formulas are formulas, and adds the cells as differing that are a formula in one table and a text
   * in the other.
   */
  async addFormulas(): Promise<void> {
    const asked = [...this.#possibleFormulas, ...(this.#otherFormulas ?? [])]
    const formulas = asked.length === 0 ? [] : await this.#target.formulas(asked)
    if (this.#otherFormulas && formulas.length <= MAX_FORMULAS) this.formulas = formulas
    const [found, wanted] = [placesOf(formulas), placesOf(this.#copy.formulas)]
    const formulaCells = this.#possibleFormulas.filter((cell) => {
      const place = placeOf(cell)
      return found.has(place) !== wanted.has(place)
    })
    if (formulaCells.length === 0) return
    for (const { row, column } of formulaCells) {
      this.rows.add(row)
      this.spans.add(row, column)
    }
    this.cells_changed += formulaCells.length
    if (!this.cells) return
    const all = [...this.cells, ...formulaCells]
    all.sort((one, other) => one.row - other.row || one.column - other.column)
    this.cells = CellChanges.of(all)
    this.#countCell = this.#counter()
    for (let index = 0; this.cells && index < all.length; index += 1) this.#count(this.cells, index)
  }

  #recordFormula(column: number): void {
    if (!this.#otherFormulas) return
    this.#otherFormulas.push({ row: this.#row, column })
    if (this.#otherFormulas.length > MAX_FORMULAS) this.#otherFormulas = null
  }

  /** Counts one cell, and drops all cells if they no longer fit into a small commit. */
  #count(cells: CellChanges, index: number): void {
    const bytes = cells.endOf(index) - cells.startOf(index)
    if (this.#countCell(cells.rowOf(index), cells.columnOf(index), bytes) > 1) this.cells = null
  }

  #counter(): CellCounter {
    const { fingerprint, columns } = this.#copy
    const { rows, bytes } = fingerprint
    return this.#target.countCells({ rows, columns, bytes })
  }

  /** Adds a row that is missing in the target. */
  #addRow(row: number): void {
    const { fingerprint, columns } = this.#copy
    this.rows.add(row)
    this.cells_changed += fingerprint.filled(row)
    this.spans.add(row, 0)
    this.spans.add(row, columns - 1)
  }

  /** Compares one row, records its differing cells and returns whether there are any. */
  #compare(row: number, wanted: Uint8Array, found: Uint8Array): boolean {
    const before = this.cells_changed
    this.#row = row
    this.#wanted = wanted
    compareRows(wanted, found, this.#cells)
    if (this.cells_changed === before) return false
    this.rows.add(row)
    return true
  }
}

const isBlank = (row: Uint8Array) => row.length === BLANK_ROW.length
