import { forecastMessages as messages } from '../../../../contract/forecast/server-messages.ts'
import { forecastDeadline, runsBefore } from '../../../tasks/forecast/forecast-deadline.ts'
import type {
  PlannedRun,
  SimulatedRun,
  SimulationLimits,
  TypeRules,
} from '../../../tasks/forecast/simulate-runs.ts'
import type { SubjectTask } from '../queries/subjects.ts'

const DAY_MS = 86_400_000
// A 90th percentile of fewer runs per task is no more than the longest of them.
const MIN_RUNS_FOR_WORST = 3

type Subject = { kind: 'task' | 'type' | 'spreadsheet'; deadline: Date; tasks: readonly SubjectTask[] }

type Simulation = {
  types: ReadonlyMap<number, TypeRules>
  limits: SimulationLimits
  now: Date
  /** Live and coming runs by median durations, and the results of their simulation. */
  runs: readonly PlannedRun[]
  results: readonly SimulatedRun[]
  /** Results by 90th percentiles. */
  worst: readonly SimulatedRun[]
  /** Recent successful runs of each active task. */
  measured: ReadonlyMap<number, number>
  /** Formats a time of day of the schedule time zone. */
  clock: (at: number) => string
}

/**
 * Forecast of one deadline: simulated runs, and for tasks that are not due again before it, the runs that have ended since the day
 * before.
 */
export function forecastOf({ kind, deadline, tasks }: Subject, simulation: Simulation) {
  const { now, measured, clock } = simulation
  const at = deadline.getTime()
  const measuredRuns = tasks.map(({ task_id }) => measured.get(task_id) ?? 0)
  const measured_tasks = measuredRuns.filter((runs) => runs > 0).length
  const measured_runs = measuredRuns.reduce((sum, runs) => sum + runs, 0)
  const unknown = {
    ...{ tasks: tasks.length, measured_tasks, measured_runs },
    ...{ ready_at: null, ready_at_worst: null, is_late: false, is_ready: false },
    ...{ suggestion: '', moves: [], late_task_ids: [] as number[] },
    overdue_task_ids: overdueOf(tasks, at),
  }
  if (tasks.length === 0)
    return { ...unknown, reason: kind === 'spreadsheet' ? messages.no_task_writes : messages.no_task[kind] }
  if (measured_tasks === 0) return { ...unknown, reason: messages.unmeasured }

  const target = { at, tasks: new Set(tasks.map(({ task_id }) => task_id)) }
  const rules = { types: simulation.types, limits: simulation.limits, now: now.getTime() }
  const forecast = forecastDeadline(simulation.runs, simulation.results, target, rules, clock)
  const due = new Set(runsBefore(simulation.results, target).map(({ run }) => run.task_id))
  const { ended, failed } = resultsOf(
    tasks.filter(({ task_id }) => !due.has(task_id)),
    at - DAY_MS,
  )
  const ready_at = latest([...ended, ...(forecast.ready_at === null ? [] : [forecast.ready_at])])
  const late_task_ids = [...forecast.late_task_ids, ...failed]
  if (failed.length > 0 && !forecast.is_late)
    return {
      ...unknown,
      ready_at,
      is_late: true,
      reason: messages.failed(failed.length),
      suggestion: messages.run_again(failed.length),
      late_task_ids,
    }
  if (ready_at === null) return { ...unknown, reason: messages.nothing_due }
  const worst = runsBefore(simulation.worst, target).map(({ finished_at }) => finished_at)
  const is_worst_known = measured_runs >= MIN_RUNS_FOR_WORST * measured_tasks && worst.length > 0
  return {
    ...unknown,
    ready_at,
    ready_at_worst: is_worst_known ? latest([...ended, ...worst]) : null,
    is_late: forecast.is_late,
    is_ready: due.size === 0,
    reason: forecast.is_late ? forecast.reason : '',
    suggestion: forecast.suggestion,
    moves: forecast.move ? movesOf(forecast.move, tasks, clock) : [],
    late_task_ids,
  }
}

const latest = (moments: readonly number[]) => (moments.length === 0 ? null : new Date(Math.max(...moments)))

/** What tasks that are not due again have come to since `from`: the ends of their successful runs, and which tasks failed. */
function resultsOf(tasks: readonly SubjectTask[], from: number) {
  const ended: number[] = []
  const failed: number[] = []
  for (const { task_id, succeeded_at, last_state, ended_at } of tasks) {
    if (succeeded_at && succeeded_at.getTime() > from) ended.push(succeeded_at.getTime())
    else if ((last_state === 'failed' || last_state === 'error') && ended_at && ended_at.getTime() > from)
      failed.push(task_id)
  }
  return { ended, failed }
}

/** Tasks whose last run has not succeeded and that did not succeed in the day before the deadline that precedes `at`, nor since. */
const overdueOf = (tasks: readonly SubjectTask[], at: number): number[] =>
  tasks
    .filter(
      ({ created_at, last_state, succeeded_at }) =>
        created_at.getTime() < at - DAY_MS &&
        last_state !== null &&
        last_state !== 'success' &&
        last_state !== 'warning' &&
        (succeeded_at?.getTime() ?? 0) <= at - 2 * DAY_MS,
    )
    .map(({ task_id }) => task_id)

/** The schedules after a move, each with its tasks; empty if a run is not due by a time of its own task. */
function movesOf(
  { runs, at }: { runs: readonly PlannedRun[]; at: number },
  tasks: readonly SubjectTask[],
  clock: (at: number) => string,
) {
  const schedules = new Map(tasks.map(({ task_id, scheduled_times }) => [task_id, scheduled_times]))
  const moved = runs.map(({ task_id, due_at }) => {
    const times = schedules.get(task_id) ?? []
    const due = clock(due_at)
    if (!times.includes(due)) return null
    const others = times.filter((time) => time !== due)
    return { id: task_id, scheduled_times: [...new Set([...others, clock(at)])].sort() }
  })
  const known = moved.filter((one) => one !== null)
  if (known.length < moved.length) return []
  const groups = Map.groupBy(known, ({ scheduled_times }) => scheduled_times.join())
  return [...groups.values()].map((group) => ({
    ids: group.map(({ id }) => id),
    scheduled_times: group[0]?.scheduled_times ?? [],
  }))
}
