import { forecastMessages as messages } from '../../../contract/forecast/server-messages.ts'
import {
  type PlannedRun,
  type SimulatedRun,
  type SimulationLimits,
  simulateRuns,
  type TypeRules,
} from './simulate-runs.ts'

const STEP_MS = 5 * 60_000
const TRIES = 4

/** When the tasks of a deadline are ready. `ready_at` null: none of them runs before the deadline. Times in milliseconds. */
export type DeadlineForecast = {
  ready_at: number | null
  is_late: boolean
  reason: string
  suggestion: string
  /** The late runs, and a start at which they would be ready in time; null: none was found, or nothing is late. */
  move: { runs: readonly PlannedRun[]; at: number } | null
  late_task_ids: number[]
}

type Rules = { types: ReadonlyMap<number, TypeRules>; limits: SimulationLimits; now: number }
type Deadline = { at: number; tasks: ReadonlySet<number> }
type Clock = (at: number) => string

/** The last run of each task that is due before the deadline. */
export function runsBefore(results: readonly SimulatedRun[], { at, tasks }: Deadline): SimulatedRun[] {
  const last = new Map<number, SimulatedRun>()
  for (const result of results) {
    const { task_id, due_at } = result.run
    if (!tasks.has(task_id) || due_at >= at) continue
    if (due_at >= (last.get(task_id)?.run.due_at ?? Number.NEGATIVE_INFINITY)) last.set(task_id, result)
  }
  return [...last.values()]
}

const latest = (runs: readonly SimulatedRun[]) =>
  runs.reduce<number | null>((most, { finished_at }) => Math.max(most ?? finished_at, finished_at), null)

/**
 * Says when the tasks of a deadline are ready, and if they are late, why and what would help. A suggested time has been simulated.
 * `clock` formats a time of day.
 */
export function forecastDeadline(
  runs: readonly PlannedRun[],
  results: readonly SimulatedRun[],
  deadline: Deadline,
  rules: Rules,
  clock: Clock,
): DeadlineForecast {
  const before = runsBefore(results, deadline)
  const ready_at = latest(before)
  const late = before.filter(({ finished_at }) => finished_at > deadline.at)
  const on_time = { ready_at, is_late: false, suggestion: '', move: null, late_task_ids: [] }
  if (ready_at === null) return { ...on_time, reason: messages.nothing_due }
  if (late.length === 0) return { ...on_time, reason: '' }
  // Runs that occupy slots while they wait for the quota make others wait for slots.
  const share = quotaShare(results)
  const cause = causeOf(late, share)
  const waited = Math.max(...late.map((run) => causesOf(run, share)[cause])) / 1000
  const reason = `${messages.expected(late.length, clock(ready_at), (ready_at - deadline.at) / 1000)}: ${messages.because[cause](waited)}.`
  const moved = earlierStart(runs, late, deadline, rules)
  const suggestion = moved === null ? messages.other[cause] : messages.move(late.length, clock(moved))
  const move = moved === null ? null : { runs: late.map(({ run }) => run), at: moved }
  return {
    ready_at,
    is_late: true,
    reason,
    suggestion,
    move,
    late_task_ids: late.map(({ run }) => run.task_id),
  }
}

type Cause = 'quota' | 'slot' | 'prerequisites' | 'work'

/** Share of the quota in the time that runs take from start to end. */
function quotaShare(results: readonly SimulatedRun[]): number {
  const taken = results.reduce((sum, { started_at, finished_at }) => sum + finished_at - started_at, 0)
  const waited = results.reduce((sum, { waits }) => sum + waits.quota, 0)
  return taken > 0 ? waited / taken : 0
}

/** Where the time until the end of a run goes, in milliseconds. */
const causesOf = ({ run, waits }: SimulatedRun, share: number): Record<Cause, number> => ({
  quota: waits.quota + waits.slot * share,
  slot: waits.slot * (1 - share),
  prerequisites: waits.prerequisites,
  work: run.seconds * 1000,
})

function causeOf(late: readonly SimulatedRun[], share: number): Cause {
  const total = (cause: Cause) => late.reduce((sum, run) => sum + causesOf(run, share)[cause], 0)
  const causes = ['quota', 'slot', 'prerequisites', 'work'] as const
  return causes.reduce((most, cause) => (total(cause) > total(most) ? cause : most))
}

/** A time at which the late runs could start to be ready in time; null if none was found. */
function earlierStart(
  runs: readonly PlannedRun[],
  late: readonly SimulatedRun[],
  deadline: Deadline,
  { types, limits, now }: Rules,
): number | null {
  const moving = new Set(late.map(({ run }) => run))
  const first = Math.min(...late.map(({ run }) => run.due_at))
  const lateness = Math.max(...late.map(({ finished_at }) => finished_at)) - deadline.at
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    const start = Math.floor((first - lateness * attempt) / STEP_MS) * STEP_MS
    if (start <= now) return null
    const tried = runs
      .map((run) => (moving.has(run) ? { ...run, due_at: Math.min(run.due_at, start) } : run))
      .sort((a, b) => a.due_at - b.due_at)
    const ends = runsBefore(simulateRuns(tried, types, limits), deadline)
    if (ends.every(({ finished_at }) => finished_at <= deadline.at)) return start
  }
  return null
}
