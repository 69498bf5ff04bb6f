import * as z from 'zod/mini'

/** States of a run in the engine. */
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

/** State of a task's last run; null if it never ran. */
export type TaskRunState = RunState | null

/** Status labels of sync tasks in the API. */
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

/** Status labels of source tasks in the API. */
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

// API and screens use a label per category; everything behind them uses the state.
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

/** Status label of a sync task. */
export const syncStatus = (state: TaskRunState): SyncStatus => labels[state ?? 'never'].sync

/** Status label of a source task. `is_mailed`: the failure mail was sent. */
export const sourceStatus = (state: TaskRunState, is_mailed: boolean): SourceStatus => {
  const word = labels[state ?? 'never'].source
  return word === 'failed' && is_mailed ? 'email_sent' : word
}
