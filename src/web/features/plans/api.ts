import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { type PlanPage, type Preview, plans, type RowChangeKind } from '../../../contract/plans/calls.ts'
import { runs } from '../../../contract/runs/calls.ts'
import type { RunState } from '../../../contract/runs/status.ts'
import { syncTasks } from '../../../contract/sync-tasks/calls.ts'
import { call } from '../../lib/call.ts'

const POLL_MS = 1_000
const PAGE = 100
const LIVE: readonly RunState[] = ['queued', 'running', 'stopping']

export const isLive = (state: RunState) => LIVE.includes(state)

/** A run of a task, again every second until it ends. */
export const runQuery = (id: number) =>
  queryOptions({
    queryKey: [runs.get.path, id] as const,
    queryFn: ({ signal }) => call(runs.get, { params: { id }, signal }),
    refetchInterval: ({ state: { data } }) => (data && isLive(data.state) ? POLL_MS : false),
    staleTime: 0,
    meta: {},
  })

/** What a run has changed, or would change if it is a preview. */
export const planQuery = (run_id: number) =>
  queryOptions({
    queryKey: [plans.ofRun.path, run_id] as const,
    queryFn: ({ signal }) => call(plans.ofRun, { params: { id: run_id }, signal }),
    staleTime: 0,
    meta: {},
  })

/** Filters of a plan's rows; blank and null: all. `tab`: the value of a tab. */
export type PlanFilters = { kind: RowChangeKind | null; search: string; tab: string | null }

export const planRowsQuery = (hash: string, { kind, search, tab }: PlanFilters) =>
  infiniteQueryOptions({
    queryKey: [plans.rows.path, hash, kind, search, tab] as const,
    queryFn: ({ pageParam, signal }): Promise<PlanPage> =>
      call(plans.rows, {
        params: { hash },
        query: {
          after: String(pageParam),
          limit: String(PAGE),
          ...(kind && { kind }),
          ...(search && { search }),
          ...(tab !== null && { tab }),
        },
        signal,
      }),
    initialPageParam: 0,
    getNextPageParam: ({ next }) => next,
    meta: {},
  })

/** Starts a run that writes exactly the rows of a plan. */
export const applyPlan = (id: number, plan: string) =>
  call(syncTasks.execute, { params: { id }, query: {}, body: { plan } })

/** Starts a run for each of several plans that writes exactly its rows. */
export const applyPlans = (hashes: string[]) => call(syncTasks.applyPlans, { body: { plans: hashes } })

const isChanging = ({ state, plan }: Preview) =>
  isLive(state) || (plan?.applied_by ? isLive(plan.applied_by.state) : false)

/** Previews with their plans, again every second until they and the runs that write them are over. */
export const previewsQuery = (runs: string) =>
  queryOptions({
    queryKey: [plans.previews.path, runs] as const,
    queryFn: ({ signal }) => call(plans.previews, { query: { runs }, signal }),
    refetchInterval: ({ state: { data } }) => (data?.some(isChanging) ? POLL_MS : false),
    staleTime: 0,
    meta: {},
  })
