import type { RunEstimate } from '../../../tasks/run/run-estimates.ts'

/** Requests per window that the quota allows, for reads and for writes. */
export type QuotaLimits = { account: number; project: number; window_ms: number }

/** Predicted load of runs, by their medians. */
export type Load = {
  runs: number
  run_seconds: number
  reads: number
  writes: number
  /** Requests by account, of which each has a quota of its own. */
  accounts: Map<string, { reads: number; writes: number }>
}

export const noLoad = (): Load => ({ runs: 0, run_seconds: 0, reads: 0, writes: 0, accounts: new Map() })

/** Adds up the runs of tasks. Requests of a task with several accounts are divided equally among them. */
export function loadOf(tasks: Iterable<RunEstimate>): Load {
  const load = noLoad()
  for (const { seconds, reads, writes, accounts } of tasks) {
    load.runs += 1
    load.run_seconds += seconds.median
    load.reads += reads.median
    load.writes += writes.median
    // A task without a known account competes with its like.
    const shared = accounts.length > 0 ? accounts : ['']
    for (const account of shared)
      addRequests(load, account, reads.median / shared.length, writes.median / shared.length)
  }
  return load
}

/** Adds a load to another one. */
export function addLoad(total: Load, { accounts, ...more }: Load): void {
  total.runs += more.runs
  total.run_seconds += more.run_seconds
  total.reads += more.reads
  total.writes += more.writes
  for (const [account, { reads, writes }] of accounts) addRequests(total, account, reads, writes)
}

function addRequests({ accounts }: Load, account: string, reads: number, writes: number): void {
  const known = accounts.get(account)
  if (known) {
    known.reads += reads
    known.writes += writes
  } else accounts.set(account, { reads, writes })
}

/** Seconds that the requests need by each quota: the project's, and that of each account. Reads and writes count separately. */
function quotaNeeds({ reads, writes, accounts }: Load, limits: QuotaLimits): Map<string, number> {
  const seconds = (requests: number, limit: number) => ((requests / limit) * limits.window_ms) / 1000
  const needs = new Map([[PROJECT, seconds(Math.max(reads, writes), limits.project)]])
  for (const [account, own] of accounts)
    needs.set(account, seconds(Math.max(own.reads, own.writes), limits.account))
  return needs
}

// No address has this form.
const PROJECT = 'project'

/** Seconds in which the quota allows the requests of a load. */
export const quotaSeconds = (load: Load, limits: QuotaLimits): number =>
  Math.max(...quotaNeeds(load, limits).values())

/** Runs that start at one time. */
export type Start = { at: number; load: Load }

/** A time in which starts of runs keep a quota used up without a break. */
export type BusyPeriod = { at: number; last_at: number; until: number; runs: number }

/** Finds the busy periods of starts in order of time: each start's requests wait until the quota has allowed earlier ones. */
export function busyPeriods(starts: readonly Start[], limits: QuotaLimits): BusyPeriod[] {
  const periods: BusyPeriod[] = []
  const free_at = new Map<string, number>()
  for (const { at, load } of starts) {
    for (const [quota, seconds] of quotaNeeds(load, limits))
      free_at.set(quota, Math.max(free_at.get(quota) ?? at, at) + seconds * 1000)
    const until = Math.max(at, ...free_at.values())
    const current = periods.at(-1)
    if (current && at < current.until) {
      current.last_at = at
      current.until = until
      current.runs += load.runs
    } else periods.push({ at, last_at: at, until, runs: load.runs })
  }
  return periods
}
