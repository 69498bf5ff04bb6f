import { isFilePath } from '../../../../contract/files/providers.ts'
import type { FurtherSource } from '../../../../contract/rows/write-settings.ts'
import { type CopyReceipt, keyCountsText, tabsText } from '../../../../contract/runs/receipts.ts'
import type { SyncTask } from '../../../../contract/sync-tasks/calls.ts'
import { taskMessages } from '../../../../contract/tasks/client-messages.ts'
import { formatCount, formatElapsed } from '../../../lib/format.ts'

/** Source of the rows: spreadsheet and sheet, or the internal database and its compiler configuration. */
export const sourceOf = (task: SyncTask) =>
  task.source_type === 'internal'
    ? place(taskMessages.internal_db, task.source_compiler_config_name ?? '')
    : place(task.source_ss_name, task.source_sheet_name)

/** What keeps the rows of the first source. */
export const sourceKindOf = ({ source_type, source_ss_id }: SyncTask) =>
  source_type === 'internal' ? 'internal' : isFilePath(source_ss_id) ? 'file' : 'google'

/** Labels of what keeps the rows. */
export const kindNames = {
  google: taskMessages.google_sheet,
  file: taskMessages.in_folder,
  internal: taskMessages.internal_db,
}

/** A source behind the first one: spreadsheet and sheet, or the compiler configuration. */
export const furtherSourceOf = (source: FurtherSource, name: string) =>
  source.source_type === 'internal'
    ? place(taskMessages.internal_db, name)
    : place(name, source.source_sheet_name)

/** Target of the rows: spreadsheet and sheet, or the pattern of its tabs' names. */
export const targetOf = ({ target_ss_name, target_sheet_name, split_by, split_tab_name }: SyncTask) =>
  place(target_ss_name, split_by === null ? target_sheet_name : split_tab_name)

// Spreadsheet names of an imported task can be unknown until its first run.
const place = (spreadsheet: string, sheet: string) =>
  [spreadsheet || taskMessages.google_sheet, sheet].filter(Boolean).join(' / ')

const modes: Record<CopyReceipt['mode'], (cells: number) => string> = {
  unchanged: () => 'The target already held exactly these values, so nothing was written',
  small: (cells) => `${formatCount(cells, 'cell')} changed, all in one request`,
  staged: (cells) => `${formatCount(cells, 'cell')} changed, prepared in a staging tab and applied at once`,
  in_place: (cells) => `${formatCount(cells, 'cell')} changed, written in place chunk by chunk`,
  preview: (cells) => `${formatCount(cells, 'cell')} would change; nothing was written`,
}

/** Receipt of the last run: what was written and how it was verified. */
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
    by_key,
    tabs,
  } = receipt
  const proof = tabs
    ? 'Read back afterwards, each tab holds exactly its rows'
    : source_hash === target_hash
      ? `Read back afterwards, the target ${by_key ? 'holds exactly these rows' : 'equals the source'} (${target_hash.slice(0, 12)})`
      : `Read back afterwards, the target differs from the source (${source_hash.slice(0, 12)} is not ${target_hash.slice(0, 12)})`
  return [
    `Copied ${formatCount(rows, 'row')} of ${formatCount(columns, 'column')} in ${formatElapsed(duration_ms / 1000)}`,
    ...(by_key ? [`By key, ${keyCountsText(by_key)}`] : []),
    ...(tabs ? [tabsText(tabs)] : []),
    tabs && mode !== 'unchanged'
      ? `${formatCount(cells_changed, 'cell')} changed, each tab in one step`
      : modes[mode](cells_changed),
    proof,
    `It took ${formatCount(reads, 'read')} and ${formatCount(writes, 'write')} as ${account}.`,
  ].join('. ')
}

/** The same in short: the account, and the checksum of the target. */
export const proofOf = ({ account, target_hash, tabs }: CopyReceipt) =>
  `As ${account}, ${tabs ? tabsText(tabs) : `checksum ${target_hash.slice(0, 12)}`}`
