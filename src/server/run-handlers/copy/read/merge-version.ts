import { planServerMessages as messages } from '../../../../contract/plans/server-messages.ts'
import type { Row } from '../../../../contract/tables.ts'
import type { CellPlace } from '../../../connectors/connector.ts'
import { filledCells, parseRow, rowText } from '../../../connectors/row-json.ts'
import { type RunContext, RunFailure } from '../../../engine/types.ts'
import { type KeyColumn, pagesOf } from '../../../plans/row-changes.ts'
import { differingRows, rowPartners } from '../../../plans/row-partners.ts'
import { type FormatRuns, formatAt, TableFormats } from '../../../snapshots/column-format.ts'
import { TableHash } from '../../../snapshots/fingerprint.ts'
import type { CellPlaces } from '../../../snapshots/formula-cells.ts'
import { RowSet } from '../../../snapshots/row-set.ts'
import {
  beginSnapshot,
  completeSnapshot,
  type StoredSnapshot,
  textsOfRows,
} from '../../../snapshots/snapshot.ts'
import { SnapshotWriter } from '../../../snapshots/snapshot-writer.ts'
import type { CopyAttempt } from '../attempt.ts'
import { type MergedRow, mergeCells, mergeRows, pairByPlace } from './merge-rows.ts'
import { type Alignment, alignVersion } from './version-columns.ts'

/** `differing`: rows in which `written` and `now` differ at their number. */
type Three = {
  version: StoredSnapshot
  written: StoredSnapshot
  now: StoredSnapshot
  differing: RowSet
  key_column: KeyColumn
}

/** Cells that keep other values than the version's, and the places of the first ones in the target. */
type Kept = { cells: number; first: CellPlace[] }

/** Kept cells of which the place is known. */
const MAX_PLACES = 100
const BLANK = '[]'
const MAX_DELETED_ROWS = 100

/**
 * Stores the rows of a version in which edited cells keep their values, as a new snapshot. Throws RunFailure if cells were edited in
 * columns that the version does not have. `address`: of a cell of the target.
 */
export async function mergeVersion(
  { context, settings }: CopyAttempt,
  { address, ...three }: Three & { address: (row: number, column: number) => string },
): Promise<{ merged: StoredSnapshot; kept: Kept; deleted_cells: number }> {
  const { db } = context
  await context.progress({ phase: 'Merging edited cells' })
  const alignment = alignVersion({ version: three.version.header, written: three.written.header })
  const { rows, deleted, isEdited } = await pairRows(db, three, alignment)
  const { task_id, id: run_id } = context.run
  const id = await context.transaction((trx) => beginSnapshot(trx, { task_id, run_id, kind: 'copy' }))
  const writer = new SnapshotWriter(settings.pool, id)
  const table = new MergedTable(three, isEdited, alignment)
  const hash = new TableHash()
  const header = (await hasMovedUp(db, three)) ? three.version.header : table.header()
  hash.push(Buffer.from(rowText(header)))
  let [row_count, blanks] = [0, 0]
  const put = (text: string) => {
    row_count += 1
    writer.add(row_count, text)
    hash.push(Buffer.from(text))
  }
  try {
    for (const page of pagesOf(rows)) {
      await context.assertLease()
      const textOf = await readTexts(db, three, page, isEdited)
      for (const row of page) {
        const text = table.add(row, row_count + blanks + 1, textOf)
        // Blank rows at the end are no part of a table.
        blanks += text === BLANK ? 1 : 0
        if (text === BLANK) continue
        for (; blanks > 0; blanks -= 1) put(BLANK)
        put(text)
        await writer.flushIfLarge()
      }
    }
    const { cells, first } = table.unplaced
    if (cells > 0) {
      const addresses = first.map(({ row, column }) => address(row, column))
      throw new RunFailure(messages.columns_changed(cells, addresses), {
        retryable: false,
        kind: 'edited_cells',
      })
    }
    await writer.close()
  } catch (error) {
    await writer.abandon()
    throw error
  }
  const formats = placedFormats(three.version.formats, rows)
  const complete = { header, formats, formulas: table.formulas, row_count, hash: hash.digest() }
  await context.transaction((trx) => completeSnapshot(trx, id, complete))
  const merged = { id, ...complete }
  return { merged, kept: table.kept, deleted_cells: await countCells(db, three.version, deleted) }
}

/** Whether rows above the table were deleted, so that one of its data rows stands in the place of the header row. */
async function hasMovedUp(db: RunContext['db'], { written, now }: Three): Promise<boolean> {
  const rows = Array.from({ length: MAX_DELETED_ROWS }, (_, n) => n + 1)
  const texts = await textsOfRows(db, written.id, rows)
  return [...texts.values()].includes(rowText(now.header))
}

/** Pairs the rows of the three tables. `isEdited`: whether a row has other cells than were written. */
async function pairRows(
  db: RunContext['db'],
  { version, written, now, differing, key_column }: Three,
  alignment: Alignment | null,
) {
  // Most tables name their rows in the first column, also if they have no key.
  const versions = alignment
    ? {
        former: { ...version, compared: alignment.shared.version },
        wanted: { ...written, compared: alignment.shared.written },
        differing: allRows(Math.max(version.row_count, written.row_count)),
        key_column: 0,
        formats: written.formats,
      }
    : {
        ...{ former: version, wanted: written, differing: await differingRows(db, version, written) },
        key_column: key_column ?? 0,
        formats: written.formats,
      }
  const { partners: writtenOf } = await rowPartners(db, versions)
  pairByPlace(writtenOf, written.row_count)
  const edits = { former: written, wanted: now, differing, key_column, formats: now.formats }
  const { partners: nowOf, equal, filled } = await rowPartners(db, edits)
  pairByPlace(nowOf, now.row_count, { areRestBlank: true })
  const isEdited = (row: Pick<MergedRow, 'written' | 'now'>) => row.written === 0 || !equal.has(row.written)
  const isBlank = (row: number) => !filled.has(row)
  const tables = { versionRows: version.row_count, nowRows: now.row_count, writtenOf, nowOf }
  return { ...mergeRows({ ...tables, isBlank, isEdited }), isEdited }
}

function allRows(count: number): RowSet {
  const rows = new RowSet()
  for (let row = 1; row <= count; row += 1) rows.add(row)
  return rows
}

type Side = 'version' | 'written' | 'now'
type TextOf = (side: Side, row: MergedRow) => string

/** Reads the stored rows that a page of merged rows consists of. */
async function readTexts(
  db: RunContext['db'],
  three: Three,
  page: readonly MergedRow[],
  isEdited: (row: MergedRow) => boolean,
): Promise<TextOf> {
  const isMerged = (row: MergedRow) => row.now > 0 && isEdited(row)
  const wanted = {
    version: page.filter(({ version }) => version > 0),
    written: page.filter((row) => row.written > 0 && isMerged(row)),
    now: page.filter((row) => row.now <= three.now.row_count && isMerged(row)),
  }
  const sides = ['version', 'written', 'now'] as const
  const found = new Map<Side, Map<number, string>>()
  for (const side of sides)
    found.set(
      side,
      await textsOfRows(
        db,
        three[side].id,
        wanted[side].map((row) => row[side]),
      ),
    )
  return (side, row) => found.get(side)?.get(row[side]) ?? BLANK
}

/** Collects what is known of a merged table besides its rows. */
class MergedTable {
  readonly kept: Kept = { cells: 0, first: [] }
  /** Edited cells in columns that the version does not have. */
  readonly unplaced: Kept = { cells: 0, first: [] }
  readonly formulas: CellPlace[] = []
  readonly #three: Three
  readonly #isEdited: (row: MergedRow) => boolean
  readonly #alignment: Alignment | null
  readonly #formulasOf: { version: Map<number, Set<number>>; now: Map<number, Set<number>> }

  constructor(three: Three, isEdited: (row: MergedRow) => boolean, alignment: Alignment | null) {
    this.#three = three
    this.#isEdited = isEdited
    this.#alignment = alignment
    this.#formulasOf = { version: byRow(three.version.formulas), now: byRow(three.now.formulas) }
  }

  header(): Row {
    const { version, written, now } = this.#three
    const headers = { version: version.header, written: written.header, now: now.header }
    return this.#merge({ version: 0, written: 0, now: 0 }, 0, headers)
  }

  /** The cells of a row as stored text. `number`: its number in the merged table. */
  add(row: MergedRow, number: number, textOf: TextOf): string {
    const of = (side: Side) => parseRow(textOf(side, row))
    if (row.version > 0 && (row.now === 0 || !this.#isEdited(row))) {
      for (const column of this.#formulasOf.version.get(row.version) ?? [])
        this.formulas.push({ row: number, column })
      return textOf('version', row)
    }
    return rowText(
      this.#merge(row, number, { version: of('version'), written: of('written'), now: of('now') }),
    )
  }

  #merge(row: MergedRow, number: number, cells: { version: Row; written: Row; now: Row }): Row {
    // A row that is no row of the version stays as it is.
    const isWhole = row.version === 0 && number > 0
    this.#noteUnplaced(row, cells)
    const now = this.#alignment?.place(cells.now) ?? cells.now
    const written = this.#alignment?.place(cells.written) ?? cells.written
    const merged = mergeCells(
      isWhole ? { version: [], written: [], now } : { version: cells.version, written, now },
    )
    this.kept.cells += merged.kept.length
    const keeps = new Set(merged.kept)
    const inTarget = (column: number) => this.#alignment?.columnOf(column) ?? column
    for (const column of keeps)
      if (this.kept.first.length < MAX_PLACES)
        this.kept.first.push({ row: row.now, column: inTarget(column) })
    for (const column of merged.cells.keys()) {
      const isFormula = keeps.has(column)
        ? this.#formulasOf.now.get(row.now)?.has(inTarget(column))
        : this.#formulasOf.version.get(row.version)?.has(column)
      if (isFormula) this.formulas.push({ row: number, column })
    }
    return merged.cells
  }

  #noteUnplaced(row: MergedRow, { written, now }: { written: Row; now: Row }): void {
    const alignment = this.#alignment
    if (!alignment) return
    for (const [column, cell] of now.entries()) {
      if (cell === null || alignment.has(column) || cell === (written[column] ?? null)) continue
      this.unplaced.cells += 1
      if (this.unplaced.first.length < MAX_PLACES) this.unplaced.first.push({ row: row.now, column })
    }
  }
}

function byRow(cells: CellPlaces | null): Map<number, Set<number>> {
  const rows = new Map<number, Set<number>>()
  for (const { row, column } of cells ?? []) rows.set(row, (rows.get(row) ?? new Set()).add(column))
  return rows
}

/** The formats of the version's rows where these stand in the merged table. */
function placedFormats(formats: TableFormats, rows: readonly MergedRow[]): TableFormats {
  const columns = formats.columns.map((column) => {
    if (column.runs === null) return column
    const runs: FormatRuns = []
    let key = ''
    for (const [index, { version }] of rows.entries()) {
      const format = version === 0 ? column.format : formatAt(column, version)
      const next = JSON.stringify(format)
      if (next !== key) runs.push({ row: index + 1, format })
      key = next
    }
    return { ...column, runs: runs.length > 0 ? runs : null }
  })
  return new TableFormats(columns)
}

/** Number of filled cells in rows of a snapshot. */
async function countCells(
  db: RunContext['db'],
  { id }: StoredSnapshot,
  rows: readonly MergedRow[],
): Promise<number> {
  let cells = 0
  for (const page of pagesOf(rows)) {
    const texts = await textsOfRows(
      db,
      id,
      page.map(({ version }) => version),
    )
    for (const text of texts.values()) cells += filledCells(parseRow(text))
  }
  return cells
}
