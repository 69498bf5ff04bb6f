import { formatted } from '../counted.ts'

const count = (n: number) => n.toLocaleString('en-US')
const tasks = (n: number) => `${count(n)} ${n === 1 ? 'task' : 'tasks'}`

type Action = 'run' | 'stop' | 'activate' | 'deactivate' | 'delete'

/** An action as its result is summarized; a deletion that can still be undone is `delete_later`. */
export type SummarizedAction =
  | Action
  | 'acknowledge'
  | 'snooze'
  | 'unmark'
  | 'claim'
  | 'release'
  | 'change_type'
  | 'change_schedule'
  | 'change_account'
  | 'change_owner'
  | 'add_tag'
  | 'remove_tag'
  | 'delete_later'
  | 'undo'

const buttons: Record<Action, string> = {
  run: 'Run these',
  stop: 'Stop these',
  activate: 'Activate these',
  deactivate: 'Deactivate these',
  delete: 'Delete these',
}

const forOne = (action: Action, one: string) => buttons[action].replace('these', one)

const failures: Partial<Record<SummarizedAction, string>> = {
  acknowledge: 'acknowledge the warnings of these tasks',
  snooze: 'snooze these tasks',
  unmark: 'withdraw the marks of these tasks',
  claim: 'claim these tasks',
  release: 'release these tasks',
  change_type: 'change the type of these tasks',
  change_schedule: 'change the schedule of these tasks',
  change_account: 'change the account of these tasks',
  change_owner: 'change the owner of these tasks',
  add_tag: 'add the tag to these tasks',
  remove_tag: 'remove the tag from these tasks',
}

/** Texts of actions on several tasks at once. */
export const bulkMessages = {
  // checks of the call
  ids_or_filter: 'Give either ids or a filter.',
  category_or_cause: 'Give either category, or cause or kind.',
  cause_alone: 'cause, kind and marked cannot be combined with other conditions.',
  account_required: 'Give use_my_account, relevant_user_accounts or both.',

  // texts of the pages
  button: (action: Action, n: number) =>
    n === 1 ? forOne(action, 'this one') : `${buttons[action]} ${count(n)}`,
  of_filter: (n: number) => `The ${tasks(n)} that match the filters`,
  nothing_shown: 'No task matches the filters',
  confirm: (action: Action, n: number) =>
    n === 1 ? `${forOne(action, 'this task')}?` : `${buttons[action]} ${tasks(n)}?`,
  confirm_run_all: (n: number) => `Run ${tasks(n)}?`,
  of_group: (button: string, group: string) => `${button} of ${group}`,
  group_cannot_run: 'Each of these tasks is inactive, running or queued',
  group_cannot_stop: 'None of these tasks is running or queued',
  too_many: (max: number) => `Filter to ${count(max)} tasks or fewer`,
  failed: (action: Exclude<SummarizedAction, 'delete_later' | 'undo'>) =>
    `Failed to ${failures[action] ?? `${action} these tasks`}`,

  // all tasks, or those of a group
  no_tasks_available: 'No tasks available',
  nothing_to_stop: 'No running or queued tasks to stop',
  no_tasks_to_delete: 'No tasks to delete',
  all_activated: 'All tasks have been activated successfully.',
  all_deactivated: 'All tasks have been deactivated successfully.',
  statuses_reset: (count: number) => `${formatted(count)} task statuses have been reset successfully.`,
  nothing_to_reset: 'No tasks needed to be reset.',
  execute_all_failed: 'Error executing all tasks',
  stop_all_failed: 'Failed to stop tasks',
  delete_all_failed: 'Failed to delete all tasks',
  reset_failed: 'Failed to reset task statuses',
  toggle_all_failed: 'Failed to toggle active status for all tasks',
  group_type_unknown: 'Cannot determine correct type for group action.',
  run_group_failed: 'Failed to run group',
  stop_group_failed: 'Failed to stop group',
  reposition_failed: 'Error repositioning task',
} as const
