import type { ColumnChange } from '../../../contract/remembered-columns/calls.ts'
import { columnMessages } from '../../../contract/remembered-columns/client-messages.ts'
import type { Row } from '../../../contract/tables.ts'
import { columnNames } from '../../snapshots/column-names.ts'
import { count } from '../messages.ts'

/** Maximum number of columns that a message names. */
const MAX_NAMED = 5

type Rows = { header: Row; row_count: number }

/** Why rows wait for approval. `guard` is part of the warning's id, which acknowledgements store, so these words must not change. */
export type Reason = {
  guard: 'empty' | 'few' | 'incomplete' | 'cut' | 'columns' | 'nameless' | 'renamed' | 'shifted'
  message: string
  /** Of reasons that several columns may have: the column, which is part of the id, too. */
  column?: string
}

/**
 * Why ingested rows need approval before they become current; empty: they do not. `current` null: there is nothing to compare with.
 * `total`: the number of rows that the origin announced; `incompleteReasons`: why the reply may be incomplete.
 */
export function holdReasons(
  ingested: Rows & { title: string; total: number | null; incompleteReasons?: readonly string[] },
  current: Rows | null,
  min_rows_percent: number,
): Reason[] {
  const { title, total, row_count } = ingested
  const reasons: Reason[] = []
  if (total !== null && row_count < total) {
    const message = `${title} says that it has ${count(total, 'row')}, but ${only(row_count)} came.`
    reasons.push({ guard: 'incomplete', message })
  }
  for (const message of ingested.incompleteReasons ?? []) reasons.push({ guard: 'cut', message })
  if (!current) return reasons
  if (row_count === 0 && current.row_count > 0) {
    const message = `${title} has no rows; the current ones are ${current.row_count.toLocaleString('en')}.`
    reasons.push({ guard: 'empty', message })
  } else if (row_count * 100 < current.row_count * min_rows_percent) {
    const message = `${title} has ${count(row_count, 'row')}, fewer than ${min_rows_percent}% of the ${current.row_count.toLocaleString('en')} current ones.`
    reasons.push({ guard: 'few', message })
  }
  // A table without a header is empty, which is a reason already.
  if (ingested.header.length > 0) reasons.push(...columnReasons(title, ingested.header, current.header))
  return reasons
}

// Compiles and copies find columns by name, so a new order or new columns are no reason.
function columnReasons(title: string, header: Row, former: Row): Reason[] {
  const names = new Set(columnNames(header.map(text)))
  const gone = columnNames(former.map(text)).filter((name) => !names.has(name))
  const reasons: Reason[] = []
  if (gone.length > 0) {
    const named = gone.slice(0, MAX_NAMED).join(', ')
    const others = gone.length > MAX_NAMED ? ` and ${gone.length - MAX_NAMED} more` : ''
    const message = `${title} no longer has ${count(gone.length, 'column')} of the current rows: ${named}${others}.`
    reasons.push({ guard: 'columns', message })
  }
  const unnamed = header.filter(isUnnamed).length
  if (unnamed > former.filter(isUnnamed).length) {
    const message = `${title} has ${count(unnamed, 'column')} with values but without a name, more than before: cells may have shifted.`
    reasons.push({ guard: 'nameless', message })
  }
  return reasons
}

/** Reasons about columns that may be renamed or shifted; missing ones are a reason of `holdReasons`. */
export const changedColumns = (title: string, changes: readonly ColumnChange[]): Reason[] =>
  changes.flatMap(({ kind, before, now, looks_like }): Reason[] => {
    if (kind === 'renamed' && before && now)
      return [
        { guard: 'renamed', column: now.name, message: columnMessages.renamed(title, now.name, before.name) },
      ]
    return kind === 'shifted' && now
      ? [
          {
            guard: 'shifted',
            column: now.name,
            message: columnMessages.shifted(title, now.name, looks_like ?? ''),
          },
        ]
      : []
  })

const text = (cell: Row[number]) => String(cell ?? '')
const isUnnamed = (cell: Row[number]) => text(cell).trim() === ''
const only = (rows: number) => (rows === 0 ? 'none' : `only ${rows.toLocaleString('en')}`)
