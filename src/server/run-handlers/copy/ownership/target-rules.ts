import type { Change, Target } from '../../../connectors/connector.ts'
import { formatChanges, type StoredFormat, TableFormats } from '../../../snapshots/column-format.ts'
import type { StoredSnapshot } from '../../../snapshots/snapshot.ts'
import { cellCount } from '../../messages.ts'
import type { Difference } from '../compare/compare.ts'
import type { SourceCopy } from '../read/source-copy.ts'
import type { Area } from './owned-areas.ts'
import type { Binding } from './tab-identity.ts'

/**
 * What is the task's in the target: what its last run left, and what attempts since then have set out to write. Of another tab of
 * the same name it has nothing.
 */
export function ownedAreas(
  target: Target,
  { target_place, owned_columns: columns, owned_rows, owned_start_row, intended }: Binding,
  { start_row, last }: { start_row: number; last: StoredSnapshot | null },
): Area[] {
  if (target_place !== null && target_place !== target.bound().place) return []
  if (owned_rows === 0) return intended
  // Without one it was filled by a version that did not keep it.
  const area = { start_row: owned_start_row ?? start_row, columns, header: last?.header ?? [] }
  return [area, ...intended]
}

/** What the last run left of the target's formats, and whether they may stand in other rows by now. */
type FormerFormats = { binding: Binding; last: StoredSnapshot | null; difference: Difference }

/**
 * Formats that the source has changed since the last run; of a tab that no run has filled, all there are. Where cells of the target
 * were edited since then, its rows may have been sorted, and their formats with them: those of columns with several are set anew.
 */
export function changedFormats(
  target: Target,
  copy: SourceCopy,
  { binding: { target_place, owned_rows }, last, difference }: FormerFormats,
): Change['formats'] {
  const known = owned_rows > 0 && target.bound().place === target_place
  const former = known && last ? last.formats : new TableFormats([])
  const isEdited = !known || (last !== null && last.hash !== null && last.hash !== difference.target_hash)
  const shown = ({ format, runs }: StoredFormat) => ({ format, runs: target.readFormats ? runs : null })
  return Array.from({ length: copy.columns }, (_, column) => {
    const [before, after] = [shown(former.of(column)), shown(copy.formats.of(column))]
    const isAnew = isEdited && (before.runs !== null || after.runs !== null)
    return formatChanges(isAnew ? null : before, after).map((change) => ({ column, ...change }))
  }).flat()
}

/** So many cells are named. */
const NAMED = 5

/** Which cells differ, as sentences name them: "3 cells (B7, C9 and others)". */
export function differingCells(
  { cells, cells_changed }: Difference,
  address: (row: number, column: number) => string,
): string {
  return cellCount({ count: cells_changed, first: cells?.first(NAMED) ?? [] }, address)
}
