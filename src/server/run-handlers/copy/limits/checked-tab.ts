import type { Comparison } from '../compare/compare-tables.ts'
import type { FoundBeside } from '../plan/cells-beside.ts'
import type { ReadTables } from '../read/read-tables.ts'
import type { SourceCopy } from '../read/source-copy.ts'

/** What limits need to know of a tab. An ordinary task has one; those of a split task are checked together. */
export type CheckedTab = Pick<Comparison, 'isFirst' | 'isUpToDate'> & {
  copy: Pick<SourceCopy, 'snapshot_id' | 'header' | 'columns' | 'formats'> & { rows: number }
  owned_columns: number
  difference: Pick<Comparison['difference'], 'target_rows' | 'target_header' | 'rows'>
  /** Stores the rows of the target and returns their snapshot; null: an earlier worker has stored them, and checked the limits. */
  former: (() => Promise<number>) | null
}

export const checkedTab = (
  { copy, owned_columns }: ReadTables,
  { isFirst, isUpToDate, difference, before }: Comparison,
): CheckedTab => ({
  ...{ isFirst, isUpToDate, owned_columns },
  copy: {
    ...{ snapshot_id: copy.snapshot_id, header: copy.header, columns: copy.columns, formats: copy.formats },
    rows: Math.max(0, copy.fingerprint.rows - 1),
  },
  difference: {
    ...{
      target_rows: difference.target_rows,
      target_header: difference.target_header,
      rows: difference.rows,
    },
  },
  former: before && (() => before.complete(difference, copy)),
})

/** Whether limits apply to a tab: not to the first run onto a blank one. */
export const isLimited = ({ isFirst, isUpToDate, difference }: CheckedTab): boolean =>
  !isUpToDate && !(isFirst && difference.target_rows === 0)

/** Cells beside the tables of tabs, as if they were those of one. */
export function besideTogether(found: readonly (FoundBeside | null)[]): FoundBeside | null {
  const [first, ...others] = found.flatMap((beside) => beside ?? [])
  if (!first) return null
  const all = [first, ...others]
  return {
    ...first,
    cells: all.reduce((sum, { cells }) => sum + cells, 0),
    rows: all.reduce((sum, { rows }) => sum + rows, 0),
  }
}
