import { formatted } from '../counted.ts'

/** Texts of the dialogs and the page of a source task, which its list does not load. */
export const sourceDialogMessages = {
  // rows that wait for a person
  rows_wait: (rows: string, at: string, current: string) =>
    `${rows} fetched ${at} need your approval. Until then the previous ${current} stay in use.`,
  no_rows_before: 'no rows',
  accept: 'Accept',
  discard: 'Discard',
  accept_failed: 'Failed to accept the rows',
  discard_failed: 'Failed to discard the rows',

  // the editor
  identifier_hint: 'External name (optional)',
  no_connections: 'No connections yet',
  no_connections_hint: 'Administrators manage them under Settings.',
  add_connection: 'Add a connection',
  gone: (name: string) => `${name}, does not exist`,
  min_rows_hint: 'Fewer rows than this percentage of the last good run need your approval; 0: never',
  start_row_hint: 'The header row; rows above it are left out',
  max_rows_hint: 'More rows than this end the run as failed',
  chunk_size_hint: 'Rows per batch; from the task type unless set here',
  confirm_own_account: (name: string, origin: string) =>
    `From now on the runs of “${name}” read ${origin} with your Google account. What they fetch is visible to all users.`,

  // files
  import_title: 'Import Source Tasks',
  import_hint: 'UTF-8, at most 5 MB. Columns as in an export.',
  import_explained: 'A task is known by its type and its name. A file of sync tasks is imported as such.',
  first_columns: (count: number) =>
    `These are the first ${formatted(count)} columns; the page of the data shows all of them.`,
} as const
