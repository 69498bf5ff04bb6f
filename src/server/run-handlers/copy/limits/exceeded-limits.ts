import type { EffectiveLimits } from '../../../../contract/run-limits/calls.ts'
import { runLimitMessages as messages } from '../../../../contract/run-limits/server-messages.ts'
import { alignColumns } from '../../../plans/align-columns.ts'
import { type ChangeCounts, findRowChanges, type KeyColumn } from '../../../plans/row-changes.ts'
import { countRowsNotIn } from '../../../snapshots/snapshot.ts'
import type { CopyAttempt } from '../attempt.ts'
import { selfChangingColumns } from '../definition.ts'
import { keyOfRows } from '../key-of-rows.ts'
import { type CheckedTab, isLimited } from './checked-tab.ts'
import { columnConditions } from './column-conditions.ts'
import { emptiedColumns } from './emptied-columns.ts'
import type { Excess } from './excess.ts'

/** Exceeded limits, and the key by which rows were matched to count them, so that the summary of the plan has the same counts. */
export type CheckedLimits = { exceeded: readonly Excess[]; key_column: KeyColumn }

/**
 * The limits of its task that a run would exceed by writing the copies of its tabs, counted over all of them. None for the first run onto
 * blank tabs. Costs nothing if too few rows differ to exceed one. `whole`: the rows of all tabs; null: those of a version, which need not
 * have the columns that the limits name.
 */
export async function exceededLimits(
  { context, definition }: Pick<CopyAttempt, 'context' | 'definition'>,
  tabs: readonly CheckedTab[],
  whole: CheckedTab['copy'] | null,
): Promise<CheckedLimits> {
  const { limits } = definition
  const key_column = keyOfRows(definition, (whole ?? tabs[0]?.copy)?.header ?? [])
  const limited = tabs.filter(isLimited)
  if (limits === null || limited.length === 0) return { exceeded: [], key_column }
  // A tab that is up to date or blank has rows of which none are removed.
  const rows = tabs.reduce((sum, tab) => sum + rowsOf(tab), 0)
  const ofRows = await rowLimits({ context, definition }, limited, { limits, key_column, rows })
  const ofColumns = whole ? await columnConditions(context, whole, limits) : []
  return { ...ofRows, exceeded: [...ofRows.exceeded, ...ofColumns] }
}

const rowsOf = ({ difference }: Pick<CheckedTab, 'difference'>) => Math.max(0, difference.target_rows - 1)

type Counted = Pick<ChangeCounts, 'removed' | 'cells'> & { key_column: KeyColumn; ofTabs: ChangeCounts[] }

/** Limits of removed rows, emptied and changed cells. Rows are matched as in plans; a row that any key finds is not removed. */
async function rowLimits(
  { context, definition }: Pick<CopyAttempt, 'context' | 'definition'>,
  tabs: readonly CheckedTab[],
  { limits, key_column, rows }: { limits: EffectiveLimits; key_column: KeyColumn; rows: number },
): Promise<CheckedLimits> {
  const { removed_percent, emptied_percent, from_rows, changed_cells } = limits
  const isLarge = rows >= from_rows
  // `most`: an upper bound of the rows of each tab that are removed, emptied or changed.
  const may = (most: readonly number[]) => {
    const sum = most.reduce((all, one) => all + one, 0)
    const cells = most.reduce(
      (all, one, at) => all + one * Math.max(tabs[at]?.copy.columns ?? 0, tabs[at]?.owned_columns ?? 0),
      0,
    )
    return {
      remove: isLarge && sum * 100 > removed_percent * rows,
      empty: isLarge && emptied_percent < 100 && sum * 100 > emptied_percent * from_rows,
      change: changed_cells !== null && cells > changed_cells,
    }
  }
  const isPossible = (most: readonly number[]) => Object.values(may(most)).some(Boolean)
  const differing = tabs.map((tab) => Math.min(tab.difference.rows.size, rowsOf(tab)))
  const none = { exceeded: [], key_column }
  if (!isPossible(differing)) return none
  await context.progress({ phase: 'Checking the limits' })
  const tables: (Tables & { tab: CheckedTab })[] = []
  const most: number[] = []
  for (const [at, tab] of tabs.entries()) {
    if (!tab.former) return none
    const former = { id: await tab.former(), row_count: rowsOf(tab) }
    const wanted = { id: tab.copy.snapshot_id, row_count: tab.copy.rows }
    tables.push({ tab, former, wanted })
    // Rows that only moved are none of them.
    most.push(Math.min(differing[at] ?? 0, await countRowsNotIn(context.db, former, wanted)))
  }
  if (!isPossible(most)) return none
  const count = async (key: KeyColumn): Promise<Counted> => {
    const ofTabs: ChangeCounts[] = []
    for (const { tab, former, wanted } of tables) {
      const { header, formats } = tab.copy
      const formerColumns = alignColumns(tab.difference.target_header, header)
      const ignored = selfChangingColumns(definition, header)
      const differing = tab.difference.rows
      const both = { former, wanted, differing, key_column: key, formats, formerColumns, ignored }
      ofTabs.push(await findRowChanges(context.db, both, async () => void (await context.progress({}))))
    }
    const sum = (name: 'removed' | 'cells') => ofTabs.reduce((all, counts) => all + counts[name], 0)
    return { key_column: key, ofTabs, removed: sum('removed'), cells: sum('cells') }
  }
  const isBeyond = ({ removed }: Counted) => may(most).remove && removed * 100 > removed_percent * rows
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
  if (may(most).empty) {
    const emptied = tables.map(({ tab, former }, at) => ({
      ...{ former, difference: tab.difference, copy: tab.copy },
      counts: { emptied: counts.ofTabs[at]?.emptied ?? new Map<number, number>() },
    }))
    excesses.push(...(await emptiedColumns(context, emptied, limits)))
  }
  if (changed_cells !== null && counts.cells > changed_cells)
    excesses.push({ kind: 'cells_changed', act: messages.change(counts.cells), limit: changed_cells })
  return { exceeded: excesses, key_column: counts.key_column }
}

type Tables = Record<'former' | 'wanted', { id: number; row_count: number }>
