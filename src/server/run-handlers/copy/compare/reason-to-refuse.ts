import { rowServerMessages } from '../../../../contract/rows/server-messages.ts'
import { count } from '../../messages.ts'
import type { SourceCopy } from '../read/source-copy.ts'
import type { Difference } from './compare.ts'

/** Source and target for people, and their header row, counted from 1. */
type Titles = { source: string; target: string; start_row: number }

/** Reason to refuse the copy; null: none. */
export function reasonToRefuse(
  copy: Pick<SourceCopy, 'columns'> & { fingerprint: { rows: number } },
  { target_rows }: Pick<Difference, 'target_rows'>,
  { source, target, start_row, isFiltered }: Titles & { isFiltered: boolean },
): string | null {
  if (copy.columns === 0) return `${source} has nothing in or below row ${start_row}.`
  if (copy.fingerprint.rows > 1 || target_rows <= 1) return null
  const rows = count(target_rows - 1, 'row')
  if (isFiltered) return rowServerMessages.none_passes(source, target, rows)
  return `${source} has no rows below its header, but ${target} has ${rows}. The target was not changed, because an empty source is never copied.`
}
