import type { EffectiveLimits } from '../../../../contract/run-limits/calls.ts'
import { runLimitMessages as messages } from '../../../../contract/run-limits/server-messages.ts'
import type { CellValue, Row } from '../../../../contract/tables.ts'
import type { RunContext } from '../../../engine/types.ts'
import type { ChangeCounts } from '../../../plans/row-changes.ts'
import { headerName } from '../../../snapshots/column-names.ts'
import { snapshotTexts } from '../../../snapshots/snapshot.ts'
import type { Difference } from '../compare/compare.ts'
import type { SourceCopy } from '../read/source-copy.ts'
import type { Excess } from './excess.ts'

type Facts = {
  /** The target's rows without the header. */
  former: { id: number; row_count: number }
  difference: Pick<Difference, 'target_header'>
  copy: Pick<SourceCopy, 'header'>
  counts: Pick<ChangeCounts, 'emptied'>
}

/**
 * Columns of which a run would empty more than the allowed share of filled cells, in all tabs together. A column that is gone is emptied
 * as a whole.
 */
export async function emptiedColumns(
  context: RunContext,
  tabs: readonly Facts[],
  { emptied_percent, from_rows }: EffectiveLimits,
): Promise<Excess[]> {
  const emptied = new Map<number, number>()
  for (const { difference, copy, counts } of tabs)
    for (const [column, cells] of emptiedByColumn(difference.target_header, copy.header, counts.emptied))
      emptied.set(column, (emptied.get(column) ?? 0) + cells)
  for (const [column, cells] of emptied)
    if (cells * 100 <= emptied_percent * from_rows) emptied.delete(column)
  if (emptied.size === 0) return []
  const filled = await filledCells(
    context,
    tabs.map(({ former }) => former),
    emptied,
    emptied_percent,
  )
  const nameOf = (column: number) =>
    tabs.map(({ difference }) => headerName(difference.target_header[column])).find((name) => name !== '')
  return [...emptied].flatMap(([column, count]) => {
    const of = filled.get(column) ?? 0
    const cells = Math.min(count, of)
    if (of < from_rows || cells * 100 <= emptied_percent * of) return []
    const name = nameOf(column) ?? `column ${column + 1}`
    return {
      kind: 'cells_emptied' as const,
      act: messages.empty(cells, of, name),
      limit: Math.floor((emptied_percent * of) / 100),
    }
  })
}

/**
 * Emptied cells by column of the former table. Rows are compared cell by cell at their place, so where a column was removed, those to
 * its right seem to change: the removed column counts instead, as emptied without end.
 */
function emptiedByColumn(
  former: Row,
  wanted: Row,
  emptied: ReadonlyMap<number, number>,
): Map<number, number> {
  const [before, after] = [former.map(headerName), wanted.map(headerName)]
  const found = new Map([...emptied].filter(([column]) => !isMoved(before[column], after, column)))
  before.forEach((name, column) => {
    const replacement = after[column] ?? ''
    const isRenamed = replacement !== '' && !before.includes(replacement)
    if (name !== '' && !after.includes(name) && !isRenamed) found.set(column, Number.POSITIVE_INFINITY)
  })
  return found
}

const isMoved = (name: string | undefined, after: readonly string[], column: number): boolean =>
  name !== undefined && name !== '' && after[column] !== name && after.includes(name)

/** Filled cells of these columns, counted only until the emptied ones are certainly within the limit. */
async function filledCells(
  context: RunContext,
  tables: readonly Facts['former'][],
  emptied: ReadonlyMap<number, number>,
  percent: number,
): Promise<Map<number, number>> {
  const filled = new Map<number, number>()
  const isOpen = (column: number) => (filled.get(column) ?? 0) * percent < (emptied.get(column) ?? 0) * 100
  let open = [...emptied.keys()]
  for (const { id, row_count } of tables) {
    for await (const texts of snapshotTexts(context.db, id, 1, row_count + 1)) {
      for (const text of texts) {
        const row: CellValue[] = JSON.parse(text)
        for (const column of open)
          if ((row[column] ?? '') !== '') filled.set(column, (filled.get(column) ?? 0) + 1)
      }
      open = open.filter(isOpen)
      if (open.length === 0) return filled
      await context.progress({})
    }
  }
  return filled
}
