import type { Progress, TaskState } from '../../../contract/tasks.ts'
import { RunWait, type Wait } from '../../../contract/waits.ts'
import type { Warning } from '../../../contract/warnings.ts'
import { DEFAULT_ZONE, presentLogEntry } from '../../engine/log-entries.ts'
import type { LogLevel, RunState } from '../../platform/schema.ts'

/** What the database knows of a task's last run, its log and what stands in its way. `now` is the database's. */
export type TaskStateRow = {
  task_id: number
  now: Date
  state: RunState | null
  /** The rest of a failed run was cancelled by a person. */
  stopped: boolean
  queued_at: Date | null
  started_at: Date | null
  finished_at: Date | null
  trigger_label: string | null
  attempts: number | null
  phase: string | null
  phase_started_at: Date | null
  rows_done: number | null
  rows_total: number | null
  /** What a run at work said that it waits for. */
  wait: unknown
  /** A worker has it in its hands. */
  picked_up: boolean
  /** What the run leaves to be looked at, the acknowledged ones last. */
  warnings: Warning[]
  /** The mail has left that says that it failed. */
  is_mailed: boolean
  last_successful_run: Date | null
  prerequisites_count: number
  log: { id: string; level: LogLevel; message: string; created_at: Date } | null
}

/** What a queued run waits for. */
export type QueueWait = { waits_for: Wait; place: number | null }

/** A task's state as the contract has it. Pure: times are in the row. */
export function taskState(
  row: TaskStateRow,
  { zone = DEFAULT_ZONE, queued }: { zone?: string; queued?: QueueWait | undefined } = {},
): TaskState {
  const state = shownState(row)
  const at_work = state === 'running' || state === 'stopping'
  const live = at_work || state === 'queued'
  return {
    id: row.task_id,
    state: row.stopped ? 'stopped' : judged({ ...row, state }),
    running_status: at_work,
    retry_count: Math.max(0, (row.attempts ?? 0) - 1),
    last_error_count: failedAttempts(row),
    total_elapsed_seconds: elapsedSeconds(row),
    started_at: live ? (row.started_at?.toISOString() ?? null) : null,
    prerequisites_count: row.prerequisites_count,
    last_successful_run: row.last_successful_run?.toISOString() ?? null,
    last_triggered: row.queued_at
      ? { time: row.queued_at.toISOString(), triggered_by: row.trigger_label ?? '' }
      : null,
    latest_log: row.log ? presentLogEntry(row.log, zone) : null,
    progress: at_work ? progress(row) : null,
    waits_for: waitOf(row, queued),
    place: row.state === 'queued' ? (queued?.place ?? null) : null,
    run_warnings: row.warnings,
    is_mailed: row.is_mailed,
  }
}

// A person may have acknowledged a warning since the run ended, or have taken that back.
function judged({ state, warnings }: TaskStateRow): RunState | null {
  if ((state !== 'success' && state !== 'warning') || warnings.length === 0) return state
  return warnings.every(({ acknowledged }) => acknowledged) ? 'success' : 'warning'
}

/**
 * A run that was admitted and that no worker has claimed yet waits like one that was not; unless it is between two tries on a database that
 * refused its rows.
 */
function shownState({ state, picked_up, wait }: TaskStateRow): RunState | null {
  return state === 'running' && !picked_up && wait === null ? 'queued' : state
}

function waitOf({ state, wait, picked_up }: TaskStateRow, queued: QueueWait | undefined): Wait | null {
  if (state === 'queued') return queued?.waits_for ?? null
  if (state !== 'running' && state !== 'stopping') return null
  if (wait !== null) return RunWait.parse(wait)
  return state === 'running' && !picked_up ? { for: 'pick_up' } : null
}

// Of the last run. The attempt that is under way or went well is not among them.
function failedAttempts({ state, attempts }: TaskStateRow): number {
  if (state === null || attempts === null) return 0
  if (state === 'failed' || state === 'error') return Math.max(1, attempts)
  return state === 'queued' ? attempts : Math.max(0, attempts - 1)
}

// From the first start to the end, waits for later attempts included; to now while it lasts.
function elapsedSeconds({ started_at, finished_at, now }: TaskStateRow): number | null {
  if (!started_at) return null
  return Math.max(0, Math.round(((finished_at ?? now).getTime() - started_at.getTime()) / 1000))
}

function progress(row: TaskStateRow): Progress {
  const rows_done = row.rows_done ?? 0
  const seconds = row.phase_started_at ? (row.now.getTime() - row.phase_started_at.getTime()) / 1000 : 0
  // Less than a second tells no rate: the first chunk would promise the moon.
  const rate = seconds >= 1 && rows_done > 0 ? rows_done / seconds : null
  return {
    phase: row.phase ?? '',
    rows_done,
    rows_total: row.rows_total,
    rows_per_second: rate === null ? null : Math.round(rate * 10) / 10,
    seconds_left:
      rate === null || row.rows_total === null
        ? null
        : Math.max(0, Math.ceil((row.rows_total - rows_done) / rate)),
  }
}
