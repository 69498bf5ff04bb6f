import { formatted } from '../counted.ts'

const tasks = (n: number) => `${formatted(n)} ${n === 1 ? 'task' : 'tasks'}`

/** Texts of the bar of selected tasks and its dialogs. */
export const selectionDialogMessages = {
  selected: (count: number) => `${tasks(count)} selected`,
  hidden: (count: number) => `${formatted(count)} hidden by filters`,
  clear: 'Clear selection',
  bar: 'Selected tasks',
  more: 'More actions for the selected tasks',
  keys: 'Shift-click selects a range. Escape clears the selection.',

  // reasons why an action is unavailable
  none_startable: 'Each of these tasks is inactive, running or queued',
  none_stoppable: 'None of these tasks is running or queued',
  all_active: 'All of these tasks are active',
  all_inactive: 'All of these tasks are inactive',
  none_to_acknowledge: 'None of these tasks has a warning to acknowledge',
  schedule_of_type: 'Source tasks run on the schedule of their type',
  no_tags: 'None of these tasks has a tag',
  no_account: 'None of these tasks reads a Google sheet',

  // dialogs
  leaving: 'Will be deleted',
  leaving_by: (by: string) => `Will be deleted by ${by}`,
  leaving_failed: 'Failed to load which tasks will be deleted',
  keep: (name: string) => `Undo: keep ${name}`,
  confirm_stop: (count: number) => `Stop ${tasks(count)}?`,
  confirm_stop_text: 'What a run has done so far is lost, and a queued one does not start by itself again.',
  confirm_delete: (count: number) => `Delete ${tasks(count)}?`,
  confirm_delete_text: (count: number, keeps: string) =>
    `${count === 1 ? 'Its logs and' : 'Their logs and'} stored rows are lost. ${keeps} You can undo this for ten seconds.`,
  change_type: (count: number) => `Change the type of ${tasks(count)}`,
  change_schedule: (count: number) => `Change the schedule of ${tasks(count)}`,
  change_schedule_text:
    'These times replace those that each task has now. Without a time, nothing is scheduled.',
  change_account: (count: number) => `Change the account of ${tasks(count)}`,
  use_my_account: 'Run these tasks with my Google account',
  use_my_account_text:
    'Their runs then read and write what each task says, with your access. Tasks that another editor changed since this page showed them are not changed.',
  change_other_accounts: 'Replace the other Google accounts',
  change_owner: (count: number) => `Set the owner of ${tasks(count)}`,
  add_tag: (count: number) => `Add a tag to ${tasks(count)}`,
  remove_tag: (count: number) => `Remove a tag from ${tasks(count)}`,
  no_type: 'No type',
  type_failed: 'Failed to change the type',

  // results
  undo: 'Undo',
  undo_failed: 'Failed to undo',
  show_refused: (count: number) => `Show ${formatted(count)} refused`,
  refused: (count: number) => `${tasks(count)} refused`,
  and_more: (count: number) => `and ${formatted(count)} more`,
  exported: (count: number) => `Exported ${tasks(count)}.`,
} as const
