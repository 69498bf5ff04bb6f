import { writeServerMessages as messages } from '../../../../contract/rows/server-messages.ts'
import type { ByKey } from '../../../../contract/runs/receipts.ts'
import type { CellPlace, FormulaText, ReadableTarget, WrittenCells } from '../../../connectors/connector.ts'
import { RunFailure } from '../../../engine/types.ts'
import { headerNames } from '../../../snapshots/column-names.ts'
import type { StoredSnapshot } from '../../../snapshots/snapshot.ts'
import type { CopyAttempt } from '../attempt.ts'
import { reasonToRefuse } from '../compare/reason-to-refuse.ts'
import type { Definition } from '../definition.ts'
import type { Binding } from '../ownership/binding.ts'
import type { Area } from '../ownership/owned-areas.ts'
import type { SourceCopy } from '../read/source-copy.ts'
import { reportBadKeys } from './bad-keys.ts'
import { placeColumns, requireHeader } from './column-places.ts'
import { type Keys, type MatchedTable, readKeys } from './keys.ts'
import { type Matching, MISSING, matchAppended, matchRows, STAYS } from './match-rows.ts'
import { type Origin, placedFormats, readOrigin } from './placed-columns.ts'
import { countsRows, rowsOfLast, writtenAfter, writtenBefore } from './remembered-rows.ts'
import { nothingToRestore, type Restored } from './restore-rows.ts'
import { storeWanted } from './store-wanted.ts'
import { tableEnd } from './table-end.ts'
import { TargetRows } from './target-rows.ts'
import { wantedRows } from './wanted-rows.ts'
import { hashOf, RowCounts, readWrittenRows, type WrittenRows } from './written-rows.ts'

/** Formulas of other people that a commit can leave in place. */
const MAX_FORMULAS = 10_000

/** What a run knows of the rows that it has matched. */
export type Matched = {
  /** The rows of the source. */
  source: SourceCopy
  held: TargetRows
  /** Whether a row of the target is none of the source's. */
  isOthers: (row: number) => boolean
  /** Rows in which the run is to restore cells that an earlier commit of it overwrote. */
  restoring: ReadonlySet<number>
  /** What the task wrote before, and what it will have written when this run has. */
  remembered: { written: RowCounts; pending: RowCounts }
  /** The cells that the run may write. */
  written: Omit<WrittenCells, 'target_rows'>
  /** The last row of the target's table. */
  end: number
  /** Null: rows stand in the order of the source. */
  by_key: ByKey | null
  /** Cells of other people that an earlier worker of the run wrote over, and that get their values back. */
  put_back: readonly CellPlace[]
}

type Opened = {
  /** The rows of the source. */
  copy: SourceCopy
  source: { title: string }
  target: ReadableTarget
  binding: Binding
  /** What the last successful run wrote. */
  last: StoredSnapshot | null
  /** The areas of the target that the task owns, with the headers that it wrote. */
  areas: readonly Area[]
}

/** `copy`: the rows that the target is to hold. `prefetch`: those that it holds. */
type Arranged = { copy: SourceCopy; prefetch: TargetRows; matched: Matched }

/**
 * The rows that the target is to hold: those of the source, matched with the target's rows and columns as the task says. Everything else in
 * the target stays where it is. `committed`: what this run has written; `restore` puts back what it wrote over. Throws RunFailure for keys, columns and headers that cannot be
 * matched; unless there is `committed`, nothing was written.
 */
export async function arrangeTables(
  attempt: CopyAttempt,
  { copy, target, source, binding, last, areas }: Opened,
  restore: (now: TargetRows) => Restored = nothingToRestore,
  committed: Pick<SourceCopy, 'header'> | null = null,
): Promise<Arranged> {
  const { context, definition } = attempt
  await context.progress({ phase: 'Matching rows' })
  const now = await TargetRows.read(target)
  const { rows: held, formulas, restored, keyless, put_back } = restore(now)
  const titles = { source: source.title, target: target.title }
  requireRows(copy, held, definition, titles)
  const headers = committed
    ? [committed.header]
    : areas.filter(({ start_row }) => start_row === definition.start_row).map(({ header }) => header)
  requireHeader(held.header, headers, definition, {
    ...{ title: target.title, start_row: definition.start_row },
    mayHaveWritten: committed !== null,
  })
  const table = {
    copy,
    held,
    columns: placeColumns(copy.header, held.header, definition, titles),
    definition,
  }
  const end = await tableEnd(attempt, table, target)
  const keys = await readKeys(attempt, { ...table, end })
  const written = writtenBefore(await remembered(attempt, { copy, target, binding, last }), keys, definition)
  const matching = match(definition, keys, written)
  const origin = await readOrigin(context.db, copy.snapshot_id)
  await reportBadKeys(attempt, matching.bad, namesOf(table, titles, origin))
  const skipped = skippedRows(matching, keys, definition)
  const by_key = { added: matching.added.length, updated: 0, unchanged: 0, missing: 0, skipped }
  const wanted = await storeWantedRows(attempt, {
    ...{ ...table, target, matching, origin, by_key },
    formulas,
  })
  if (definition.write_mode === 'append') by_key.unchanged = unchangedRows(matching, keys)
  return {
    copy: wanted,
    prefetch: now,
    matched: {
      source: copy,
      held,
      isOthers: (row) => (matching.sourceOf[row - 1] ?? STAYS) <= 0,
      restoring: restored,
      written: writtenCells(table, matching, keyless),
      end: matching.sourceOf.length,
      remembered: { written, pending: writtenAfter(written, keys, matching, definition) },
      by_key: definition.write_mode === 'replace' ? null : by_key,
      put_back,
    },
  }
}

/** What the task wrote into this tab. */
async function remembered(
  { context, definition }: CopyAttempt,
  { copy, target, binding, last }: Omit<Opened, 'source' | 'areas'>,
): Promise<WrittenRows> {
  const { target_place } = binding
  if (target_place !== null && target_place !== target.identity().tab_id) return NOTHING_WRITTEN
  const stored = await readWrittenRows(context.db, context.run.task_id)
  if (stored || definition.write_mode === 'replace') return stored ?? NOTHING_WRITTEN
  const names = countsRows(definition) ? headerNames(copy.header) : definition.key_columns
  return { written: await rowsOfLast(context.db, last, names), pending: null }
}

const NOTHING_WRITTEN: WrittenRows = { written: new RowCounts(), pending: null }

/** Rows are added, cleared and put back as a whole; those that are updated keep their key. */
function writtenCells(
  { held, columns: { placeOf, keys, mark }, definition }: MatchedTable,
  { sourceOf }: Matching,
  keyless: ReadonlySet<number>,
): Matched['written'] {
  const columns = new Set(mark === null ? placeOf : [...placeOf, mark])
  const isCleared = definition.on_missing === 'clear'
  return {
    columns: [...columns].sort((one, other) => one - other),
    keys: keys.map((column) => placeOf[column] ?? column),
    // Cells below the table stay beside the rows that are added there, and what replaces the whole target has no new rows.
    inserted_from:
      definition.write_mode === 'replace' || held.length === 0 || held.length > sourceOf.length
        ? null
        : sourceOf.length + 1,
    isWhole: (row) =>
      row === 0 || row > sourceOf.length || keyless.has(row) || (isCleared && sourceOf[row - 1] === MISSING),
  }
}

/** An empty source never removes or marks all rows of a target. */
function requireRows(
  copy: SourceCopy,
  held: TargetRows,
  { write_mode, start_row, filter }: Definition,
  titles: { source: string; target: string },
): void {
  if (write_mode === 'append') return
  const rules = { ...titles, start_row, isFiltered: filter !== null }
  const reason = reasonToRefuse(copy, { target_rows: held.length + 1 }, rules)
  if (reason !== null) throw new RunFailure(reason, { retryable: false })
}

/** How messages name the tables, their rows and the key. */
function namesOf(
  { copy, columns, definition }: MatchedTable,
  titles: { source: string; target: string },
  { rowOf }: Origin,
) {
  const { start_row } = definition
  return {
    key: columns.keys.map((column) => String(copy.header[column] ?? '')).join(' / '),
    tables: {
      source: { title: titles.source, rowName: (row: number) => messages.row(start_row + rowOf(row)) },
      target: { title: titles.target, rowName: (row: number) => messages.row(start_row + row) },
    },
  }
}

/** Stores the rows that the target is to hold. */
function storeWantedRows(
  attempt: CopyAttempt,
  table: MatchedTable & {
    target: ReadableTarget
    matching: Matching
    origin: Origin
    by_key: ByKey
    formulas: CellPlace[]
  },
): Promise<SourceCopy> {
  const { copy, columns, matching, origin, target } = table
  const own = new Set(columns.placeOf)
  const isKept = ({ row, column }: CellPlace) => !own.has(column) || (matching.sourceOf[row - 1] ?? 1) <= 0
  return storeWanted(attempt, {
    copy,
    header: columns.header,
    formats: placedFormats(copy.formats, columns, matching),
    rows: wantedRows(attempt, table),
    formulasOf: (cells) => formulasOf(cells, { target, isKept, former: table.formulas }),
    source_columns: columns.header.map((_, place) => origin.columnOf(columns.placeOf.indexOf(place))),
    sourceRow: origin.rowOf,
    read_snapshot_id: origin.read_snapshot_id,
  })
}

const unchangedRows = ({ added, bad }: Matching, { source }: Keys): number =>
  source.filter((key) => key !== undefined).length -
  added.length -
  bad.reduce((rows, entry) => rows + entry.rows.length, 0)

function match(definition: Definition, { source, target }: Keys, written: RowCounts): Matching {
  if (definition.write_mode === 'replace') return matchPlaces(source.length, target.length)
  if (definition.write_mode === 'update') return matchRows(source, target, (key) => written.has(hashOf(key)))
  if (definition.key_columns.length > 0) return matchAppended(source, target)
  const seen = new RowCounts()
  const added: number[] = []
  for (const [index, key] of source.entries()) {
    if (typeof key !== 'string') continue
    const hash = hashOf(key)
    seen.add(hash)
    if (seen.of(hash) > written.of(hash)) added.push(index + 1)
  }
  return { sourceOf: new Int32Array(target.length), added, bad: [] }
}

/** Row by row from the top: rows of the target behind the last one of the source are cleared. */
function matchPlaces(source: number, target: number): Matching {
  const sourceOf = Int32Array.from({ length: target }, (_, index) => (index < source ? index + 1 : MISSING))
  const added = Array.from({ length: Math.max(0, source - target) }, (_, index) => target + index + 1)
  return { sourceOf, added, bad: [] }
}

function skippedRows(
  { sourceOf, added, bad }: Matching,
  { source }: Keys,
  { write_mode }: Definition,
): number {
  if (write_mode !== 'update') return bad.reduce((rows, entry) => rows + entry.rows.length, 0)
  const matched = sourceOf.filter((row) => row > 0).length
  return source.filter((key) => key !== undefined).length - matched - added.length
}

/** The wanted cells that stay as the formulas of other people that they are. Throws RunFailure if they are too many. */
export async function formulasOf(
  cells: readonly FormulaText[],
  {
    target,
    isKept,
    former,
  }: { target: ReadableTarget; isKept: (cell: CellPlace) => boolean; former: readonly CellPlace[] },
): Promise<FormulaText[]> {
  const others = cells.filter(isKept)
  if (others.length === 0) return []
  const placeOf = ({ row, column }: CellPlace) => `${row} ${column}`
  const found = new Set([...former, ...(await target.formulas(others))].map(placeOf))
  const formulas = others.filter((cell) => found.has(placeOf(cell)))
  if (formulas.length > MAX_FORMULAS)
    throw new RunFailure(messages.too_many_formulas(target.title, MAX_FORMULAS), { retryable: false })
  return formulas
}
