import type { Change, ReadableTarget } from '../../../connectors/connector.ts'
import { formatChanges, type StoredFormat, TableFormats } from '../../../snapshots/column-format.ts'
import type { StoredSnapshot } from '../../../snapshots/snapshot.ts'
import { cellCount } from '../../messages.ts'
import type { Difference } from '../compare/compare.ts'
import type { SourceCopy } from '../read/source-copy.ts'
import type { Binding } from './binding.ts'
import type { Area } from './owned-areas.ts'

/**
 * Areas that the task owns in the target: the area of its last successful run and those recorded by attempts since. None if the
 * target is another tab with the same name.
 */
export function ownedAreas(
  target: ReadableTarget,
  { target_place, owned_columns: columns, owned_rows, owned_start_row, intended }: Binding,
  { start_row, last }: { start_row: number; last: StoredSnapshot | null },
): Area[] {
  if (target_place !== null && target_place !== target.identity().tab_id) return []
  if (owned_rows === 0) return intended
  // Earlier releases did not store the header row's number.
  const area = { start_row: owned_start_row ?? start_row, columns, header: last?.header ?? [] }
  return [area, ...intended]
}

/** Data that shows the target's formats after the last run, and whether its rows may have moved since. */
type FormerFormats = { binding: Binding; last: StoredSnapshot | null; difference: Difference }

/**
 * Formats that changed in the source since the last run; all formats if no run has filled the tab. If another editor changed the
 * target since, its rows may have been sorted together with their formats: then columns with several formats are set again.
 */
export function changedFormats(
  target: ReadableTarget,
  copy: SourceCopy,
  { binding: { target_place, owned_rows }, last, difference }: FormerFormats,
): Change['formats'] {
  const known = isFilled(target, { target_place, owned_rows })
  const former = known && last ? last.formats : new TableFormats([])
  const isEdited = !known || (last !== null && last.hash !== null && last.hash !== difference.target_hash)
  const shown = ({ format, runs }: StoredFormat) => ({ format, runs: target.readFormats ? runs : null })
  return Array.from({ length: copy.columns }, (_, column) => {
    const [before, after] = [shown(former.of(column)), shown(copy.formats.of(column))]
    const isAnew = isEdited && (before.runs !== null || after.runs !== null)
    return formatChanges(isAnew ? null : before, after).map((change) => ({ column, ...change }))
  }).flat()
}

/** Whether a run of the task has filled this tab, so that its formats are those of the last run. */
export const isFilled = (
  target: ReadableTarget,
  { target_place, owned_rows }: Pick<Binding, 'target_place' | 'owned_rows'>,
): boolean => owned_rows > 0 && target.identity().tab_id === target_place

/** Maximum number of cells that a message names. */
const MAX_NAMED_CELLS = 5

/** Describes the differing cells for messages: "3 cells (B7, C9 and others)". */
export function differingCells(
  { cells, cells_changed }: Difference,
  address: (row: number, column: number) => string,
): string {
  return cellCount({ count: cells_changed, first: cells?.first(MAX_NAMED_CELLS) ?? [] }, address)
}
