import type { ReadableTarget } from '../../../connectors/connector.ts'
import { RowSet } from '../../../snapshots/row-set.ts'
import type { CopyAttempt } from '../attempt.ts'
import type { MatchedTable } from './keys.ts'

/**
 * The last row of a target's table, below which rows are added: the last one with a value in a column of the task, or
 * with a typed value in another column. Formulas and unticked checkboxes below the table do not count. Throws OriginFailure.
 */
export async function tableEnd(
  { context }: CopyAttempt,
  { held, columns: { placeOf, mark }, definition }: Omit<MatchedTable, 'copy'>,
  target: Pick<ReadableTarget, 'readBeside'>,
): Promise<number> {
  if (definition.write_mode === 'replace' || !target.readBeside) return held.length
  const own = mark === null ? placeOf : [...placeOf, mark]
  let end = held.length
  while (end > 0 && own.every((column) => isUnfilled(held.row(end)[column]))) end -= 1
  if (end === held.length) return end
  const below = RowSet.from(Array.from({ length: held.length - end }, (_, index) => end + 1 + index))
  for await (const { row, cells } of target.readBeside(0, below, { header: false }) ?? []) {
    if (below.has(row) && !cells.every(isUnfilled)) end = Math.max(end, row)
    await context.progress({})
  }
  return end
}

const isUnfilled = (cell: unknown): boolean => cell === undefined || cell === null || cell === false
