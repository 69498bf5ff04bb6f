import { createHash } from 'node:crypto'
import type { Row } from '../../../contract/tables.ts'
import { type CellChange, CellChanges, isBlankCell } from '../../connectors/cell-changes.ts'
import type { CellCounter, Target } from '../../connectors/connector.ts'
import { BLANK_ROW, parseRow, rowText } from '../../connectors/row-json.ts'
import type { RunContext } from '../../engine/types.ts'
import { rowHash } from '../../snapshots/fingerprint.ts'
import { RowSet } from '../../snapshots/row-set.ts'
import { rowsByNumber } from '../../snapshots/snapshot.ts'
import type { BeforeImage, TargetState } from './before-image.ts'
import type { ForeignCellsFinder } from './foreign-cells.ts'
import type { ReadAhead } from './read-ahead.ts'
import { compareRows } from './row-differences.ts'
import { RowSpans } from './row-spans.ts'
import type { SourceCopy } from './source-copy.ts'

const ROWS_AT_ONCE = 2_000

/** How the target differs from the copy. */
export type Difference = TargetState & {
  rows: RowSet
  cells_changed: number
  /** Where in each row they lie. */
  spans: RowSpans
  /** The cells themselves, row by row; null when one commit could not carry them. */
  cells: CellChanges | null
  /** Whether one of them is blank in the copy or in the target, so that a value is missing or left over. */
  hasBlanks: boolean
}

type Deps = {
  context: RunContext
  copy: SourceCopy
  target: Target
  owned_columns: number
  /** The reading of the target that is under way, if one is. */
  ahead: ReadAhead | null
  phase: string
  /** Takes the data rows of the target that differ. */
  before: BeforeImage | null
  /** They look for cells of somebody else's; none: that has been done. */
  foreign: readonly ForeignCellsFinder[]
}

/** Reads what the target holds in the columns that the task writes or owns, and compares it with the copy. */
export async function compare(deps: Deps): Promise<Difference> {
  const { context, copy, target, owned_columns, ahead, phase, before, foreign } = deps
  const { fingerprint, kept } = copy
  const deviations = new Deviations(context, copy, target)
  const target_hash = createHash('sha256')
  let target_header: Row = []
  let row = 0
  await context.progress({ rows_done: 0, rows_total: Math.max(0, fingerprint.rows - 1), phase })
  const columns = Math.max(copy.columns, owned_columns)
  for await (const batch of ahead?.take(columns) ?? target.read(columns).batches) {
    const hashes: string[] = []
    const suspects: Suspect[] = []
    for (const json of batch) {
      const hash = kept.holds(row, json) ? fingerprint.hash(row) : rowHash(json)
      // A text that begins with "=" and a formula read alike.
      if (!fingerprint.matches(row, hash) || bufferOf(json).includes('"='))
        suspects.push({ row, found: json })
      if (row === 0) target_header = parseRow(bufferOf(json).toString())
      for (const finder of foreign) finder.add(row, json)
      hashes.push(hash)
      row += 1
    }
    const differing = await deviations.examine(suspects)
    // A row may be written otherwise and yet have the same values: then it counts as the copy's.
    for (const suspect of suspects) {
      const index = hashes.length - (row - suspect.row)
      if (!differing.has(suspect.row)) hashes[index] = fingerprint.hash(suspect.row)
      else if (suspect.row > 0) before?.add(suspect.row, suspect.found)
    }
    await before?.flushIfLarge()
    target_hash.update(hashes.join(''), 'latin1')
    const rows_total = Math.max(row, fingerprint.rows) - 1
    await context.progress({ rows_done: Math.max(0, row - 1), rows_total, phase })
  }
  await deviations.addFormulas()
  const target_rows = row
  while (row < fingerprint.rows) {
    const missing: Suspect[] = []
    for (; row < fingerprint.rows && missing.length < ROWS_AT_ONCE; row += 1) {
      if (fingerprint.filled(row) > 0) missing.push({ row, found: BLANK_ROW })
    }
    await deviations.examine(missing)
    await context.progress({ rows_done: row - 1 })
  }
  const { rows, cells, cells_changed, hasBlanks, spans } = deviations
  return {
    rows,
    cells,
    hasBlanks,
    cells_changed,
    spans,
    target_rows,
    target_header,
    target_hash: target_hash.digest('hex'),
  }
}

/** A row whose bytes are not the copy's, and what the target holds there. */
type Suspect = { row: number; found: Uint8Array }

const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength)

/** Collects rows that differ, and what differs in them as long as a small commit can carry it. */
class Deviations {
  readonly rows = new RowSet()
  readonly spans = new RowSpans()
  cells: CellChanges | null = new CellChanges()
  cells_changed = 0
  hasBlanks = false
  readonly #context: RunContext
  readonly #copy: SourceCopy
  readonly #target: Target
  /** Takes the cells that differ; false once they are too many. */
  #fits: CellCounter
  /** Cells that are as they should be, unless they are formulas. */
  readonly #doubtful: CellChange[] = []

  constructor(context: RunContext, copy: SourceCopy, target: Target) {
    this.#context = context
    this.#copy = copy
    this.#target = target
    this.#fits = this.#counter()
  }

  /** Compares rows cell by cell with those of the snapshot; answers which of them do differ. */
  async examine(suspects: Suspect[]): Promise<Set<number>> {
    const { fingerprint, header, kept, snapshot_id } = this.#copy
    // A row the target does not have at all counts as it is filled, unless its cells are wanted.
    const looked = this.cells ? suspects : suspects.filter(({ found }) => !isBlank(found))
    const isStored = (row: number) => row > 0 && row < fingerprint.rows && kept.get(row) === undefined
    const numbers = looked.map(({ row }) => row).filter(isStored)
    const stored = numbers.length > 0 ? await rowsByNumber(this.#context.db, snapshot_id, numbers) : new Map()
    const differing = new Set<number>()
    for (const { row, found } of suspects) {
      const before = this.cells_changed
      if (!this.cells && isBlank(found)) this.#addRow(row)
      else this.#addCells(row, sourceRow(row), found)
      if (this.cells_changed === before) continue
      differing.add(row)
      this.rows.add(row)
    }
    return differing

    function sourceRow(row: number): Uint8Array {
      if (row === 0) return Buffer.from(rowText(header))
      if (row >= fingerprint.rows) return BLANK_ROW
      const bytes = kept.get(row)
      if (bytes) return bytes
      const cells = stored.get(row)
      if (!cells) throw new Error(`Row ${row} of snapshot ${snapshot_id} is missing.`)
      return Buffer.from(rowText(cells))
    }
  }

  /** Adds those of the cells that look right which are formulas. */
  async addFormulas(): Promise<void> {
    if (this.#doubtful.length === 0) return
    const formulas = await this.#target.formulas(this.#doubtful)
    if (formulas.length === 0) return
    for (const { row, column } of formulas) {
      this.rows.add(row)
      this.spans.add(row, column)
    }
    this.cells_changed += formulas.length
    if (!this.cells) return
    const found = new Set(formulas.map(({ row, column }) => `${row} ${column}`))
    const those = this.#doubtful.filter(({ row, column }) => found.has(`${row} ${column}`))
    const all = [...this.cells, ...those]
    all.sort((one, other) => one.row - other.row || one.column - other.column)
    this.cells = CellChanges.of(all)
    this.#fits = this.#counter()
    for (let index = 0; this.cells && index < all.length; index += 1) this.#count(this.cells, index)
  }

  /** Gives the cells up where they become too many with this one. */
  #count(cells: CellChanges, index: number): void {
    const bytes = cells.endOf(index) - cells.startOf(index)
    if (!this.#fits(cells.rowOf(index), cells.columnOf(index), bytes)) this.cells = null
  }

  #counter(): CellCounter {
    const { fingerprint, columns } = this.#copy
    const { rows, bytes } = fingerprint
    return this.#target.countCells({ rows, columns, bytes })
  }

  /** A row that the target does not have. */
  #addRow(row: number): void {
    const { fingerprint, columns } = this.#copy
    this.cells_changed += fingerprint.filled(row)
    this.spans.add(row, 0)
    this.spans.add(row, columns - 1)
  }

  #addCells(row: number, wanted: Uint8Array, found: Uint8Array): void {
    compareRows(wanted, found, {
      differs: (column, start, end, isBlank) => {
        this.cells_changed += 1
        this.hasBlanks ||= isBlank || isBlankCell(wanted, start, end)
        this.spans.add(row, column)
        if (!this.cells) return
        this.cells.add(row, column, wanted, start, end)
        this.#count(this.cells, this.cells.length - 1)
      },
      doubtful: (column, value) => this.#doubtful.push({ row, column, value }),
    })
  }
}

const isBlank = (row: Uint8Array) => row.length === BLANK_ROW.length
