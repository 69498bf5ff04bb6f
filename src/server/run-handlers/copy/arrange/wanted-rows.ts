import type { ByKey } from '../../../../contract/runs/receipts.ts'
import type { Row } from '../../../../contract/tables.ts'
import type { CellPlace } from '../../../connectors/connector.ts'
import type { CopyAttempt } from '../attempt.ts'
import { type Definition, selfChangingColumns } from '../definition.ts'
import type { MatchedTable } from './keys.ts'
import { markText } from './mark-text.ts'
import { type Matching, MISSING, STAYS } from './match-rows.ts'
import { clearedRow, markedRow, newRow, type RowMerge, updatedRow } from './merge-row.ts'
import type { PutBack } from './put-back.ts'
import type { WantedRow } from './store-wanted.ts'

/** Rows of other people as they were before a commit, by their numbers, and which of their cells were formulas. */
export type RowsToPutBack = { rows: PutBack['rows']; formulas: CellPlace[] }

/** The rows that the target is to hold, in order. Counts what happens to them. */
export function* wantedRows(
  { keeper, definition, settings }: CopyAttempt,
  {
    held,
    columns,
    copy,
    matching: { sourceOf, added },
    by_key: counts,
    others,
  }: MatchedTable & { matching: Matching; by_key: ByKey; others: RowsToPutBack },
): Generator<WantedRow> {
  const mark = markText(definition.mark_text, new Date(keeper.value.started_at), settings.zone ?? 'UTC')
  const merge: RowMerge = {
    ...columns,
    selfChanging: new Set(selfChangingColumns(definition, copy.header)),
    isMark: mark.isMark,
  }
  const cut = (row: Row) => row.slice(0, columns.header.length)
  for (const [index, source] of sourceOf.entries()) {
    const row = cut(others.rows.get(index + 1)?.cells ?? held.row(index + 1))
    if (source === MISSING) counts.missing += 1
    if (source <= 0) {
      const wanted = source === STAYS ? row : missingRow(row, definition, merge, mark.text)
      yield { source: 0, build: () => wanted }
    } else
      yield {
        source,
        build: (copied) => {
          const wanted = updatedRow(row, copied, merge)
          counts[wanted === row ? 'unchanged' : 'updated'] += 1
          return wanted
        },
      }
  }
  let number = sourceOf.length
  for (const source of added) {
    number += 1
    const beside = cut(held.row(number))
    yield { source, build: (copied) => newRow(beside, copied, merge) }
  }
  for (number += 1; number <= held.length; number += 1) {
    const row = cut(held.row(number))
    yield { source: 0, build: () => row }
  }
}

function missingRow(row: Row, { write_mode, on_missing }: Definition, merge: RowMerge, text: string): Row {
  if (write_mode === 'replace' || on_missing === 'clear') return clearedRow(row, merge)
  return on_missing === 'mark' ? markedRow(row, text, merge) : row
}
