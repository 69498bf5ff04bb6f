import { formatted } from '../counted.ts'

const count = (n: number) => n.toLocaleString('en-US')
const tasks = (n: number) => `${count(n)} ${n === 1 ? 'task' : 'tasks'}`

/** Texts of the dialogs that ask before an action on several tasks. */
export const bulkQuestions = {
  confirm_run: (startable: number, others: number) =>
    `${tasks(startable)} ${startable === 1 ? 'starts' : 'start'} as soon as slots are free.${others > 0 ? ` ${count(others)} more ${others === 1 ? 'is' : 'are'} already running or inactive and skipped.` : ''}`,
  confirm_stop: (n: number) =>
    `${count(n)} of them ${n === 1 ? 'is' : 'are'} running or queued. The progress of running tasks is lost, and queued tasks are not queued again. Tasks hidden by filters continue.`,
  confirm_toggle: (active: boolean) =>
    `Tasks hidden by filters are not changed.${active ? '' : ' None of these runs until it is active again.'}`,
  confirm_delete: (n: number, live: number, keeps: string) =>
    `${n === 1 ? 'Its' : 'Their'} logs and stored rows are deleted. ${keeps} Tasks hidden by filters are not deleted.${live > 0 ? ` ${count(live)} of them ${live === 1 ? 'is' : 'are'} running or queued and not deleted.` : ''}`,
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

  confirm_stop_all: 'Confirm Stop All',
  confirm_stop_all_text: (count: number) =>
    `Stop ${formatted(count)} ${count === 1 ? 'task' : 'tasks'} running or queued? The progress of running tasks is lost, and queued tasks are not queued again.`,
  confirm_activate_all: 'Activate all tasks',
  confirm_deactivate_all: 'Deactivate all tasks',
  confirm_toggle_all_text: (active: boolean, count: number) =>
    `${active ? 'Activate' : 'Deactivate'} all ${formatted(count)} ${count === 1 ? 'task' : 'tasks'}? Which tasks are ${active ? 'inactive' : 'active'} now is not stored.${active ? '' : ' None of them runs until it is active again.'}`,
} as const
