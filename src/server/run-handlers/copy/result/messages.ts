import { type CopyReceipt, keyCountsText } from '../../../../contract/runs/receipts.ts'
import { count, seconds, tableSize } from '../../messages.ts'
import type { RowsAbove } from '../ownership/owned-areas.ts'
import type { UnownedCells } from '../ownership/unowned-cells.ts'

const MAX_NAMED_COLUMNS = 8

/** Message of a successful run. `rowsAbove`: cleared rows above the table, whose header row was further up before. */
export function successMessage(receipt: CopyReceipt, rowsAbove: readonly RowsAbove[]): string {
  const { rows, columns, cells_changed, mode, reads, writes, duration_ms, by_key } = receipt
  const keys = by_key ? ` By key: ${keyCountsText(by_key)}.` : ''
  const cost = `${count(reads, 'read')} and ${count(writes, 'write')} in ${seconds(duration_ms)}`
  return mode === 'unchanged'
    ? `Nothing differs: the target already holds these ${tableSize(rows, columns)}.${keys} ${cost}.`
    : `The target holds ${tableSize(rows, columns)}, read back and compared; ${count(cells_changed, 'cell')} changed.${keys}${clearedAbove(rowsAbove)} ${cost}.`
}

function clearedAbove(rowsAbove: readonly RowsAbove[]): string {
  const rows = Math.max(0, ...rowsAbove.map((above) => above.rows))
  if (rows === 0) return ''
  return ` ${count(rows, 'row')} above it, where the table began before, ${rows === 1 ? 'is' : 'are'} cleared.`
}

/** Message of a run that failed on unowned cells. `name`: names a column. `mayHaveWritten`: the run may have written already. */
export function ownershipConflict(
  target: string,
  { kind, columns, cells }: UnownedCells,
  {
    start_row,
    name,
    mayHaveWritten,
  }: { start_row: number; name: (column: number) => string; mayHaveWritten: boolean },
): string {
  const named = columns.slice(0, MAX_NAMED_COLUMNS).map(({ column, found, expected }) => {
    const text = found === null ? '' : ` (‘${found}’)`
    if (kind !== 'columns_moved') return `${name(column)}${text}`
    return `${name(column)} (${found === null ? 'blank' : `‘${found}’`}${expected === null ? '' : ` where ‘${expected}’ was`})`
  })
  const rest = columns.length - named.length
  const list = `${columns.length === 1 ? 'column' : 'columns'} ${named.join(', ')}${rest > 0 ? ` and ${count(rest, 'other')}` : ''}`
  const done = mayHaveWritten
    ? 'This happened while the target was being written: some of these cells may be overwritten; the version history of the spreadsheet has them.'
    : 'Nothing was written.'
  const end = `${done} Correct the target, or replace these cells on the task’s page.`
  if (kind === 'extra_columns')
    return `${target} has ${count(cells, 'cell')} in ${list} that this task does not own: it has not written there before. ${end}`
  if (kind === 'columns_moved')
    return `The header of ${target} shows that columns were inserted, moved or deleted: ${list}. ${end}`
  return `The header of ${target} is no longer in row ${start_row}: rows were inserted above it, and ${list} would be overwritten. ${end}`
}
