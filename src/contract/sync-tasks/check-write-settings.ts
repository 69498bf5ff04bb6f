import { CSV_TABLE, isDelimited, isFilePath } from '../files/providers.ts'
import { writeFieldMessages as messages } from '../rows/field-messages.ts'
import { plainName } from '../rows/plain-name.ts'
import type { RowSettings } from '../rows/row-settings.ts'
import type { FurtherSource, WriteSettings } from '../rows/write-settings.ts'

/** Settings of a sync task that must go together. */
export type CheckedTask = WriteSettings &
  Pick<RowSettings, 'columns' | 'include_new_columns' | 'extra_columns' | 'completeness'> &
  FurtherSource & { target_ss_id: string; target_sheet_name: string }

/** A setting that does not go together with the others: its path in a body, and why. */
export type SettingConflict = { path: (string | number)[]; message: string }

/** Finds settings that do not go together, in the order of the form. Headers of columns that only the source knows are left to the runs. */
export const settingConflicts = (task: CheckedTask): SettingConflict[] => [
  ...keyConflicts(task),
  ...missingConflicts(task),
  ...sourceConflicts(task),
  ...splitConflicts(task),
  ...csvConflicts(task),
  ...completenessConflicts(task),
]

function* completenessConflicts(task: CheckedTask): Generator<SettingConflict> {
  const { completeness, source_type, more_sources, split_by } = task
  if (completeness === null) return
  const path = ['completeness']
  if (source_type !== 'internal') yield { path, message: messages.completeness_internal }
  else if (completeness.only_complete && (more_sources.length > 0 || split_by !== null))
    yield { path, message: messages.complete_one_source }
  else if (completeness.only_complete && isNotCopied(task, 'SKU'))
    yield { path, message: messages.complete_needs_sku }
}

function* keyConflicts(task: CheckedTask): Generator<SettingConflict> {
  const { write_mode, key_columns } = task
  if (write_mode === 'update' && key_columns.length === 0)
    yield { path: ['key_columns'], message: messages.key_columns_required }
  for (const [index, key] of key_columns.entries())
    if (isNotCopied(task, key)) yield { path: ['key_columns', index], message: messages.key_not_copied(key) }
}

function* missingConflicts(task: CheckedTask): Generator<SettingConflict> {
  const { write_mode, on_missing, mark_column, key_columns, split_by } = task
  if (on_missing !== 'keep' && write_mode !== 'update' && split_by === null)
    yield { path: ['on_missing'], message: messages.missing_needs_keys(on_missing, write_mode) }
  if (on_missing !== 'mark') return
  if (mark_column === null) yield { path: ['mark_column'], message: messages.mark_column_required }
  else if (has(key_columns, mark_column))
    yield { path: ['mark_column'], message: messages.mark_is_key(mark_column) }
  else if (has(copiedNames(task), mark_column) || (split_by !== null && has([split_by], mark_column)))
    yield { path: ['mark_column'], message: messages.mark_is_copied(mark_column) }
}

function* sourceConflicts(task: CheckedTask): Generator<SettingConflict> {
  const seen = new Set([sourceKey(task)])
  for (const [index, source] of task.more_sources.entries()) {
    const path = [
      'more_sources',
      index,
      source.source_type === 'sheet' ? 'source_sheet_name' : 'source_compiler_config_id',
    ]
    if (seen.has(sourceKey(source))) yield { path, message: messages.source_twice(index + 2) }
    seen.add(sourceKey(source))
    if (
      source.source_type === 'sheet' &&
      tabKey(source.source_ss_id, source.source_sheet_name) ===
        tabKey(task.target_ss_id, task.target_sheet_name)
    )
      yield { path, message: messages.source_is_target(index + 2) }
  }
}

/** What a split task cannot do. Runs refuse it too. */
export function* splitConflicts(
  task: Pick<
    CheckedTask,
    | 'columns'
    | 'include_new_columns'
    | 'extra_columns'
    | 'split_by'
    | 'write_mode'
    | 'find_columns_by_header'
    | 'on_missing'
  >,
): Generator<SettingConflict> {
  const { split_by, write_mode, find_columns_by_header, on_missing } = task
  if (split_by === null) return
  if (isNotCopied(task, split_by)) yield { path: ['split_by'], message: messages.split_not_copied(split_by) }
  if (write_mode !== 'replace') yield { path: ['split_by'], message: messages.split_replaces(write_mode) }
  if (find_columns_by_header) yield { path: ['find_columns_by_header'], message: messages.split_in_order }
  if (on_missing === 'mark') yield { path: ['on_missing'], message: messages.split_no_mark }
}

/** What a CSV file cannot do: it has one table. Runs refuse it too. */
function* csvConflicts({
  target_ss_id,
  target_sheet_name,
  split_by,
}: Pick<CheckedTask, 'target_ss_id' | 'target_sheet_name' | 'split_by'>): Generator<SettingConflict> {
  if (!isFilePath(target_ss_id) || !isDelimited(target_ss_id)) return
  const file = target_ss_id.slice(target_ss_id.lastIndexOf('/') + 1)
  if (split_by !== null) yield { path: ['split_by'], message: messages.split_needs_tabs(file) }
  else if (target_sheet_name.toLowerCase() !== CSV_TABLE.toLowerCase())
    yield { path: ['target_sheet_name'], message: messages.csv_one_table(file) }
}

const has = (names: readonly string[], name: string) =>
  names.some((other) => plainName(other) === plainName(name))

const copiedNames = ({ columns, extra_columns }: Pick<CheckedTask, 'columns' | 'extra_columns'>) =>
  [...(columns ?? []), ...extra_columns].map(({ name }) => name)

const isNotCopied = (
  task: Pick<CheckedTask, 'columns' | 'extra_columns' | 'include_new_columns'>,
  name: string,
) => task.columns !== null && !task.include_new_columns && !has(copiedNames(task), name)

/** Tabs of one spreadsheet whose names differ in case are one tab. */
const tabKey = (spreadsheet_id: string, sheet_name: string) =>
  `sheet ${spreadsheet_id} ${sheet_name.normalize('NFKC').toLowerCase()}`

const sourceKey = ({
  source_type,
  source_ss_id,
  source_sheet_name,
  source_compiler_config_id,
}: FurtherSource) =>
  source_type === 'sheet'
    ? tabKey(source_ss_id, source_sheet_name)
    : `configuration ${source_compiler_config_id}`
