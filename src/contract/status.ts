import { z } from 'zod'

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

const sync_words: Record<RunState, SyncStatus> = {
  queued: 'Queued',
  running: 'Running',
  stopping: 'Stopping',
  stopped: 'Stopped',
  success: 'Success',
  warning: 'Warning',
  failed: 'Failed',
  error: 'Error',
}

/** Status word of a sync task from the state of its last run; null means that it never ran. */
export const syncStatus = (state: RunState | null): SyncStatus =>
  state === null ? 'Pending' : sync_words[state]

/** Status words of source tasks. */
export const SourceStatus = z.enum(['new', 'pending', 'running', 'completed', 'failed', 'stopped'])
export type SourceStatus = z.infer<typeof SourceStatus>

const source_words: Record<RunState, SourceStatus> = {
  queued: 'pending',
  running: 'running',
  stopping: 'running',
  stopped: 'stopped',
  success: 'completed',
  warning: 'completed',
  failed: 'failed',
  error: 'failed',
}

/** Status word of a source task from the state of its last run; null means that it never ran. */
export const sourceStatus = (state: RunState | null): SourceStatus =>
  state === null ? 'new' : source_words[state]

/** States in which a run is not over yet. */
export const isLive = (status: SyncStatus) =>
  status === 'Queued' || status === 'Running' || status === 'Stopping'
