import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import { allRuns, type ListedRun } from '../../../contract/all-runs/calls.ts'
import { allRunsMessages as messages } from '../../../contract/all-runs/client-messages.ts'
import { call } from '../../lib/call.ts'
import { serverNow } from '../../lib/server-clock.ts'
import { queryOf, type RunFilters } from './components/run-filters.ts'

/** Runs of one page of the list. */
const PAGE = 50

export type RunPages = {
  pages: { runs: ListedRun[]; next: number | null; searched_to: string | null }[]
  pageParams: unknown[]
}
export type Report = z.infer<typeof allRuns.report.reply>
export type Timeline = z.infer<typeof allRuns.timeline.reply>

export const LIST_KEY = [allRuns.list.path] as const
export const TIMELINE_KEY = [allRuns.timeline.path] as const

/** Runs that pass the filters, newest first. */
export const runsQuery = (filters: RunFilters) =>
  infiniteQueryOptions({
    queryKey: [...LIST_KEY, filters] as const,
    queryFn: ({ pageParam, signal }) =>
      call(allRuns.list, {
        query: {
          ...queryOf(filters, serverNow()),
          limit: String(PAGE),
          ...(pageParam !== null && { cursor: String(pageParam) }),
        },
        signal,
      }),
    initialPageParam: null as number | null,
    getNextPageParam: ({ next }) => next,
    staleTime: 0,
    meta: { failure: messages.fetch_failed },
  })

/** Task types and users to filter by. */
export const choicesQuery = queryOptions({
  queryKey: [allRuns.choices.path] as const,
  queryFn: ({ signal }) => call(allRuns.choices, { signal }),
  staleTime: 60_000,
  meta: {},
})

/** A run with its log and its waits. */
export const reportQuery = (id: number) =>
  queryOptions({
    queryKey: [allRuns.report.path, id] as const,
    queryFn: ({ signal }) => call(allRuns.report, { params: { id }, signal }),
    staleTime: 0,
    meta: {},
  })

/** `key` is the range's name: its moments move on with the clock. */
type Range = { key: string; from: number; to: number }
const momentsOf = ({ from, to }: Range) => ({
  from: new Date(from).toISOString(),
  to: new Date(to).toISOString(),
})

/** Runs within a range of time. */
export const timelineQuery = (range: Range) =>
  queryOptions({
    queryKey: [...TIMELINE_KEY, range.key] as const,
    queryFn: ({ signal }) => call(allRuns.timeline, { query: momentsOf(range), signal }),
    staleTime: 0,
    meta: {},
  })

/** Requests per minute within a range of time, a bucket for each of so many minutes. */
export const quotaQuery = (range: Range, bucket_minutes: number) =>
  queryOptions({
    queryKey: [allRuns.quota.path, range.key, bucket_minutes] as const,
    queryFn: ({ signal }) =>
      call(allRuns.quota, { query: { ...momentsOf(range), bucket_minutes: String(bucket_minutes) }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: 30_000,
    meta: {},
  })
