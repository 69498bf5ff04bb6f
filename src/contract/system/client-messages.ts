import { formatted } from '../counted.ts'

/** Texts of the page frame: outages, navigation and editing in general. */
export const frameMessages = {
  // landing page, sign-in, navigation
  no_answer: 'No response from server. Please check your connection.',
  not_found_title: '404 Not Found',
  not_found_text: 'This page does not exist',
  sandbox_banner:
    'Sandbox mode: Rowferry works with a local stand-in for Google. No real spreadsheet is touched.',

  // outages
  server_down: 'Rowferry does not answer. Trying again every few seconds.',
  database_down: 'The database cannot be reached. Trying again every few seconds.',
  outages: {
    database: () => 'The database is down.',
    sandbox: () => 'The local Google is down. Runs cannot reach spreadsheets until it is back.',
    worker: (none_left: boolean) =>
      none_left
        ? 'No worker is running. Runs wait in the queue until one is back.'
        : 'One of the workers is down.',
    scheduler: () => 'No scheduler is running. Scheduled runs do not start until one is back.',
  },
  outage_reason: (reason: string, time: string) => `Last end: ${reason}. Next start: ${time}.`,

  // adding and editing
  discard_changes: 'Discard changes?',
  discard_changes_text: 'What you have changed here is not saved yet. It is lost if you continue.',
  check_fields: (count: number) =>
    count === 1 ? 'Check the marked field.' : `Check the ${formatted(count)} marked fields.`,
  loaded_again: 'The current version is loaded with your changes applied. Save to keep them.',

  // sync task types
  confirm_deletion: 'Confirm Deletion',
  unexpected: 'An unexpected error occurred',
  save_as_new: 'Save as new',

  // moving rows
  move_row: (name: string) => `Move ${name}`,
  move_instructions:
    'Press Space or Enter to pick up a row, the arrow keys to move it, Space or Enter to drop it, Escape to put it back.',
  row_picked_up: (name: string, position: number, total: number) =>
    `${name} is picked up, number ${formatted(position)} of ${formatted(total)}.`,
  row_over: (name: string, position: number, total: number) =>
    `${name} is number ${formatted(position)} of ${formatted(total)} now.`,
  row_dropped: (name: string, position: number, total: number) =>
    `${name} is dropped as number ${formatted(position)} of ${formatted(total)}.`,
  row_put_back: (name: string) => `${name} is back where it was.`,

  // adding and editing
  stale_update:
    'Another user changed this in the meantime. Load it again to see the change, then save yours.',
} as const
