import type { FailureClaim, FailureMark } from '../../../contract/runs/failure-marks.ts'
import { RunWait, type Wait } from '../../../contract/runs/waits.ts'
import type { Warning } from '../../../contract/runs/warnings.ts'
import type { Progress, TaskState } from '../../../contract/tasks/schemas.ts'
import { DEFAULT_ZONE, presentLogEntry } from '../../engine/log-entries.ts'
import type { LogLevel, RunState } from '../../platform/schema.ts'

/** A task's last run, last log entry and unmet prerequisites. `now` is the clock of the database. */
export type TaskStateRow = {
  task_id: number
  now: Date
  state: RunState | null
  /** A user cancelled the retry of a failed run. */
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
  /** What a running run waits for, as reported by the run. */
  wait: unknown
  /** A worker has claimed the run. */
  picked_up: boolean
  /** Warnings of the run, acknowledged ones last. */
  warnings: Warning[]
  /** The failure mail was sent. */
  is_mailed: boolean
  mark: FailureMark | null
  claim: FailureClaim | null
  last_successful_run: Date | null
  prerequisites_count: number
  log: { id: string; level: LogLevel; message: string; created_at: Date } | null
}

/** What a queued run waits for. */
export type QueueWait = { waits_for: Wait; place: number | null }

/** Converts a row to the task state of the contract. Pure: all times are in the row. */
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
    mark: row.mark,
    claim: row.claim,
  }
}

// Warnings may have been acknowledged, or the acknowledgement withdrawn, since the run ended.
function judged({ state, warnings }: TaskStateRow): RunState | null {
  if ((state !== 'success' && state !== 'warning') || warnings.length === 0) return state
  return warnings.every(({ acknowledged }) => acknowledged) ? 'success' : 'warning'
}

/** An admitted run that no worker has claimed is shown as queued, unless it waits to retry after the database refused its rows. */
function shownState({ state, picked_up, wait }: TaskStateRow): RunState | null {
  return state === 'running' && !picked_up && wait === null ? 'queued' : state
}

function waitOf({ state, wait, picked_up }: TaskStateRow, queued: QueueWait | undefined): Wait | null {
  if (state === 'queued') return queued?.waits_for ?? null
  if (state !== 'running' && state !== 'stopping') return null
  if (wait !== null) return RunWait.parse(wait)
  return state === 'running' && !picked_up ? { for: 'pick_up' } : null
}

// Failed attempts of the last run, excluding the current or successful one.
function failedAttempts({ state, attempts }: TaskStateRow): number {
  if (state === null || attempts === null) return 0
  if (state === 'failed' || state === 'error') return Math.max(1, attempts)
  return state === 'queued' ? attempts : Math.max(0, attempts - 1)
}

// From the first start to the end or to now, including the delays between attempts.
function elapsedSeconds({ started_at, finished_at, now }: TaskStateRow): number | null {
  if (!started_at) return null
  return Math.max(0, Math.round(((finished_at ?? now).getTime() - started_at.getTime()) / 1000))
}

function progress(row: TaskStateRow): Progress {
  const rows_done = row.rows_done ?? 0
  const seconds = row.phase_started_at ? (row.now.getTime() - row.phase_started_at.getTime()) / 1000 : 0
  // No rate in the first second, because the first chunk would overestimate it.
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
