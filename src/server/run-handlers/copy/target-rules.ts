import { OriginFailure } from '../../connectors/connector.ts'
import type { StoredSnapshot } from '../../snapshots/snapshot.ts'
import { cellCount } from '../sentences.ts'
import type { Binding } from './binding.ts'
import type { FormatChange } from './commit.ts'
import type { Difference } from './comparison.ts'
import type { Endpoints } from './endpoints.ts'
import type { SourceCopy } from './source-copy.ts'

type Target = Endpoints['target']

/** Columns of the target that are the task's, from this or earlier runs. Another tab of the same name is not. */
export function ownedColumns(target: Target, { target_sheet_id, owned_columns }: Binding): number {
  const same = target_sheet_id === null || target_sheet_id === target.bound().sheet_id
  return same ? owned_columns : 0
}

/** Formats that the source has changed since the last run; of a tab that no run has filled, all there are. */
export function changedFormats(
  target: Target,
  copy: SourceCopy,
  { binding, last }: { binding: Binding; last: StoredSnapshot | null },
): FormatChange[] {
  const { target_sheet_id, owned_rows } = binding
  const known = owned_rows > 0 && target.bound().sheet_id === target_sheet_id
  return copy.formats.flatMap((format, column) => {
    const before = (known && last?.formats[column]) || null
    return JSON.stringify(before) === JSON.stringify(format) ? [] : { column, format }
  })
}

/** Whether Google took no more than a look at the size of a request. */
export const isTooLarge = (error: unknown): error is OriginFailure =>
  error instanceof OriginFailure && error.kind === 'request_too_large'

/** Which cells differ, as sentences name them: "3 cells (B7, C9 and others)". */
export function differingCells(
  { cells, cells_changed }: Difference,
  address: (row: number, column: number) => string,
): string {
  return cellCount({ count: cells_changed, first: cells?.slice(0, 5) ?? [] }, address)
}
