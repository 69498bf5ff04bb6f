import type { CopyReceipt } from '../../../../contract/runs/receipts.ts'
import { count, seconds, tableSize } from '../../messages.ts'
import type { FormerRows } from '../ownership/owned-areas.ts'
import type { UnownedCells } from '../ownership/unowned-cells.ts'

const MAX_NAMED_COLUMNS = 8

/** Message of a successful run. `former`: cleared rows above the table, whose header row was further up before. */
export function successMessage(receipt: CopyReceipt, former: readonly FormerRows[]): string {
  const { rows, columns, cells_changed, mode, reads, writes, duration_ms } = receipt
  const cost = `${count(reads, 'read')} and ${count(writes, 'write')} in ${seconds(duration_ms)}`
  return mode === 'unchanged'
    ? `Nothing differs: the target already holds these ${tableSize(rows, columns)}. ${cost}.`
    : `The target holds ${tableSize(rows, columns)}, read back and compared; ${count(cells_changed, 'cell')} changed.${clearedAbove(former)} ${cost}.`
}

function clearedAbove(former: readonly FormerRows[]): string {
  const rows = Math.max(0, ...former.map((above) => above.rows))
  if (rows === 0) return ''
  return ` ${count(rows, 'row')} above it, where the table began before, ${rows === 1 ? 'is' : 'are'} cleared.`
}

/** Message of a run that failed on unowned cells. `name`: names a column. `written`: the run may already have written. */
export function ownershipConflict(
  target: string,
  { kind, columns, cells }: UnownedCells,
  { start_row, name, written }: { start_row: number; name: (column: number) => string; written: boolean },
): string {
  const named = columns.slice(0, MAX_NAMED_COLUMNS).map(({ column, found, expected }) => {
    const word = found === null ? '' : ` (‘${found}’)`
    if (kind !== 'moved') return `${name(column)}${word}`
    return `${name(column)} (${found === null ? 'blank' : `‘${found}’`}${expected === null ? '' : ` where ‘${expected}’ was`})`
  })
  const rest = columns.length - named.length
  const list = `${columns.length === 1 ? 'column' : 'columns'} ${named.join(', ')}${rest > 0 ? ` and ${count(rest, 'other')}` : ''}`
  const done = written
    ? 'That happened at the moment it was written: some of these cells may be written over, and its version history has them.'
    : 'Nothing was written.'
  const end = `${done} Put this right in the target, or replace these cells on the task’s page.`
  if (kind === 'beside')
    return `${target} holds ${count(cells, 'cell')} of somebody else’s in ${list}, where this task has not written before. ${end}`
  if (kind === 'moved')
    return `The header of ${target} shows that columns were inserted, moved or deleted: ${list}. ${end}`
  return `The header of ${target} does not stand in row ${start_row} any more: rows were inserted above it, and ${list} would be written over. ${end}`
}
