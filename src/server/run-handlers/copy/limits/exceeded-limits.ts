import type { EffectiveLimits } from '../../../../contract/run-limits/calls.ts'
import { runLimitMessages as messages } from '../../../../contract/run-limits/server-messages.ts'
import { alignColumns } from '../../../plans/align-columns.ts'
import { type ChangeCounts, findRowChanges, type KeyColumn } from '../../../plans/row-changes.ts'
import { countRowsNotIn } from '../../../snapshots/snapshot.ts'
import type { CopyAttempt } from '../attempt.ts'
import type { Comparison } from '../compare/compare-tables.ts'
import { selfChangingColumns } from '../definition.ts'
import { keyOfRows } from '../key-of-rows.ts'
import type { ReadTables } from '../read/read-tables.ts'
import { columnConditions } from './column-conditions.ts'
import { emptiedColumns } from './emptied-columns.ts'
import type { Excess } from './excess.ts'

/** Exceeded limits, and the key by which rows were matched to count them, so that the summary of the plan has the same counts. */
export type CheckedLimits = { exceeded: readonly Excess[]; key_column: KeyColumn }

/**
 * The limits of its task that a run would exceed by writing the copy. None for the first run onto a blank target. Costs nothing if too
 * few rows differ to exceed one.
 */
export async function exceededLimits(
  attempt: CopyAttempt,
  tables: ReadTables,
  comparison: Comparison,
): Promise<CheckedLimits> {
  const { context, definition } = attempt
  const { limits } = definition
  const key_column = keyOfRows(definition, tables.copy.header)
  const { difference, isFirst, isUpToDate } = comparison
  if (limits === null || isUpToDate || (isFirst && difference.target_rows === 0))
    return { exceeded: [], key_column }
  const ofRows = await rowLimits(attempt, tables, comparison, { limits, key_column })
  const ofColumns = await columnConditions(context, tables.copy, limits)
  return { ...ofRows, exceeded: [...ofRows.exceeded, ...ofColumns] }
}

type Counted = ChangeCounts & { key_column: KeyColumn }

/** Limits of removed rows, emptied and changed cells. Rows are matched as in plans; a row that any key finds is not removed. */
async function rowLimits(
  { context, definition }: CopyAttempt,
  { copy, owned_columns }: ReadTables,
  { difference, before }: Comparison,
  { limits, key_column }: { limits: EffectiveLimits; key_column: KeyColumn },
): Promise<CheckedLimits> {
  const { removed_percent, emptied_percent, from_rows, changed_cells } = limits
  const rows = Math.max(0, difference.target_rows - 1)
  const isLarge = rows >= from_rows
  const columns = Math.max(copy.columns, owned_columns)
  // `most` is an upper bound of the rows that are removed, emptied or changed.
  const may = (most: number) => ({
    remove: isLarge && most * 100 > removed_percent * rows,
    empty: isLarge && emptied_percent < 100 && most * 100 > emptied_percent * from_rows,
    change: changed_cells !== null && most * columns > changed_cells,
  })
  const isPossible = (most: number) => Object.values(may(most)).some(Boolean)
  const differing = Math.min(difference.rows.size, rows)
  const none = { exceeded: [], key_column }
  if (!before || !isPossible(differing)) return none
  await context.progress({ phase: 'Checking the limits' })
  const former = { id: await before.complete(difference, copy), row_count: rows }
  const wanted = { id: copy.snapshot_id, row_count: copy.fingerprint.rows - 1 }
  // Rows that only moved are none of them.
  const most = Math.min(differing, await countRowsNotIn(context.db, former, wanted))
  if (!isPossible(most)) return none
  const formerColumns = alignColumns(difference.target_header, copy.header)
  const ignored = selfChangingColumns(definition, copy.header)
  const count = async (key: KeyColumn): Promise<Counted> => ({
    key_column: key,
    ...(await findRowChanges(
      context.db,
      {
        ...{ former, wanted, differing: difference.rows, key_column: key, formats: copy.formats },
        ...{ formerColumns, ignored },
      },
      async () => void (await context.progress({})),
    )),
  })
  const isBeyond = ({ removed }: ChangeCounts) => may(most).remove && removed * 100 > removed_percent * rows
  let counts = await count(key_column)
  // A row that is moved and changed has its first cell; one whose key is renamed has its place.
  for (const key of [null, 0]) {
    if (!isBeyond(counts)) break
    const others = await count(key)
    if (others.removed < counts.removed) counts = others
  }
  const excesses: Excess[] = []
  if (isBeyond(counts))
    excesses.push({
      kind: 'rows_removed',
      act: messages.remove(counts.removed, rows),
      limit: Math.floor((removed_percent * rows) / 100),
    })
  if (may(most).empty)
    excesses.push(...(await emptiedColumns(context, { former, difference, copy, counts }, limits)))
  if (changed_cells !== null && counts.cells > changed_cells)
    excesses.push({ kind: 'cells_changed', act: messages.change(counts.cells), limit: changed_cells })
  return { exceeded: excesses, key_column: counts.key_column }
}
