import type { Change } from '../../../connectors/connector.ts'
import { RunFailure } from '../../../engine/types.ts'
import type { CopyAttempt } from '../attempt.ts'
import { isArranged } from '../definition.ts'
import { checkOwnership } from '../ownership/check-ownership.ts'
import { type RowsAbove, rowsAboveTable } from '../ownership/owned-areas.ts'
import { changedFormats } from '../ownership/target-rules.ts'
import { type UnownedCells, UnownedCellsFinder } from '../ownership/unowned-cells.ts'
import { requireTargetAsPlanned } from '../plan/check-plan.ts'
import type { ReadTables } from '../read/read-tables.ts'
import { writtenRows } from '../read/source-copy.ts'
import { BeforeImage } from './before-image.ts'
import { compare, type Difference } from './compare.ts'
import { reasonToRefuse } from './reason-to-refuse.ts'

/** What a copy has to change in its target. */
export type Comparison = {
  difference: Difference
  /** The target's former rows, stored before the first commit and before each commit to matched rows; null: already stored. */
  before: BeforeImage | null
  formats: Change['formats']
  /** Owned rows above the table, which are cleared. */
  rowsAbove: RowsAbove[]
  /** Unowned cells that a preview found; a run is refused instead. */
  unowned: UnownedCells | null
  /** No run of the task has filled the target yet. */
  isFirst: boolean
  /** This run may have written to the target already, such as by an earlier worker. */
  mayHaveWritten: boolean
  /** The target holds the copy already, so there is nothing to write. */
  isUpToDate: boolean
}

/**
 * Compares the target with the copy. Throws RunFailure if the copy is refused: by a rule, because of cells that the task does not own,
 * or because the target is not as the plan saw it.
 */
export async function compareTables(attempt: CopyAttempt, tables: ReadTables): Promise<Comparison> {
  const { settings, context, definition, keeper } = attempt
  const { source, target, binding, last, areas, owned_columns, copy, prefetch } = tables
  const { start_row } = definition
  const { before_snapshot_id, commit } = keeper.value
  const isMatched = tables.matched !== null || tables.before_plan !== null
  const before =
    before_snapshot_id === null || isMatched
      ? new BeforeImage(context, settings.pool, tables.held ?? last)
      : null
  const isFirst = binding.owned_rows === 0 || areas.length === 0
  // An earlier worker may have committed already: the target then holds its rows or those of the last run.
  const mayHaveWritten = commit !== null
  const possibleRows = mayHaveWritten ? [writtenRows(copy), last] : [last]
  const newFinder = () => new UnownedCellsFinder({ areas, start_row, columns: copy.columns })
  // Columns that are found by their headers may stand anywhere, and no others are written.
  const isPlaced = !definition.find_columns_by_header
  const finders =
    isFirst || !isPlaced ? [] : possibleRows.map((previousRows) => ({ previousRows, finder: newFinder() }))
  const difference = await compare({
    context,
    copy,
    target,
    owned_columns,
    prefetch,
    phase: 'Comparing',
    before,
    finders: finders.map(({ finder }) => finder),
  })
  if (!mayHaveWritten) await requireTargetAsPlanned(attempt, tables, difference)
  const titles = { source: source.title, target: target.title, start_row }
  // A version may be a target without rows.
  const isVersion = (tables.restores ?? tables.plan?.restores ?? null) !== null
  const reason =
    isVersion || attempt.tab?.isCleared
      ? null
      : reasonToRefuse(copy, difference, { ...titles, isFiltered: definition.filter !== null })
  if (reason !== null) throw new RunFailure(reason, { retryable: false })
  const unowned = await checkOwnership({ context, definition, target, mayHaveWritten }, finders)
  const changed = changedFormats(target, copy, { binding, last, difference })
  // Columns of other editors have no format in the copy.
  const formats = isArranged(definition) ? changed.filter(({ format }) => format !== null) : changed
  const rowsAbove = rowsAboveTable(areas, start_row)
  const isEqual = difference.cells_changed === 0
  // A commit changes values and formats atomically: a target with the values of an earlier worker also has its formats. Earlier
  // releases wrote in place in several requests, formats last: after such a write, formats may be missing.
  const isCommitted = commit !== null && commit.mode !== 'in_place' && commit.cells_changed > 0
  const isUpToDate = isEqual && (isCommitted || (formats.length === 0 && rowsAbove.length === 0))
  return { difference, before, formats, rowsAbove, unowned, isFirst, mayHaveWritten, isUpToDate }
}
