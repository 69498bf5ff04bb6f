import type { CopyReceipt } from '../../../../contract/runs/receipts.ts'
import type { SyncTask } from '../../../../contract/sync-tasks/calls.ts'
import { syncTaskMessages } from '../../../../contract/sync-tasks/client-messages.ts'
import { taskMessages } from '../../../../contract/tasks/client-messages.ts'
import { formatCount, formatElapsed } from '../../../lib/format.ts'

type Named = Pick<SyncTask, 'id' | 'name' | 'source_sheet_name' | 'target_sheet_name'>

/** Title of a task: its target sheet, else its source sheet, else its number. */
export const displayName = (task: Named) =>
  task.target_sheet_name || task.source_sheet_name || syncTaskMessages.sync_task(task.id)

/** The task's own name where its title does not say it already; blank otherwise. */
export const ownName = (task: Named) => (task.name === displayName(task) ? '' : task.name)

/** Where the rows come from: spreadsheet and sheet, or the internal database and the configuration that compiles them. */
export const sourceOf = (task: SyncTask) =>
  task.source_type === 'internal'
    ? place(taskMessages.internal_db, task.source_compiler_config_name ?? '')
    : place(task.source_ss_name, task.source_sheet_name)

/** Where the rows go: spreadsheet and sheet. */
export const targetOf = (task: SyncTask) => place(task.target_ss_name, task.target_sheet_name)

// an imported task may learn what its spreadsheets are called from its first run only
const place = (spreadsheet: string, sheet: string) =>
  [spreadsheet || taskMessages.google_sheet, sheet].filter(Boolean).join(' / ')

const modes: Record<CopyReceipt['mode'], (cells: number) => string> = {
  unchanged: () => 'The target already held exactly these values, so nothing was written',
  small: (cells) => `${formatCount(cells, 'cell')} changed, all in one request`,
  staged: (cells) => `${formatCount(cells, 'cell')} changed, prepared in a staging tab and applied at once`,
  in_place: (cells) => `${formatCount(cells, 'cell')} changed, written in place chunk by chunk`,
}

/** What the last run did and how it was proved, for a person to read. */
export function formatReceipt(receipt: CopyReceipt): string {
  const {
    rows,
    columns,
    cells_changed,
    reads,
    writes,
    mode,
    source_hash,
    target_hash,
    duration_ms,
    account,
  } = receipt
  const proof =
    source_hash === target_hash
      ? `Read back afterwards, the target equals the source (${target_hash.slice(0, 12)})`
      : `Read back afterwards, the target differs from the source (${source_hash.slice(0, 12)} is not ${target_hash.slice(0, 12)})`
  return [
    `Copied ${formatCount(rows, 'row')} of ${formatCount(columns, 'column')} in ${formatElapsed(duration_ms / 1000)}`,
    modes[mode](cells_changed),
    proof,
    `It took ${formatCount(reads, 'read')} and ${formatCount(writes, 'write')} as ${account}.`,
  ].join('. ')
}

/** The same in short: whose account it used, and what it wrote. */
export const proofOf = ({ account, target_hash }: CopyReceipt) =>
  `As ${account}, checksum ${target_hash.slice(0, 12)}`
