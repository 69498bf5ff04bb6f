import { formatted } from '../counted.ts'
import { quoted } from '../quoted.ts'

const count = (n: number) => n.toLocaleString('en-US')
const tasks = (n: number) => `${count(n)} ${n === 1 ? 'task' : 'tasks'}`

type Action = 'run' | 'stop' | 'activate' | 'deactivate' | 'delete'

/** What the server has done to several tasks. */
export type BulkCounts = { done: number; skipped: number; refused: number; unknown: number }

const verbs: Record<Action, { done: (n: number) => string; none: string; skipped: string }> = {
  run: {
    done: (n) => `Queued ${tasks(n)}.`,
    none: 'Nothing was started.',
    skipped: 'already running or inactive',
  },
  stop: { done: (n) => `Stopping ${tasks(n)}.`, none: 'Nothing to stop.', skipped: 'nothing to stop' },
  activate: {
    done: (n) => `Activated ${tasks(n)}.`,
    none: 'Nothing was activated.',
    skipped: 'already active',
  },
  deactivate: {
    done: (n) => `Deactivated ${tasks(n)}.`,
    none: 'Nothing was deactivated.',
    skipped: 'already inactive',
  },
  delete: { done: (n) => `Deleted ${tasks(n)}.`, none: 'Nothing was deleted.', skipped: '' },
}

const buttons: Record<Action, string> = {
  run: 'Run these',
  stop: 'Stop these',
  activate: 'Activate these',
  deactivate: 'Deactivate these',
  delete: 'Delete these',
}

const forOne = (action: Action, one: string) => buttons[action].replace('these', one)

/** Texts of actions on several tasks at once. */
export const bulkMessages = {
  // what the server answers
  summary: (
    action: Action,
    { done, skipped, refused, unknown }: BulkCounts,
    refusal: { name: string; message: string } | null,
  ) =>
    [
      done > 0 ? verbs[action].done(done) : verbs[action].none,
      skipped > 0 && `Skipped ${count(skipped)} (${verbs[action].skipped}).`,
      refusal &&
        `Refused ${count(refused)}: ${quoted(refusal.name)}: ${refusal.message}${/[.!?]$/.test(refusal.message) ? '' : '.'}`,
      unknown > 0 && `${tasks(unknown)} ${unknown === 1 ? 'does' : 'do'} not exist any more.`,
    ]
      .filter(Boolean)
      .join(' '),
  unknown: (id: number) => `There is no sync or source task ${id}`,
  already_active: (name: string) => `${name} is active already`,
  already_inactive: (name: string) => `${name} is inactive already`,
  deleted: (name: string) => `${name} is deleted`,

  // what pages say by themselves
  button: (action: Action, n: number) =>
    n === 1 ? forOne(action, 'this one') : `${buttons[action]} ${count(n)}`,
  of_filter: (n: number) => `The ${tasks(n)} that the filters show`,
  nothing_shown: 'The filters show no task',
  confirm: (action: Action, n: number) =>
    n === 1 ? `${forOne(action, 'this task')}?` : `${buttons[action]} ${tasks(n)}?`,
  confirm_run: (startable: number, others: number) =>
    `${tasks(startable)} ${startable === 1 ? 'starts' : 'start'} as soon as there is room.${others > 0 ? ` ${count(others)} more ${others === 1 ? 'is' : 'are'} already running or inactive and left alone.` : ''}`,
  confirm_run_all: (n: number) => `Run ${tasks(n)}?`,
  confirm_stop: (n: number) =>
    `${count(n)} of them ${n === 1 ? 'is' : 'are'} running or queued. What a run has done so far is lost, and a queued one does not start by itself again. Tasks that the filters hide go on.`,
  confirm_toggle: (active: boolean) =>
    `Tasks that the filters hide stay as they are.${active ? '' : ' None of these runs until it is active again.'}`,
  confirm_delete: (live: number, keeps: string) =>
    `Their logs and their stored rows are lost. ${keeps} Tasks that the filters hide stay.${live > 0 ? ` ${count(live)} of them ${live === 1 ? 'is' : 'are'} running or queued and not deleted.` : ''}`,
  of_group: (button: string, group: string) => `${button} of ${group}`,
  group_cannot_run: 'Each of these tasks is inactive, running or queued',
  group_cannot_stop: 'None of these tasks is running or queued',
  too_many: (max: number) => `Filter to ${count(max)} tasks or fewer`,
  failed: (action: Action) => `Failed to ${action} these tasks`,

  // quota time
  quota_pending: 'Estimating the Google quota this needs…',
  quota_none: 'This needs no Google quota.',
  quota_unknown: 'None of these tasks has run yet, so the Google quota they need is unknown.',
  quota_time: (requests: number, time: string) =>
    `Based on their last runs, this needs about ${count(requests)} requests to Google: ${time} of its quota.`,
  quota_guessed: (n: number) =>
    `${count(n)} of them ${n === 1 ? 'has' : 'have'} never run and ${n === 1 ? 'counts' : 'count'} as the average of others.`,
  quota_failed: 'The Google quota this needs cannot be estimated at present.',
  quota_seconds: 'less than a minute',
  quota_minutes: (n: number) => `at least ${count(n)} ${n === 1 ? 'minute' : 'minutes'}`,
  quota_hours: (hours: number, minutes: number) =>
    `at least ${count(hours)} ${hours === 1 ? 'hour' : 'hours'}${minutes > 0 ? ` ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}` : ''}`,

  // all tasks, or those of a group
  no_tasks_available: 'No tasks available',
  nothing_to_stop: 'No running or queued tasks to stop',
  no_tasks_to_delete: 'No tasks to delete',
  confirm_stop_all: 'Confirm Stop All',
  confirm_stop_all_text: (count: number) =>
    `Stop ${formatted(count)} ${count === 1 ? 'task' : 'tasks'} running or queued? What a run has done so far is lost, and a queued one does not start by itself again.`,
  confirm_activate_all: 'Activate all tasks',
  confirm_deactivate_all: 'Deactivate all tasks',
  confirm_toggle_all_text: (active: boolean, count: number) =>
    `${active ? 'Activate' : 'Deactivate'} all ${formatted(count)} ${count === 1 ? 'task' : 'tasks'}? Which of them are ${active ? 'inactive' : 'active'} now is not kept.${active ? '' : ' None of them runs until it is active again.'}`,
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
