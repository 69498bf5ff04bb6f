import { formatted } from '../counted.ts'

/** Texts of the dialogs and the page of a source task; separate, so that the list does not load them. */
export const sourceDialogMessages = {
  // rows that need approval
  rows_wait: (rows: string, at: string, current: string) =>
    `${rows} ingested ${at} need your approval. Until then the previous ${current} are used.`,
  no_rows_before: 'no rows',
  accept: 'Accept',
  discard: 'Discard',
  accept_failed: 'Failed to accept the rows',
  discard_failed: 'Failed to discard the rows',

  // editor
  identifier_hint: 'External name (optional)',
  no_connections: 'No connections yet',
  no_connections_hint: 'Administrators manage them under Settings.',
  add_connection: 'Add a connection',
  gone: (name: string) => `${name}, does not exist`,
  min_rows_hint: 'Fewer rows than this percentage of the last good run need your approval; 0: never',
  start_row_hint: 'The header row; rows above it are skipped',
  max_rows_hint: 'More rows than this end the run as failed',
  chunk_size_hint: 'Rows per batch; from the task type unless set here',
  confirm_own_account: (name: string, origin: string) =>
    `From now on the runs of “${name}” read ${origin} with your Google account. The rows they read are visible to all users.`,

  // files
  import_title: 'Import Source Tasks',
  import_hint: 'UTF-8, at most 5 MB. Columns as in an export.',
  import_explained: 'Tasks are identified by type and name. A file of sync tasks is imported as sync tasks.',
  first_columns: (count: number) =>
    `These are the first ${formatted(count)} columns; the data page shows all of them.`,
} as const
