import * as z from 'zod/mini'

/** States of a run, as the engine keeps them. */
export const RunState = z.enum([
  'queued',
  'running',
  'stopping',
  'stopped',
  'success',
  'warning',
  'failed',
  'error',
])
export type RunState = z.infer<typeof RunState>

/** State of a task: that of its last run; null means that it never ran. */
export type TaskRunState = RunState | null

/** Status words of sync tasks. */
export const SyncStatus = z.enum([
  'Pending',
  'Queued',
  'Running',
  'Stopping',
  'Stopped',
  'Success',
  'Warning',
  'Failed',
  'Error',
])
export type SyncStatus = z.infer<typeof SyncStatus>

/** Status words of source tasks. */
export const SourceStatus = z.enum([
  'new',
  'pending',
  'running',
  'completed',
  'failed',
  'stopped',
  'email_sent',
])
export type SourceStatus = z.infer<typeof SourceStatus>

// What each category's calls and screens call a state. Everything behind them knows the states alone.
const labels: Record<RunState | 'never', { sync: SyncStatus; source: SourceStatus }> = {
  never: { sync: 'Pending', source: 'new' },
  queued: { sync: 'Queued', source: 'pending' },
  running: { sync: 'Running', source: 'running' },
  stopping: { sync: 'Stopping', source: 'running' },
  stopped: { sync: 'Stopped', source: 'stopped' },
  success: { sync: 'Success', source: 'completed' },
  warning: { sync: 'Warning', source: 'completed' },
  failed: { sync: 'Failed', source: 'failed' },
  error: { sync: 'Error', source: 'failed' },
}

/** Status word of a sync task in a state. */
export const syncStatus = (state: TaskRunState): SyncStatus => labels[state ?? 'never'].sync

/** Status word of a source task in a state; `is_mailed`: the mail that says it has failed has left. */
export const sourceStatus = (state: TaskRunState, is_mailed: boolean): SourceStatus => {
  const word = labels[state ?? 'never'].source
  return word === 'failed' && is_mailed ? 'email_sent' : word
}
