import { formatted } from '../counted.ts'

/** Texts of the source task list. */
export const sourceMessages = {
  type_required: 'Type is required',
  source_type_required: 'Source Type is required',
  chunk_size_low: 'Chunk Size must be ≥ 1',
  identifier_invalid: 'Identifier must be 2–60 chars (alphanumeric, _, -)',
  description_long: 'Description must be 512 characters or less',
  spreadsheet_required: 'Source Spreadsheet ID required',
  sheet_name_required: 'Source Sheet Name required',
  connection_required: 'Choose a connection, or add one under Settings',
  origin_required: 'Choose a source task or a compiler configuration to read from',
  csv_extension: 'File must have .csv extension',
  csv_too_large: 'File too large (5MB max)',
  csv_none: 'Select a CSV file',
  save_failed: 'Save failed',
  created: 'Source task created',
  updated: 'Source task updated',
  deleted: 'Task deleted',
  reordered: (count: number) => `Reordered ${formatted(count)} tasks`,
  import_completed: 'Import completed',
  export_failed: 'Export failed',
  reorder_failed: 'Failed to reorder tasks',
  delete_failed: 'Failed to delete task',
  import_invalid: 'Import failed (validation)',
  import_failed: 'Import failed',
  import_polling_failed: 'Import polling failed',
  load_failed: 'Failed to load data',
  no_data: 'No data available for this task yet',
  polling_timed_out: 'Polling timed out',
  errors_cut: (count: number) => `Showing first 100 of ${formatted(count)} errors…`,

  // the list
  fetch_list_failed: 'Failed to fetch source tasks',
  fetch_failed: 'Failed to fetch source task',
  execute_failed: 'Failed to run source task',
  not_found: 'Source task not found.',
  numbered: (id: number) => `Source Task ${id}`,
  exported: 'Source tasks exported',
  all_deleted: 'All source tasks deleted',
  confirm_delete: (name: string) =>
    `Delete “${name}”? Its logs, run history and stored rows are deleted. Its source is not changed.`,
  confirm_delete_all: (count: number) =>
    `Delete ${count === 1 ? 'the only source task' : `all ${formatted(count)} source tasks`}? ${count === 1 ? 'Its logs, run history' : 'Their logs, run histories'} and stored rows are deleted. ${count === 1 ? 'Its source is' : 'Their sources are'} not changed.`,
  delete_keeps: 'The sources are not changed.',
  none_yet: 'No source tasks yet',
  none_yet_hint:
    'A source task reads rows from a sheet, an API, a database or another task, and stores them for the compiler and for sync tasks.',
  last_updated: (time: string) => `Last updated ${time}`,
  no_data_yet: 'No data yet',
  minutes_old: (minutes: number) => `${minutes} min old`,
  hours_old: (hours: number) => `${hours} h old`,
  days_old: (days: number) => `${formatted(days)} d old`,
  no_origin: 'Nothing chosen',
  waits: 'Needs your approval',

  // receipt
  pulled: (rows: string, columns: string, time: string, requests: string) =>
    `Read ${rows} of ${columns} in ${time}, with ${requests}`,
  pulled_as: (account: string) => ` as ${account}`,
  pulled_others: 'They differ from the previous rows.',
  pulled_same: 'They are the same as the previous rows.',
  pulled_waiting:
    'They differ from the previous rows and need approval; until then the previous rows are used.',
  checksum: (hash: string) => `Checksum ${hash}`,
  no_type: '(No Type Assigned)',
  master: 'Master',
  master_catalog: '★ Master',

  // loading
  fetch_connections_failed: 'Failed to fetch connections.',
} as const
