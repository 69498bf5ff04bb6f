import { formatted } from '../counted.ts'

/** Texts of the screen with the runs of all tasks. */
export const allRunsMessages = {
  title: 'Runs',
  subtitle: 'What ran, what runs and what waits, of all tasks',
  all_tasks: 'Show the runs of all tasks',
  task_numbered: (id: number) => `Task ${id}`,
  fetch_failed: 'Failed to load runs.',
  none: 'No runs yet',
  none_hint: 'Each run of a sync task, a source task or a compile appears here as soon as it is queued.',
  nothing_matches: 'No run matches the filters',
  searched_to: (moment: string) => `Searched back to ${moment}, searching on`,
  new_runs: (count: number) => `Show ${count === 1 ? '1 new run' : `${formatted(count)} new runs`}`,
  end_of_list: 'These are all runs that are kept.',

  // one run
  fetch_run_failed: 'Failed to load the run.',
  run_gone: 'This run is no longer kept.',
  no_log: 'This run has no log lines.',
  receipt: 'Receipt',
  no_receipt: 'Only runs that succeed leave a receipt.',
  waited: 'Time',
  waited_for: 'Waited for',
  awaited_by: 'Waiting for this run',
  more_waiting: (count: number) => `and ${formatted(count)} more`,
  deleted_task: 'The task is deleted.',

  // the timeline
  fetch_timeline_failed: 'Failed to load the timeline.',
  fetch_quota_failed: 'Failed to load the quota.',
  timeline_none: 'No runs in this time',
  timeline_none_hint: 'Choose a longer time, or other filters.',
  is_cut: (count: number) =>
    `Only the newest ${formatted(count)} runs of this time are drawn. Choose a shorter time to see all.`,
  timeline_keys:
    'Arrow keys move between runs, Enter opens one, + and − zoom, Shift with an arrow moves the time, Escape shows all.',
  timeline_label: 'Runs on a time axis',
  quota_title: 'Google quota used per minute',
  quota_none: 'No requests in this time',
  quota_reads: (count: number, limit: number) =>
    `Reads: at most ${formatted(count)} of ${formatted(limit)} in a minute`,
  quota_writes: (count: number, limit: number) =>
    `Writes: at most ${formatted(count)} of ${formatted(limit)} in a minute`,
  quota_account: (requests: number, busiest: number, limit: number) =>
    `${formatted(requests)} requests, at most ${formatted(busiest)} of ${formatted(limit)} in a minute`,
} as const
