import { formatted } from '../counted.ts'
import { type TasksByCategory, tasksByCategory } from '../pipeline/client-messages.ts'
import { quoted } from '../quoted.ts'

/** Messages of the server about tasks of all categories. */
export const taskServerMessages = {
  // adding and editing
  config_in_use: (users: readonly string[], more: number) =>
    `This configuration is in use by ${users.join(', ')}${more ? ` and ${formatted(more)} more` : ''}.`,
  source_task_in_use: (users: readonly string[], more: number) =>
    `Rows of this are used by ${users.join(', ')}${more ? ` and ${formatted(more)} more` : ''}.`,
  used_by_type: (name: string) => `the task type ${quoted(name)}`,
  used_by_config: (name: string) => `the configuration ${quoted(name)}`,
  used_by_source_task: (name: string) => `the source task ${quoted(name)}`,
  used_by_task: (name: string) => `the sync task ${quoted(name)}`,
  account_not_shared: (email: string) =>
    `${quoted(email)} has not opted in to share a grant, so this task cannot use that account.`,
  service_account_not_allowed: (email: string) =>
    `An administrator has not allowed tasks to use the service account ${quoted(email)}.`,
  owner_gone: 'There is no such active user. Select an owner from the list of users, or nobody.',
  owner_unknown: (which: string) =>
    `There is no active user ${quoted(which)}. Select an owner from the list of users, or nobody.`,
  saved_but_closed: (which: string, reason: string) =>
    `Saved, but the ${which} spreadsheet cannot be opened: ${reason}`,

  // running
  run_started: (name: string) => `${name} is queued`,
  by_token: (token: string) => `token ${token}`,
  run_over: (name: string) => `${name} is done`,
  run_not_well: (name: string) => `${name} did not end well`,
  run_goes_on: (name: string) => `${name} is still running`,
  run_live: (name: string) => `${name} is already running`,
  run_inactive: (name: string) => `${name} is inactive`,
  run_stopping: (name: string) => `${name} is stopping`,
  run_stopped: (name: string) => `${name} is stopped`,
  run_nothing_to_stop: 'Nothing to stop',
  activated: (name: string) => `${name} is active`,
  deactivated: (name: string) => `${name} is inactive`,

  // all tasks, or those of a group
  all_started: (started: number, skipped: number) =>
    `Queued ${formatted(started)} ${started === 1 ? 'task' : 'tasks'}.${skipped === 0 ? '' : ` Skipped ${formatted(skipped)} (already running or inactive).`}`,
  pipeline_started: (started: TasksByCategory, skipped: number) =>
    `Queued ${tasksByCategory(started)}.${skipped === 0 ? '' : ` Skipped ${formatted(skipped)} (already running or inactive).`}`,
  nothing_to_start: 'Nothing was started: every task is inactive or already running',
  all_stopped: (count: number) => `${formatted(count)} ${count === 1 ? 'task is' : 'tasks are'} stopping`,
  moved: (name: string, position: number, total: number) =>
    `${name} is number ${formatted(position)} of ${formatted(total)} now`,
  already_first: (name: string) => `${name} is the first of its type already`,
  already_last: (name: string) => `${name} is the last of its type already`,

  // runs, logs and copied data
  column_unknown: (name: string) => `There is no column “${quoted(name)}” in the copied data.`,
} as const
