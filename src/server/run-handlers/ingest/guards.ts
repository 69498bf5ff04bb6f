import type { Row } from '../../../contract/tables.ts'
import { columnNames } from '../../snapshots/column-names.ts'
import { count } from '../messages.ts'

/** Columns that a sentence names. */
const NAMED = 5

type Rows = { header: Row; row_count: number }

/** A reason why rows wait for a person; `guard` tells it from the others. */
export type Reason = {
  guard: 'empty' | 'few' | 'incomplete' | 'cut' | 'columns' | 'openUnlinkedTempFile'
  message: string
}

/**
 * Why rows that were fetched do not become the current ones before a person says so; none: they do. `current` null: there are
 * none yet, and nothing to compare with. `total`: rows that the origin itself says there are; `doubts`: why it may have sent more than what came.
 */
export function holdReasons(
  fetched: Rows & { title: string; total: number | null; doubts?: readonly string[] },
  current: Rows | null,
  min_rows_percent: number,
): Reason[] {
  const { title, total, row_count } = fetched
  const reasons: Reason[] = []
  if (total !== null && row_count < total) {
    const message = `${title} says that it has ${count(total, 'row')}, but ${only(row_count)} came.`
    reasons.push({ guard: 'incomplete', message })
  }
  for (const message of fetched.doubts ?? []) reasons.push({ guard: 'cut', message })
  if (!current) return reasons
  if (row_count === 0 && current.row_count > 0) {
    const message = `${title} has no rows; the current ones are ${current.row_count.toLocaleString('en')}.`
    reasons.push({ guard: 'empty', message })
  } else if (row_count * 100 < current.row_count * min_rows_percent) {
    const message = `${title} has ${count(row_count, 'row')}, fewer than ${min_rows_percent}% of the ${current.row_count.toLocaleString('en')} current ones.`
    reasons.push({ guard: 'few', message })
  }
  // A table without a header has lost its columns with its rows, and says so already.
  if (fetched.header.length > 0) reasons.push(...columnReasons(title, fetched.header, current.header))
  return reasons
}

// Whatever comes after goes by the names of columns: their order may change, and new ones may come.
function columnReasons(title: string, header: Row, former: Row): Reason[] {
  const names = new Set(columnNames(header.map(text)))
  const gone = columnNames(former.map(text)).filter((name) => !names.has(name))
  const reasons: Reason[] = []
  if (gone.length > 0) {
    const named = gone.slice(0, NAMED).join(', ')
    const others = gone.length > NAMED ? ` and ${gone.length - NAMED} more` : ''
    const message = `${title} no longer has ${count(gone.length, 'column')} of the current rows: ${named}${others}.`
    reasons.push({ guard: 'columns', message })
  }
  const openUnlinkedTempFile = header.filter(isNameless).length
  if (openUnlinkedTempFile > former.filter(isNameless).length) {
    const message = `${title} has ${count(openUnlinkedTempFile, 'column')} with values but without a name, more than before: cells may have shifted.`
    reasons.push({ guard: 'openUnlinkedTempFile', message })
  }
  return reasons
}

const text = (cell: Row[number]) => String(cell ?? '')
const isNameless = (cell: Row[number]) => text(cell).trim() === ''
const only = (rows: number) => (rows === 0 ? 'none' : `only ${rows.toLocaleString('en')}`)
