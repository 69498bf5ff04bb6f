import { formatted } from '../counted.ts'
import type { AttentionKind } from './calls.ts'

/** Task counts by category. */
export type TasksByCategory = { source: number; compiler: number; sync: number }

/** "3 source tasks, 1 compile, 2 sync tasks", without zero counts. */
export const tasksByCategory = ({ source, compiler, sync }: TasksByCategory) =>
  [counted(source, 'source task'), counted(compiler, 'compile'), counted(sync, 'sync task')]
    .filter(Boolean)
    .join(', ')

const counted = (count: number, word: string) =>
  count === 0 ? '' : `${formatted(count)} ${word}${count === 1 ? '' : 's'}`

/** Texts of the pipeline status, on the home page and where it is run. */
export const pipelineMessages = {
  fetch_failed: 'Failed to load pipeline status.',
  run: 'Run pipeline',
  run_failed: 'Failed to run the pipeline',
  confirm_run: 'Run the whole pipeline?',
  confirm_run_text: (startable: TasksByCategory) => `This queues ${tasksByCategory(startable)}.`,
  confirm_run_order:
    'Each task waits until the tasks it reads from and the types it depends on have finished.',
  confirm_run_skipped: (count: number) =>
    count === 1 ? '1 task is already running.' : `${formatted(count)} tasks are already running.`,
  nothing_to_run: 'There is nothing to start: every task is inactive or already running.',

  // summary
  all_right: 'Everything is all right',
  outage: 'Parts of Rowferry are down',
  live: (running: number, waiting: number) =>
    [running > 0 ? `${formatted(running)} running` : '', waiting > 0 ? `${formatted(waiting)} waiting` : '']
      .filter(Boolean)
      .join(', '),
  failed: (count: number) => (count === 1 ? '1 task has failed' : `${formatted(count)} tasks have failed`),
  to_look_at: (count: number) =>
    count === 1 ? '1 task needs attention' : `${formatted(count)} tasks need attention`,
  and_to_look_at: (count: number) =>
    count === 1 ? '1 more needs attention' : `${formatted(count)} more need attention`,
  schedule_off: 'The source schedule is stopped',
  schedule_off_text: 'Scheduled source and compiler runs do not start until it is started again.',
  no_runs_yet: 'Nothing has run yet',
  all_inactive: 'Every task is inactive',
  no_tasks: 'No tasks yet',
  no_tasks_text: 'Your data will flow from sources through source tasks and the compiler to target sheets.',
  demo: 'Try the full pipeline with demo data',
  demo_text:
    'One click sets up four source tasks (two sheets, an API, a database), a compile that merges them, and a sync task that copies the result into the Web shop spreadsheet, and runs them.',
  demo_run: 'Set up and run the demo',
  demo_failed: 'Failed to set up the demo',
  demo_runs: 'The demo is running',
  demo_runs_text:
    'Four source tasks read two sheets, an API and a database. Then a compile merges them, and a sync task writes the result.',
  demo_done: (products: number, spreadsheet: string) =>
    `The demo is done: ${formatted(products)} products are in ${spreadsheet}`,
  demo_warning:
    'One warning is there on purpose: three discounts in Supplier A prices are #N/A, as failed lookups are. The catalogue has the discounts of the master instead. Acknowledge the warning, or correct the cells and run the pipeline again.',
  demo_not_done: 'The demo did not finish',
  demo_not_done_text: 'The page of its sync task says why.',
  demo_result: 'See the result',
  demo_records: 'See the merged records',
  demo_open: 'Open its task',
  demo_close: 'Close the demo',
  runs_today: (count: number) =>
    count === 0 ? 'no run has ended today' : count === 1 ? '1 run today' : `${formatted(count)} runs today`,
  next_at: (moment: string) => `next at ${moment}`,
  nothing_next: 'nothing is scheduled',

  // reasons for attention
  waiting: 'New rows need your approval',
  missed: (reason: string) => `A scheduled run was missed: ${reason}`,
  behind: (origin: string) => `${origin} has newer rows than it last read`,
  for_review: (count: number) =>
    count === 1
      ? '1 override is for review: a source has changed since.'
      : `${formatted(count)} overrides are for review: a source has changed since.`,
  review_them: 'Keep or drop them',
  stopped: (by: string) => (by === '' ? 'Stopped' : `Stopped by ${by}`),
  needs_attention: 'Needs attention',
  kinds: {
    failed: 'Failed',
    waiting: 'Waiting',
    missed: 'Missed',
    behind: 'Behind',
    review: 'For review',
    warning: 'Warning',
    stopped: 'Stopped',
  },
  failed_of: (tasks: string) => `${tasks} failed`,
  nothing_new: 'Nothing new needs attention.',
  known_only: 'Nothing new needs attention',
  late_title: 'Predicted to be late',
  late: (name: string, ready_by: string, ready_at: string | null) =>
    `${name} will not be ready by ${ready_by}${ready_at === null ? '' : `, but at ${ready_at}`}.`,
  more: (count: number) => (count === 1 ? 'and 1 more' : `and ${formatted(count)} more`),

  runs_per_day: 'Runs per day',
  no_runs: 'No run has ended in the last two weeks.',
  running_now: 'Running now',
  coming_up: 'Coming up',
  nothing_scheduled: 'Nothing is scheduled.',
  schedule: 'Schedule',
  quota: 'Google quota',
  quota_hint: 'Requests in the last minute',
  all_accounts: 'all accounts together',
} as const

/** Why a task needs attention; `reason` as in `Attention`. */
export function attentionReason(kind: AttentionKind, reason: string): string {
  switch (kind) {
    case 'failed':
    case 'warning':
      return reason
    case 'waiting':
      return reason || pipelineMessages.waiting
    case 'missed':
      return pipelineMessages.missed(reason)
    case 'behind':
      return pipelineMessages.behind(reason)
    case 'review':
      return pipelineMessages.for_review(Number(reason))
    case 'stopped':
      return pipelineMessages.stopped(reason)
  }
}
